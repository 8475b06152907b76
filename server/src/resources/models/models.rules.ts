/**
 * What is built in may always be used: it costs nothing, no text leaves for it, and without it nothing could be read or
 * found. `allowed` null: everything else too.
 */
export const mayUse = (
  { id, provider }: { id: string; provider: string },
  allowed: readonly string[] | null,
): boolean => allowed === null || provider === 'built_in' || allowed.includes(id)
