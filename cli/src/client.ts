import { Octavo } from '@octavo/sdk'
import { type Login, readLogin } from './login.ts'
import { reachingFetch } from './reach.ts'
import { tokenProvider } from './tokens.ts'

/** Someone waits at a terminal: a server that is not there must be said soon. */
const RETRIES = 2

export interface ClientChoices {
  login?: Login
  max_retries?: number
  fetch?: typeof fetch
}

export function openClient({ login = readLogin(), max_retries = RETRIES, fetch }: ClientChoices = {}): Octavo {
  return new Octavo({
    base_url: login.url,
    ...(login.tokens ? { token: tokenProvider(login) } : { api_key: login.api_key }),
    max_retries,
    fetch: reachingFetch(login.url, fetch),
  })
}
