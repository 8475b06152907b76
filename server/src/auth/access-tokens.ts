// An access token → Credential: the signature first, then the state of the client, grant, user and tenant behind it.

import type { Scope } from '@octavo/contract'
import type { Database } from '../db/database.ts'
import { operator } from '../lib/caller.ts'
import { uuidOf } from '../lib/ids.ts'
import { type AccessTokenClaims, isSignedBy, LEEWAY_SECONDS, parseAccessToken, readClaims } from './access-token.ts'
import type { Credential } from './auth.store.ts'
import { findClientAccess, listPublicKeys } from './tokens.store.ts'
import { VerificationKeys } from './verification-keys.ts'

export class AccessTokens {
  private readonly db: Database
  private readonly issuer: string
  private readonly keys: VerificationKeys

  constructor(db: Database, base_url: string) {
    this.db = db
    this.issuer = base_url
    this.keys = new VerificationKeys(() => listPublicKeys(db))
  }

  async verify(token: string): Promise<AccessTokenClaims | null> {
    const parts = parseAccessToken(token)
    if (!parts) return null
    const expected = { issuer: this.issuer, audience: `${this.issuer}/api`, now_seconds: Date.now() / 1000 }
    const claims = readClaims(parts.claims, expected)
    const key = claims && (await this.keys.find(parts.kid))
    return key && isSignedBy(parts, key) ? claims : null
  }

  async findCredential(claims: AccessTokenClaims): Promise<Credential | 'suspended' | null> {
    const tenant = uuidOf('ten', claims.tenant)
    const client = uuidOf('cli', claims.client_id)
    if (claims.grant_id !== null || claims.sub !== claims.client_id) return null
    const row = await findClientAccess(this.db.for(operator(tenant, [])), client)
    if (!row) return null
    if (row.is_suspended) return 'suspended'
    return {
      principal: {
        tenant,
        projects: row.projects,
        scopes: intersect(claims.scope, row.scopes),
        actor: { type: 'client', id: client },
        tier: row.tier,
        expires_at_ms: (claims.exp + LEEWAY_SECONDS) * 1000,
      },
      last_used_at: null,
      depends_on: [client],
      grant: null,
    }
  }
}

/** A scope that was taken from the client since the token was issued does not count. */
function intersect(scope: string, allowed: readonly Scope[]): Set<Scope> {
  const inToken = new Set<string>(scope.split(' '))
  return new Set(allowed.filter((name) => inToken.has(name)))
}
