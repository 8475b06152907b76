/** The origin of the page that uses the SDK in a browser. */
export const BROWSER_ORIGIN = 'http://app.localhost:4000'

/** The server that the stories of the clients run against. */
export interface ClientServer {
  url: string
  /** A key of a new tenant. */
  newKey: () => Promise<string>
  say: (line: string) => void
}

export interface ClientRun {
  client: string
  runtime: string
  /** The name of each story, and why it failed; null if it passed. */
  stories: [name: string, failure: string | null][]
}
