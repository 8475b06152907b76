// Resources of a proof end with the block that declares them: `await using world = await openWorld(…)`.

/** Closes the resource at the end of the block. */
export const owned = <T extends { close(): unknown }>(resource: T): T & AsyncDisposable =>
  Object.assign(
    resource,
    defer(() => resource.close()),
  )

/** Runs at the end of the block. */
export const defer = (work: () => unknown): AsyncDisposable => ({
  [Symbol.asyncDispose]: async () => void (await work()),
})
