// Authentication: `Authorization: Bearer` with an API key or an access token → Principal. Cached for seconds, evicted at
// once when a notification says that a key, user, client, grant or tenant changed.

import type { App } from '../app.ts'
import type { Database } from '../db/database.ts'
import { type Listener, listen } from '../db/listen.ts'
import type { Principal } from '../lib/caller.ts'
import { Failure } from '../lib/failure.ts'
import { looksLikeJwt, type ResourceName, resourceUrl } from './access-token.ts'
import { AccessTokens } from './access-tokens.ts'
import { type Credential, findCredential, touchCredential } from './auth.store.ts'
import { hashSecret, isWellFormedSecret } from './credential.ts'

const KEYS_CHANNEL = 'octavo_keys'
/**
 * Limits staleness if a notification is lost. The promise is five seconds; the rest is for the lookup that follows.
 */
const LIFETIME_MS = 4_500
/** An entry that is used this shortly before it expires is refreshed in the background. */
const REFRESH_MS = 1_000
const MAX_REMEMBERED = 50_000
const MAX_EVICTED = 10_000

const UNKNOWN = 'The key is unknown, malformed, expired or revoked. Check that it is complete, or use another one.'
const SUSPENDED = 'The tenant of this key is suspended. Ask the operator of this server to resume it.'
const NO_KEYS =
  'This endpoint accepts access tokens only, no API keys. Get a token with OAuth 2.0, or use an API key with the command `octavo mcp`.'
const BAD_TOKEN = 'The access token is malformed, expired, revoked or for another service. Request a new one.'

interface AuthenticatorEntry {
  credential: Credential
  /** On the monotonic clock: a correction of the time must not lengthen it. */
  ends_ms: number
}

type AuthenticatorConfig = Pick<App['config'], 'base_url' | 'database_direct_url' | 'oauth_issuer'>

/** UUIDs of a key that was valid once. */
export interface FormerKey {
  key: string
  tenant: string
}

export class Authenticator {
  private readonly db: Database
  private readonly base_url: string
  private readonly listener: Listener
  private readonly tokens: AccessTokens
  private readonly entries = new Map<string, AuthenticatorEntry>()
  private readonly underway = new Map<string, Promise<Credential>>()
  /** Keys that this process knew until they changed: a revoked key leaves no row that could be looked up. */
  private readonly evicted = new Map<string, FormerKey>()
  /** Incremented by every notification, so that the result of a lookup that began before it is not cached. */
  private generation = 0

  constructor(db: Database, { base_url, database_direct_url, oauth_issuer }: AuthenticatorConfig) {
    this.db = db
    this.base_url = base_url
    this.tokens = new AccessTokens(db, base_url, oauth_issuer)
    this.listener = listen(database_direct_url, KEYS_CHANNEL, {
      onMessage: (payload) => this.forget(payload),
      onGap: () => this.forget('*'),
    })
  }

  close(): Promise<void> {
    return this.listener.close()
  }

  /** Synchronous for a credential that is remembered. */
  authenticate(header: string | undefined, resource: ResourceName = 'api'): Principal | Promise<Principal> {
    if (header === undefined || !/^bearer(\s|$)/i.test(header)) throw this.unauthenticated(resource)
    const secret = header.slice(6).trim()
    const isToken = looksLikeJwt(secret)
    if (resource === 'mcp' && !isToken) throw this.invalidToken(resource, NO_KEYS)
    if (!isToken && !isKnownShape(secret)) throw this.invalidToken(resource)
    const entry = this.entries.get(secret)
    const now = performance.now()
    if (entry && entry.ends_ms > now) {
      // Refreshed early, so that requests of a busy key never wait for the lookup.
      if (entry.ends_ms - now < REFRESH_MS && !this.underway.has(secret)) this.lookUp(secret, resource).catch(() => {})
      return this.principalAt(resource, entry.credential)
    }
    if (!isToken && !isWellFormedSecret(secret)) throw this.invalidToken(resource)
    return this.lookUp(secret, resource).then((credential) => this.principalAt(resource, credential))
  }

