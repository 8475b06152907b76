// Where the server is and who asks: two environment variables, or a file that only its owner can read.

import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { exits, Refusal } from './exits.ts'
import { SELF } from './self.ts'

/** The tokens of a user who signed in with the browser. */
export interface Tokens {
  access_token: string
  refresh_token: string
  /** When the access token expires. */
  expires_at: string
}

export type KeyLogin = { url: string; api_key: string; tokens?: undefined }
export type UserLogin = { url: string; api_key?: undefined; tokens: Tokens }
export type Login = KeyLogin | UserLogin
/** Parts of a login; never both a key and tokens. */
export interface PartialLogin {
  url?: string
  api_key?: string
  tokens?: Tokens
}

export const DEFAULT_URL = 'http://localhost:3000'
const KEY = /\boct_key_[0-9A-Za-z]{46}\b/g
const URL_TEXT = /https?:\/\/[^\s"'<>`|\\]+/g

export const loginPath = (): string =>
  join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'octavo', 'login.json')

/** The login file, possibly empty. */
export function readSaved(): PartialLogin {
  let text: string
  try {
    text = readFileSync(loginPath(), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new Refusal(`${loginPath()} cannot be read: ${(error as Error).message}`, exits.not_allowed)
  }
  try {
    const { url, api_key, tokens } = JSON.parse(text) as Record<string, unknown>
    if ((typeof url === 'string' && !URL.canParse(url)) || (typeof api_key === 'string' && !mayBeKey(api_key)))
      throw new Error('damaged')
    const place = typeof url === 'string' ? { url } : {}
    if (typeof api_key === 'string') return { ...place, api_key }
    if (tokens === undefined) return place
    if (!isTokens(tokens)) throw new Error('damaged')
    return { ...place, tokens }
  } catch {
    throw new Refusal(`${loginPath()} is damaged.`, exits.not_allowed, `Log in again: ${SELF} login`)
  }
}

/** Like `readSaved`, but empty if the file is damaged: it can be removed or replaced, too. */
export function readSound(): PartialLogin {
  try {
    return readSaved()
  } catch {
    return {}
  }
}

function isTokens(value: unknown): value is Tokens {
  if (typeof value !== 'object' || value === null) return false
  const { access_token, refresh_token, expires_at } = value as Record<string, unknown>
  const areTexts = [access_token, refresh_token].every((text) => typeof text === 'string' && mayBeKey(text))
  return areTexts && typeof expires_at === 'string' && !Number.isNaN(Date.parse(expires_at))
}

function fromEnvironment(): PartialLogin {
  const { OCTAVO_URL: url, OCTAVO_API_KEY } = process.env
  const api_key = OCTAVO_API_KEY?.trim()
  return { ...(url && { url: normalUrl(url) }), ...(api_key && { api_key }) }
}

/** Returns the parts of the login that are known, possibly none. */
export function findLogin(): PartialLogin {
  const given = fromEnvironment()
  if (given.url && given.api_key) return given
  const { tokens, ...saved } = readSaved()
  // Tokens go only to the server that issued them.
  const areUsable = tokens && !given.api_key && (given.url === undefined || given.url === saved.url)
  return { ...saved, ...given, ...(areUsable && { tokens }) }
}

/**
 * Like `findLogin`, but returns an unreadable login file as `trouble` instead of throwing, for commands that report or
 * replace it.
 */
export function findSoundLogin(): { login: PartialLogin; trouble: Refusal | null } {
  try {
    return { login: findLogin(), trouble: null }
  } catch (error) {
    if (!(error instanceof Refusal) || error.exit !== exits.not_allowed) throw error
    return { login: fromEnvironment(), trouble: error }
  }
}

/** A key must be a valid header value. */
const mayBeKey = (text: string): boolean => /^[!-~]+$/.test(text)

/** Never says the key itself: it may be a real one with a slip in it. */
export function refuseStrangeKey(api_key: string): void {
  if (!mayBeKey(api_key))
    throw new Refusal('Not an API key.', exits.not_allowed, 'Keys start with oct_key_, followed by letters and digits.')
}

export function readLogin(): Login {
  const { url = DEFAULT_URL, api_key, tokens } = findLogin()
  if (tokens) return { url, tokens }
  if (!api_key) throw notLoggedIn()
  refuseStrangeKey(api_key)
  return { url, api_key }
}

export const notLoggedIn = (): Refusal =>
  new Refusal('You are not logged in.', exits.not_allowed, `Run ${SELF} login <url>. See docs/cli.md for other ways.`)

/** Never half of it, and never readable by others, not even for a moment. */
export function saveLogin(login: Login): void {
  const path = loginPath()
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 })
  chmodSync(fresh, 0o600)
  renameSync(fresh, path)
}

/** Whether there was one. */
export function removeLogin(): boolean {
  const wasThere = existsSync(loginPath())
  rmSync(loginPath(), { force: true })
  return wasThere
}

/** `localhost:3000` and the address of one of its resources mean the root of the server. */
export function normalUrl(text: string): string {
  const trimmed = text.trim()
  const isNear = /^(localhost|127\.|\[::1\])/.test(trimmed)
  const full = /^https?:\/\//i.test(trimmed) ? trimmed : `${isNear ? 'http' : 'https'}://${trimmed}`
  const isOther = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) && full !== trimmed
  if (isOther || !URL.canParse(full) || trimmed === '')
    throw new Refusal(`'${trimmed}' is not a URL.`, exits.wrong_usage, 'For example: http://localhost:3000')
  const { origin, pathname } = new URL(full)
  return `${origin}${pathname.replace(/\/api\/v1(\/.*)?$/, '')}`.replace(/\/+$/, '')
}

/** Finds the last key in a text, such as the log of a first start, and the address nearest to it. */
export function findInText(text: string): PartialLogin {
  const lines = stripVTControlCharacters(text).split('\n')
  const at = lines.findLastIndex((line) => line.match(KEY))
  const api_key = lines[at]?.match(KEY)?.at(-1)
  if (api_key === undefined) return {}
  const byDistance = lines
    .map((line, i) => ({ url: line.match(URL_TEXT)?.[0], distance: Math.abs(i - at) }))
    .filter(({ url, distance }) => url !== undefined && distance <= NEAR_LINES)
    .toSorted((a, b) => a.distance - b.distance)
  const url = byDistance[0]?.url
  return { api_key, ...(url && URL.canParse(url) && { url: normalUrl(url) }) }
}

/** An address further away than this is probably unrelated. */
const NEAR_LINES = 12
