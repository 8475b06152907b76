// Access tokens of an external authorization server, `OAUTH_ISSUER`. It identifies the user; Octavo decides what the user may do.

import { text } from 'node:stream/consumers'
import { isRecord, recordOf } from '@octavo/base/unknown.ts'
import type { Database } from '../db/database.ts'
import { operatorFetch } from '../egress/egress.ts'
import { EgressFailed, EgressRefused } from '../egress/errors.ts'
import { Failure } from '../lib/failure.ts'
import { toId } from '../lib/ids.ts'
import { isSignedBy, LEEWAY_SECONDS, readValidity, type TokenParts } from './access-token.ts'
import type { Credential } from './auth.store.ts'
import { hashIdentity, listIdentities } from './identities.store.ts'
import { findUserPrincipal } from './user-access.ts'
import { type PublicKeyRow, VerificationKeys } from './verification-keys.ts'

const FETCH = { max_bytes: 1_000_000, total_ms: 5_000 }
const KEY_RULES = { retry_ms: 30_000, max_age_ms: 10 * 60_000 }

export class ExternalTokens {
  private readonly db: Database
  private readonly base_url: string
  private readonly issuer: string
  private readonly keys: VerificationKeys

  constructor(db: Database, base_url: string, issuer: string) {
    this.db = db
    this.base_url = base_url
    this.issuer = issuer
    this.keys = new VerificationKeys(() => this.fetchKeys(), KEY_RULES)
  }

  isIssuerOf({ claims }: TokenParts): boolean {
    return claims.iss === this.issuer
  }

  /** null: the token is not valid, or its subject is linked with no user. */
  async findCredential(parts: TokenParts): Promise<Credential | 'suspended' | null> {
    const { issuer, base_url } = this
    const validity = readValidity(parts.claims, { issuer, base_url, now_seconds: Date.now() / 1000 })
    const key = validity && (await this.keys.find(parts.kid))
    if (!key || !isSignedBy(parts, key)) return null
    const { sub, scope, tenant, auth_time } = parts.claims
    if (typeof sub !== 'string' || typeof scope !== 'string') return null
    const known = await listIdentities(this.db, hashIdentity({ issuer, subject: sub }))
    const [user, ...others] = known.filter((each) => tenant === undefined || toId('ten', each.tenant) === tenant)
    if (!user || others.length > 0) return null
    const principal = await findUserPrincipal(this.db, user.tenant, user.user)
    if (principal === null || principal === 'suspended') return principal
    const inToken = scope.split(' ')
    return {
      principal: {
        ...principal,
        // The external server knows applications that Octavo does not, so none of them manages people or credentials.
        scopes: new Set([...principal.scopes].filter((name) => inToken.includes(name) && !name.endsWith(':manage'))),
        expires_at_ms: (validity.exp + LEEWAY_SECONDS) * 1000,
        signed_in_at_ms: typeof auth_time === 'number' ? auth_time * 1000 : 0,
      },
      resource: validity.resource,
      last_used_at: null,
      depends_on: [],
      grant: null,
    }
  }

  private async fetchKeys(): Promise<PublicKeyRow[]> {
    try {
      const metadata = await fetchJson(`${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
      if (metadata.issuer !== this.issuer || typeof metadata.jwks_uri !== 'string')
        throw unavailable(`Its metadata names the issuer '${String(metadata.issuer)}'.`)
      const { keys } = await fetchJson(metadata.jwks_uri)
      if (!Array.isArray(keys)) throw unavailable('It does not list its keys.')
      return keys.flatMap(publicKey)
    } catch (error) {
      const isAway = [EgressFailed, EgressRefused, SyntaxError].some((kind) => error instanceof kind)
      throw isAway ? unavailable('It does not answer.', error) : error
    }
  }
}

async function fetchJson(url: string): Promise<Record<string, unknown>> {
  const { status, body } = await operatorFetch(url, FETCH)
  const json = await text(body)
  return status === 200 ? recordOf(JSON.parse(json)) : {}
}

/** Keys of other kinds are for other purposes. */
function publicKey(key: unknown): PublicKeyRow[] {
  if (!isRecord(key) || typeof key.kid !== 'string' || key.kty !== 'RSA') return []
  const { kid, n, e, use = 'sig', alg = 'RS256' } = key
  if (use !== 'sig' || alg !== 'RS256' || typeof n !== 'string' || typeof e !== 'string') return []
  return [{ id: kid, public_key: { kty: 'RSA', n, e } }]
}

const unavailable = (reason: string, cause?: unknown): Failure =>
  new Failure('service_unavailable', `The authorization server that issued the token cannot be used. ${reason}`, {
    headers: { 'retry-after': '5' },
    cause,
  })