  /** The cache and a lookup under way are shared by all resources, so this check follows them. */
  private principalAt(resource: ResourceName, credential: Credential): Principal {
    if (credential.resource === resource) return credential.principal
    const message = `The access token is for another service. Request one for the resource ${resourceUrl(this.base_url, resource)}.`
    throw this.invalidToken(resource, message)
  }

  private lookUp(secret: string, resource: ResourceName): Promise<Credential> {
    const running = this.underway.get(secret)
    if (running) return running
    const started = this.load(secret, resource).finally(() => {
      if (this.underway.get(secret) === started) this.underway.delete(secret)
    })
    this.underway.set(secret, started)
    return started
  }

  private async load(secret: string, resource: ResourceName): Promise<Credential> {
    const { generation } = this
    const begun_ms = performance.now()
    const credential = await this.findCredential(secret, resource)
    if (credential === null || credential === 'suspended') {
      this.entries.delete(secret)
      const former = this.evicted.get(secret) ?? null
      const unknown = looksLikeJwt(secret) ? BAD_TOKEN : UNKNOWN
      throw new UnknownCredential(this.invalidToken(resource, credential === null ? unknown : SUSPENDED), former)
    }
    this.evicted.delete(secret)
    if (generation === this.generation) this.remember(secret, credential, begun_ms)
    const minute = new Date().toISOString().slice(0, 16)
    if (!credential.last_used_at?.startsWith(minute)) touchCredential(this.db, credential).catch(() => {})
    return credential
  }

  private async findCredential(secret: string, resource: ResourceName): Promise<Credential | 'suspended' | null> {
    if (!looksLikeJwt(secret)) return findCredential(this.db, hashSecret(secret))
    const found = await this.tokens.find(secret)
    // Not counted as a failed attempt: a signature cannot be guessed, and every token expires.
    if (found === 'bad') throw this.invalidToken(resource, BAD_TOKEN)
    return found
  }

  /** Counted from the beginning of the lookup: what it found may have changed since. */
  private remember(secret: string, credential: Credential, begun_ms: number): void {
    if (this.entries.size >= MAX_REMEMBERED) this.entries.clear()
    const expires_ms = performance.now() + credential.principal.expires_at_ms - Date.now()
    this.entries.set(secret, { credential, ends_ms: Math.min(begun_ms + LIFETIME_MS, expires_ms) })
  }

  /** The payload is the uuid of a key, user, client, grant or tenant, or `*`. */
  private forget(payload: string): void {
    this.generation++
    // Later requests must not share a lookup that began before the change.
    this.underway.clear()
    if (payload === '*') return this.entries.clear()
    for (const [secret, { credential }] of this.entries) {
      const { actor, tenant } = credential.principal
      if (actor.id !== payload && tenant !== payload && !credential.depends_on.includes(payload)) continue
      this.entries.delete(secret)
      if (this.evicted.size >= MAX_EVICTED) this.evicted.clear()
      if (actor.type === 'api_key' && actor.id !== null) this.evicted.set(secret, { key: actor.id, tenant })
    }
  }

  private challenge(resource: ResourceName, error = ''): Record<string, string> {
    return {
      'www-authenticate': `Bearer realm="${resource}", resource_metadata="${this.base_url}/.well-known/oauth-protected-resource/${resource}"${error}`,
    }
  }

  private unauthenticated(resource: ResourceName): Failure {
    const message =
      resource === 'api'
        ? "Send your API key or access token in the header 'Authorization: Bearer <key>'."
        : "Send an access token in the header 'Authorization: Bearer <token>'."
    return new Failure('unauthenticated', message, { headers: this.challenge(resource) })
  }

  private invalidToken(resource: ResourceName, message = UNKNOWN): Failure {
    return new Failure('invalid_token', message, { headers: this.challenge(resource, ', error="invalid_token"') })
  }
}

/** A well-formed credential that failed its lookup: what the limit on failures counts. */
export class UnknownCredential extends Error {
  readonly failure: Failure
  /** The key, if this process has accepted the credential before. */
  readonly former: FormerKey | null
  constructor(failure: Failure, former: FormerKey | null) {
    super(failure.message)
    this.failure = failure
    this.former = former
  }
}

const isKnownShape = (secret: string): boolean => secret.startsWith('oct_key_') && secret.length === 54
