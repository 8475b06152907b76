/** The origin of the page that uses the SDK in a browser. */
export const BROWSER_ORIGIN = 'http://app.localhost:4000'

/** In place of a runtime: checks of the package itself. */
export const PACKAGE_CHECKS = 'package'

/** The server that the stories of the clients run against. */
export interface ClientServer {
  url: string
  /** A key of a new tenant. */
  newKey: () => Promise<string>
  say: (line: string) => void
}

/** The name of a story, and why it failed; null if it passed. */
export type StoryResult = [name: string, failure: string | null]

export interface ClientRun {
  client: string
  runtime: string
  stories: StoryResult[]
}

export function expect(condition: boolean, message: string): void {
  if (!condition) throw new Error(message)
}

/** Runs stories one after the other; a failure does not stop the next one. */
export async function runStories<Context>(
  context: Context,
  stories: Readonly<Record<string, (context: Context) => Promise<void>>>,
): Promise<StoryResult[]> {
  const results: StoryResult[] = []
  for (const [name, story] of Object.entries(stories)) {
    const failure = await story(context).then(
      () => null,
      (error: unknown) => String(error).slice(0, 400),
    )
    results.push([name, failure])
  }
  return results
}
