// Rules of sign-in that need no database: passwords, addresses to return to, form tokens, names of browsers.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export const MIN_PASSWORD = 12
const MAX_PASSWORD = 256
export const SESSION_DAYS = 30
export const IDLE_DAYS = 14

/** null, or a sentence that says how to choose a better password. */
export function passwordProblem(password: string, email: string): string | null {
  const length = [...password].length
  if (length < MIN_PASSWORD) return `Choose a password with at least ${MIN_PASSWORD} characters.`
  if (length > MAX_PASSWORD) return `Choose a password with at most ${MAX_PASSWORD} characters.`
  const word = password.toLowerCase()
  const [local = ''] = email.toLowerCase().split('@', 1)
  if (new Set(word).size < 5 || word === email.toLowerCase() || (local.length >= 6 && word.startsWith(local)))
    return 'This password is easy to guess. Choose one without your email address and without repeated characters.'
  return null
}

/** One form for a password, however the keyboard composed it. */
export const normalizePassword = (password: string): string => password.normalize('NFKC')

const RETURN_PATHS = /^\/(oauth|sign-in)(\/|\?|$)/

/** A path of this server, relative to the base URL; null for anything else, such as another site. */
export function safeReturnTo(path: string | null | undefined): string | null {
  if (!path || path.length > 4_096 || !RETURN_PATHS.test(path)) return null
  const url = URL.parse(path, 'https://own.invalid')
  if (url?.origin !== 'https://own.invalid' || !RETURN_PATHS.test(url.pathname)) return null
  return url.pathname + url.search
}

/** The token of a form, made from the secret in the visitor's cookie. Another site can read neither. */
export const formToken = (secret: string): string => createHash('sha256').update(`form ${secret}`).digest('base64url')

export function isFormToken(token: string, secret: string): boolean {
  const [given, expected] = [Buffer.from(token), Buffer.from(formToken(secret))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Whether a browser sent the form from a page of another site. */
export function isFromOtherSite({ 'sec-fetch-site': site, origin }: IncomingHttpHeaders, base_url: string): boolean {
  return site === 'cross-site' || (origin !== undefined && origin !== new URL(base_url).origin)
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** `Firefox on Windows`. */
export function describeBrowser(user_agent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(user_agent))?.[1] ?? 'Unknown browser'
  const system = SYSTEMS.find(([pattern]) => pattern.test(user_agent))?.[1]
  return system === undefined ? browser : `${browser} on ${system}`
}
