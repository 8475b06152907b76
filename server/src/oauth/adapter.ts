// Storage of oidc-provider in PostgreSQL. Ids are secrets, so only their hashes are stored, and payloads are encrypted.

import { createHmac } from 'node:crypto'
import { required } from '@octavo/base/required.ts'
import { codeOf, isRecord } from '@octavo/base/unknown.ts'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { hashSecret, secretFromBytes } from '../auth/credential.ts'
import { type Keyring, seal, unseal } from '../lib/keyring.ts'
import * as store from './artifacts.store.ts'
import { loadClient } from './clients.ts'
import { loadGrant, type OauthNeeds, parseGrantId, removeGrant, saveGrant } from './subjects.ts'

/** A client that did not receive the response may repeat its request within this time. */
const OVERLAP_MS = 10_000
const FOREIGN_KEY_VIOLATION = '23503'

/** Passed in, because oidc-provider is loaded later. */
export interface AdapterParts {
  InvalidGrant: new (message: string) => Error
  /** Throws before a code or a token is used up. */
  checkTarget(): void
}

const none = async (): Promise<undefined> => undefined
const NOTHING: Adapter = {
  upsert: none,
  find: none,
  findByUserCode: none,
  findByUid: none,
  consume: none,
  destroy: none,
  revokeByGrantId: none,
}

export function openAdapter(app: OauthNeeds, kind: string, parts: AdapterParts): Adapter {
  if (kind === 'Client') return { ...NOTHING, find: (id) => loadClient(app, id) }
  if (kind !== 'Grant') return new ArtifactAdapter(app, kind, parts)
  return {
    ...NOTHING,
    upsert: (id, payload) => saveGrant(app, id, payload),
    find: (id) => loadGrant(app, id),
    destroy: (id) => removeGrant(app, id),
  }
}

class ArtifactAdapter implements Adapter {
  private readonly app: OauthNeeds
  private readonly kind: string
  private readonly parts: AdapterParts

  constructor(app: OauthNeeds, kind: string, parts: AdapterParts) {
    this.app = app
    this.kind = kind
    this.parts = parts
  }

  async upsert(id: string, payload: AdapterPayload, seconds = 60): Promise<void> {
    const hash = hashSecret(id)
    const grant = payload.grantId === undefined ? null : parseGrantId(payload.grantId)
    const alias = payload.userCode ?? (this.kind === 'Session' ? payload.uid : undefined)
    const sealed = seal(this.app.config.keyring, 'oauth_artifact', JSON.stringify(payload), hash.toString('hex'))
    try {
      await store.saveArtifact(this.app.db, hash, {
        kind: this.kind,
        alias: alias === undefined ? null : hashSecret(alias),
        tenant: grant?.tenant ?? null,
        grant: grant?.grant ?? null,
        payload: sealed,
        seconds,
      })
    } catch (error) {
      if (codeOf(error) !== FOREIGN_KEY_VIOLATION) throw error
      throw new this.parts.InvalidGrant('grant not found')
    }
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const row = await store.findArtifact(this.app.db, this.kind, hashSecret(id))
    if (!row) return undefined
    const isRepeated = this.kind === 'RefreshToken' && row.consumed_at !== null && (await this.isInOverlap(id, row))
    return this.open(isRepeated ? { ...row, consumed_at: null } : row)
  }

  findByUserCode(user_code: string): Promise<AdapterPayload | undefined> {
    return this.findByAlias(user_code)
  }

  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.findByAlias(uid)
  }

  private async findByAlias(alias: string): Promise<AdapterPayload | undefined> {
    const row = await store.findByAlias(this.app.db, this.kind, hashSecret(alias))
    return row ? this.open(row) : undefined
  }

  async consume(id: string): Promise<void> {
    this.parts.checkTarget()
    const hash = hashSecret(id)
    if (await store.consumeArtifact(this.app.db, hash)) return
    const row = await store.findArtifact(this.app.db, this.kind, hash)
    if (this.kind === 'RefreshToken' && row && (await this.isInOverlap(id, row))) return
    // If two concurrent requests use the same code, the second one ends the grant, as a later reuse does.
    const payload = row && this.open(row)
    if (payload?.grantId !== undefined && this.kind === 'AuthorizationCode')
      await removeGrant(this.app, payload.grantId)
    throw new this.parts.InvalidGrant('already used')
  }

  async destroy(id: string): Promise<void> {
    await store.deleteArtifact(this.app.db, hashSecret(id))
  }

  /** The artifacts of a grant are deleted with it. */
  async revokeByGrantId(grant_id: string): Promise<void> {
    await removeGrant(this.app, grant_id)
  }

  /** The last rotation is seconds ago, and its successor is unused. */
  private async isInOverlap(id: string, { consumed_at }: store.ArtifactRow): Promise<boolean> {
    if (consumed_at === null || Date.now() - Date.parse(consumed_at) > OVERLAP_MS) return false
    const successor = successorOf(this.app.config.keyring, id)
    const row = await store.findArtifact(this.app.db, this.kind, hashSecret(successor))
    return row === null || row.consumed_at === null
  }

  private open({ hash, payload, consumed_at }: store.ArtifactRow): AdapterPayload | undefined {
    const text = unseal(this.app.config.keyring, 'oauth_artifact', payload, hash.toString('hex'))
    const opened: unknown = text && JSON.parse(text.toString())
    if (!isRecord(opened)) return undefined
    return { ...opened, ...(consumed_at === null ? {} : { consumed: Math.floor(Date.parse(consumed_at) / 1000) }) }
  }
}

/** Derived, so that a repeated request gets the same refresh token although only its hash is stored. */
export function successorOf(keyring: Keyring, refresh_token: string): string {
  const key = required(keyring.keyOf(keyring.current, 'refresh_token'), 'current key')
  return secretFromBytes('rt', createHmac('sha256', key).update(refresh_token).digest())
}
