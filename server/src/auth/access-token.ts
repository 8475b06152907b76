// Verification of JWT access tokens (RFC 9068, RFC 8725). Everything that is not exactly expected is refused.

import { type KeyObject, verify } from 'node:crypto'
import { isRecord } from '@octavo/base/unknown.ts'

/** Tokens of ours have about 800 characters. */
const MAX_CHARACTERS = 4_096
/** Access tokens are for one of these: the API, or the tools of agents at `/mcp`. */
export const resourceNames = ['api', 'mcp'] as const
export type ResourceName = (typeof resourceNames)[number]
/** The identifier of a resource (RFC 8707) and the audience of its tokens. */
export const resourceUrl = (base_url: string, resource: ResourceName): string => `${base_url}/${resource}`
/** How far the clocks of two servers may differ. */
export const LEEWAY_SECONDS = 60
/** Headers that name a key: only keys that the issuer publishes are trusted. `crit` names extensions that we do not know. */
const REFUSED_HEADERS = ['jwk', 'jku', 'x5u', 'x5c', 'crit', 'b64', 'zip', 'enc']

export interface AccessTokenClaims {
  resource: ResourceName
  sub: string
  client_id: string
  /** Seconds. */
  exp: number
  scope: string
  tenant: string
  grant_id: string | null
  /** When the user signed in, in seconds. */
  auth_time: number | null
}

export interface TokenParts {
  kid: string
  claims: Record<string, unknown>
  signed: string
  signature: Buffer
}

export const looksLikeJwt = (text: string): boolean => text.startsWith('eyJ') && text.split('.', 4).length === 3

/** The parts of a token whose form and header are right; null: it cannot be an access token. */
export function parseAccessToken(token: string): TokenParts | null {
  if (token.length > MAX_CHARACTERS) return null
  const [head = '', body = '', tail = '', ...more] = token.split('.')
  if (more.length > 0) return null
  const header = decodeObject(head)
  const claims = decodeObject(body)
  const signature = decodeBytes(tail)
  if (!header || !claims || !signature) return null
  const { typ, alg, kid } = header
  if (typeof typ !== 'string' || !/^(application\/)?at\+jwt$/i.test(typ)) return null
  if (alg !== 'RS256' || typeof kid !== 'string' || kid === '') return null
  if (REFUSED_HEADERS.some((name) => Object.hasOwn(header, name))) return null
  return { kid, claims, signed: `${head}.${body}`, signature }
}

export function isSignedBy({ signed, signature }: TokenParts, key: KeyObject): boolean {
  return key.asymmetricKeyType === 'rsa' && verify('sha256', Buffer.from(signed), key, signature)
}

export interface Expected {
  issuer: string
  base_url: string
  now_seconds: number
}

/** The resource and the end of a token; null: it is for another service or expired. */
export function readValidity(
  claims: Record<string, unknown>,
  { issuer, base_url, now_seconds }: Expected,
): { resource: ResourceName; exp: number } | null {
  const { iss, aud, exp, iat, nbf } = claims
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud]
  const resource = resourceNames.find((name) => audiences.includes(resourceUrl(base_url, name)))
  if (iss !== issuer || resource === undefined) return null
  if (!isSeconds(exp) || exp + LEEWAY_SECONDS <= now_seconds) return null
  if (!isSeconds(iat) || iat - LEEWAY_SECONDS > now_seconds) return null
  if (nbf !== undefined && (!isSeconds(nbf) || nbf - LEEWAY_SECONDS > now_seconds)) return null
  return { resource, exp }
}

/** null: the token is for another service, expired, or lacks a claim. */
export function readClaims(claims: Record<string, unknown>, expected: Expected): AccessTokenClaims | null {
  const validity = readValidity(claims, expected)
  return validity && toAccessTokenClaims(claims, validity.resource, validity.exp)
}

function toAccessTokenClaims(
  { sub, client_id, scope = '', tenant, grant_id = null, auth_time = null }: Record<string, unknown>,
  resource: ResourceName,
  exp: number,
): AccessTokenClaims | null {
  if (typeof sub !== 'string' || typeof client_id !== 'string' || typeof tenant !== 'string') return null
  if (typeof scope !== 'string' || !(grant_id === null || typeof grant_id === 'string')) return null
  if (!(auth_time === null || isSeconds(auth_time))) return null
  return { resource, sub, client_id, exp, scope, tenant, grant_id, auth_time }
}

const isSeconds = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value < 1e11

/** null unless the text is the canonical encoding of the bytes. */
function decodeBytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url')
  return text !== '' && bytes.toString('base64url') === text ? bytes : null
}

function decodeObject(text: string): Record<string, unknown> | null {
  const bytes = decodeBytes(text)
  if (!bytes) return null
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
