// Where the server is and who asks: two environment variables, or a file that only its owner can read.

import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { exits, Refusal } from './exits.ts'
import { SELF } from './self.ts'

export interface Login {
  url: string
  api_key: string
}

export const DEFAULT_URL = 'http://localhost:3000'
const KEY = /\boct_key_[0-9A-Za-z]{46}\b/g
const URL_TEXT = /https?:\/\/[^\s"'<>`|\\]+/g

export const loginPath = (): string =>
  join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'octavo', 'login.json')

function readSaved(): Partial<Login> {
  let text: string
  try {
    text = readFileSync(loginPath(), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new Refusal(`${loginPath()} cannot be read: ${(error as Error).message}`, exits.not_allowed)
  }
  try {
    const { url, api_key } = JSON.parse(text) as Partial<Login>
    if ((typeof url === 'string' && !URL.canParse(url)) || (typeof api_key === 'string' && !mayBeKey(api_key)))
      throw new Error('damaged')
    return { ...(typeof url === 'string' && { url }), ...(typeof api_key === 'string' && { api_key }) }
  } catch {
    throw new Refusal(`${loginPath()} is damaged.`, exits.not_allowed, `Log in again: ${SELF} login`)
  }
}

function fromEnvironment(): Partial<Login> {
  const { OCTAVO_URL: url, OCTAVO_API_KEY } = process.env
  const api_key = OCTAVO_API_KEY?.trim()
  return { ...(url && { url: normalUrl(url) }), ...(api_key && { api_key }) }
}

/** Returns the parts of the login that are known, possibly none. */
export function findLogin(): Partial<Login> {
  const given = fromEnvironment()
  return given.url && given.api_key ? given : { ...readSaved(), ...given }
}

/**
 * Like `findLogin`, but returns an unreadable login file as `trouble` instead of throwing, for commands that report or
 * replace it.
 */
export function findSoundLogin(): { login: Partial<Login>; trouble: Refusal | null } {
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
  const { url = DEFAULT_URL, api_key } = findLogin()
  if (!api_key)
    throw new Refusal(
      'You are not logged in.',
      exits.not_allowed,
      `Run ${SELF} login <url>; it asks for the key. See docs/cli.md for other ways.`,
    )
  refuseStrangeKey(api_key)
  return { url, api_key }
}

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
export function findInText(text: string): Partial<Login> {
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
