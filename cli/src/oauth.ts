// The requests of the device flow (RFC 8628), of refreshing and of revocation, for the client that is part of every server.

import { ConnectionError, OctavoError, TimeoutError } from '@octavo/sdk'
import { exits, Refusal } from './exits.ts'
import type { Tokens } from './login.ts'
import { reachingFetch } from './reach.ts'
import { SELF } from './self.ts'

const CLIENT_ID = 'octavo-cli'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const REQUEST_MS = 15_000
/** RFC 8628: the pause between two requests, if the server names none. */
const INTERVAL_SECONDS = 5
const LONGEST_INTERVAL_SECONDS = 60

type Fields = Record<string, unknown>

export interface DeviceCode {
  device_code: string
  user_code: string
  verification_uri: string
  /** With the code in it. */
  verification_uri_complete: string
  expires_at: string
  interval_seconds: number
}

/** `slow_down`: the pause between two requests has to grow. */
export type PollResult = Tokens | 'authorization_pending' | 'slow_down'

interface Answer {
  response: Response
  fields: Fields
}

async function send(url: string, path: string, form: Record<string, string> | null): Promise<Answer> {
  const timeout = AbortSignal.timeout(REQUEST_MS)
  try {
    const response = await reachingFetch(url)(`${url}${path}`, {
      ...(form && { method: 'POST', body: new URLSearchParams({ client_id: CLIENT_ID, ...form }) }),
      redirect: 'manual',
      signal: timeout,
    })
    return { response, fields: fieldsOf(await response.text()) }
  } catch (cause) {
    const message = 'The connection to the server failed.'
    if (timeout.aborted) throw new TimeoutError({ code: 'timed_out', message, cause })
    throw new ConnectionError({ code: 'connection_failed', message, cause })
  }
}

function fieldsOf(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const textOf = (fields: Fields, name: string): string => (typeof fields[name] === 'string' ? fields[name] : '')

/** When the code or the token of an answer expires. */
function expiryIn(answer: Answer): string {
  const time = new Date(Date.now() + Number(answer.fields['expires_in'] ?? Number.NaN) * 1000)
  if (Number.isNaN(time.getTime())) throw failureOf(answer)
  return time.toISOString()
}

function intervalIn(fields: Fields): number {
  const seconds = Number(fields['interval'] ?? INTERVAL_SECONDS)
  return Number.isNaN(seconds) ? INTERVAL_SECONDS : Math.min(Math.max(seconds, 1), LONGEST_INTERVAL_SECONDS)
}

/** The server's answer as an error of the API, whose members every error of Octavo has. */
function failureOf({ response: { status, headers }, fields }: Answer): OctavoError {
  const code = textOf(fields, 'code') || 'unexpected_answer'
  return new OctavoError({ code, message: textOf(fields, 'message') || `Status ${status}.`, status, headers })
}

/** Refuses servers without users, and an address that the sign-in pages would not work at. */
export async function checkIssuer(url: string): Promise<void> {
  const answer = await send(url, '/.well-known/oauth-authorization-server', null)
  const issuer = textOf(answer.fields, 'issuer')
  if (answer.response.status >= 500) throw failureOf(answer)
  if (!answer.response.ok || !answer.fields['device_authorization_endpoint'])
    throw new Refusal(
      `The server at ${url} has no sign-in for the command line.`,
      exits.not_allowed,
      `Check the address, or use an API key: ${SELF} login --key ${url}`,
    )
  if (issuer !== url)
    throw new Refusal(
      `The server at ${url} identifies itself as ${issuer}.`,
      exits.not_allowed,
      `Use that address: ${SELF} login ${issuer}. If it is wrong, its operator has to correct BASE_URL.`,
    )
}

export async function requestDeviceCode(url: string): Promise<DeviceCode> {
  const answer = await send(url, '/oauth/device-authorization', {})
  const { fields } = answer
  if (!answer.response.ok) throw failureOf(answer)
  const verification_uri = textOf(fields, 'verification_uri')
  const verification_uri_complete = textOf(fields, 'verification_uri_complete') || verification_uri
  // A browser would open any address, also that of a file or of another site.
  if (![verification_uri, verification_uri_complete].every((uri) => uri.startsWith(`${url}/`)))
    throw new Refusal(
      `The server at ${url} points to a sign-in page at another address.`,
      exits.not_allowed,
      `Check the address and ask the server's operator, or use an API key: ${SELF} login --key ${url}`,
    )
  return {
    device_code: textOf(fields, 'device_code'),
    user_code: textOf(fields, 'user_code'),
    verification_uri,
    verification_uri_complete,
    expires_at: expiryIn(answer),
    interval_seconds: intervalIn(fields),
  }
}

export async function pollTokens(url: string, { device_code }: DeviceCode): Promise<PollResult> {
  const answer = await send(url, '/oauth/token', { grant_type: DEVICE_GRANT, device_code })
  if (answer.response.ok) return tokensIn(answer)
  const again = `Try again: ${SELF} login ${url}`
  switch (textOf(answer.fields, 'error')) {
    case 'authorization_pending':
      return 'authorization_pending'
    case 'slow_down':
      return 'slow_down'
    case 'access_denied':
      throw new Refusal('The access was denied in the browser.', exits.not_allowed, again)
    case 'expired_token':
    case 'invalid_grant':
      throw new Refusal('The code has expired.', exits.not_allowed, again)
    default:
      throw failureOf(answer)
  }
}

export async function refreshTokens(url: string, refresh_token: string): Promise<Tokens> {
  const answer = await send(url, '/oauth/token', { grant_type: 'refresh_token', refresh_token })
  if (answer.response.ok) return tokensIn(answer)
  if (textOf(answer.fields, 'error') === 'invalid_grant')
    throw new Refusal(
      'Your login has ended. It was revoked, was not used for 30 days, or is one year old.',
      exits.not_allowed,
      `Log in again: ${SELF} login ${url}`,
    )
  throw failureOf(answer)
}

/** Ends the access, with all its tokens. */
export async function revokeAccess(url: string, { refresh_token }: Tokens): Promise<void> {
  const answer = await send(url, '/oauth/revocation', { token: refresh_token, token_type_hint: 'refresh_token' })
  if (!answer.response.ok) throw failureOf(answer)
}

const tokensIn = (answer: Answer): Tokens => ({
  access_token: textOf(answer.fields, 'access_token'),
  refresh_token: textOf(answer.fields, 'refresh_token'),
  expires_at: expiryIn(answer),
})

export interface TokenClaims {
  tenant: string
  /** The authorization that the token belongs to. */
  grant_id: string
  scopes: string[]
}

/** Facts that the API has no endpoint for. Not verified: they are only shown. */
export function readClaims({ access_token }: Tokens): TokenClaims {
  const claims = fieldsOf(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString())
  const scopes = textOf(claims, 'scope')
    .split(' ')
    .filter((scope) => scope !== '' && scope !== 'offline_access')
  return { tenant: textOf(claims, 'tenant'), grant_id: textOf(claims, 'grant_id'), scopes }
}
