// An access token → Credential: the signature first, then the state of the client, grant, user and tenant behind it.

import type { Scope } from '@octavo/contract'
import type { Database } from '../db/database.ts'
import { operator } from '../lib/caller.ts'
import { parseClientId } from '../lib/client-ids.ts'
import { uuidOf } from '../lib/ids.ts'
import {
  type AccessTokenClaims,
  isSignedBy,
  LEEWAY_SECONDS,
  parseAccessToken,
  readClaims,
  type TokenParts,
} from './access-token.ts'
import type { Credential } from './auth.store.ts'
import { ExternalTokens } from './external-tokens.ts'
import { findClientAccess, findGrantAccess, listPublicKeys } from './tokens.store.ts'
import { findUserPrincipal } from './user-access.ts'
import { VerificationKeys } from './verification-keys.ts'

export class AccessTokens {
  private readonly db: Database
  private readonly issuer: string
  private readonly base_url: string
  private readonly keys: VerificationKeys
  private readonly external: ExternalTokens | null

  constructor(db: Database, base_url: string, external_issuer: string | null) {
    this.db = db
    this.issuer = base_url
    this.base_url = base_url
    this.keys = new VerificationKeys(() => listPublicKeys(db))
    this.external = external_issuer === null ? null : new ExternalTokens(db, base_url, external_issuer)
  }

  /** `bad`: not a valid access token for this server. null: its user, application or authorization no longer exists. */
  async find(token: string): Promise<Credential | 'suspended' | 'bad' | null> {
    const parts = parseAccessToken(token)
    if (!parts) return 'bad'
    if (this.external?.isIssuerOf(parts)) return (await this.external.findCredential(parts)) ?? 'bad'
    const claims = await this.verify(parts)
    return claims ? this.findCredential(claims) : 'bad'
  }

  private async verify(parts: TokenParts): Promise<AccessTokenClaims | null> {
    const expected = { issuer: this.issuer, base_url: this.base_url, now_seconds: Date.now() / 1000 }
    const claims = readClaims(parts.claims, expected)
    const key = claims && (await this.keys.find(parts.kid))
    return key && isSignedBy(parts, key) ? claims : null
  }

  private async findCredential(claims: AccessTokenClaims): Promise<Credential | 'suspended' | null> {
    const tenant = uuidOf('ten', claims.tenant)
    if (claims.grant_id !== null) return this.findUserCredential(claims, tenant, uuidOf('grt', claims.grant_id))
    const client = uuidOf('cli', claims.client_id)
    if (claims.sub !== claims.client_id) return null
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
        signed_in_at_ms: null,
      },
      resource: claims.resource,
      last_used_at: null,
      depends_on: [client],
      grant: null,
    }
  }

  /** The rights of the user, limited by the grant, the client and the token. */
  private async findUserCredential(
    { resource, sub, client_id, scope, exp, auth_time }: AccessTokenClaims,
    tenant: string,
    grant: string,
  ): Promise<Credential | 'suspended' | null> {
    const user = uuidOf('usr', sub)
    const subject = parseClientId(client_id)
    const row = await findGrantAccess(this.db.for(operator(tenant, [])), { grant, user, ...subject })
    if (!row) return null
    const principal = await findUserPrincipal(this.db, tenant, user)
    if (principal === null || principal === 'suspended') return principal
    const allowed = [...principal.scopes].filter(
      (name) => row.grant_scopes.includes(name) && (row.client_scopes?.includes(name) ?? true),
    )
    return {
      principal: {
        ...principal,
        projects: commonProjects(principal.projects, row.client_projects),
        scopes: intersect(scope, allowed),
        expires_at_ms: (exp + LEEWAY_SECONDS) * 1000,
        signed_in_at_ms: auth_time === null ? 0 : auth_time * 1000,
      },
      resource,
      last_used_at: row.last_used_at,
      depends_on: [grant, ...(subject.client === null ? [] : [subject.client])],
      grant,
    }
  }
}

/** null: all projects. */
function commonProjects(
  ofUser: readonly string[] | null,
  ofClient: readonly string[] | null,
): readonly string[] | null {
  if (ofUser === null || ofClient === null) return ofUser ?? ofClient
  return ofUser.filter((project) => ofClient.includes(project))
}

/** A scope that was taken from the client since the token was issued does not count. */
function intersect(scope: string, allowed: readonly Scope[]): Set<Scope> {
  const inToken = new Set<string>(scope.split(' '))
  return new Set(allowed.filter((name) => inToken.has(name)))
}
