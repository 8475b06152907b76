import { type ApiKeyPatch, type ApiKeyWithSecret, type NewApiKey, type NewRotation, scopeNames } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import { hashSecret, newSecret, previewSecret } from '../../auth/credential.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest, TimeFilters } from '../../db/listing.ts'
import { record } from '../../events/record.ts'
import { operator } from '../../lib/caller.ts'
import { hasSameFields, mergeMetadata, refuseEscalation, refuseFixed, requireRecentSignIn } from '../../lib/changes.ts'
import { Failure, notFound } from '../../lib/failure.ts'
import { refuseMissingProjects } from '../projects/projects.service.ts'
import {
  endRevived,
  listAllKeys,
  type RevivedKeys,
  type RevocationNeeds,
  recordRevocation,
} from './api-keys.revocations.ts'
import { refuseLongerLife, resolveExpiry } from './api-keys.rules.ts'
import * as store from './api-keys.store.ts'

const MAX_KEYS = 1_000
const MANAGED = { by: 'key', one: 'a key', many: 'keys' }

type KeyWithSecret = ApiKeyWithSecret & { version: number }

export function listKeys(db: Db, filters: TimeFilters, page: PageRequest): Promise<store.ApiKeyRow[]> {
  return store.listKeys(db, filters, page)
}

export async function readKey(db: Reader, id: string): Promise<store.ApiKeyRow> {
  const key = await store.findKey(db, id)
  if (!key) throw notFound()
  return key
}

export async function createKey(tx: Tx, input: NewApiKey): Promise<KeyWithSecret> {
  requireRecentSignIn(tx.caller)
  const project_ids = input.project_ids ?? null
  if (project_ids !== null) await refuseMissingProjects(tx, project_ids)
  refuseEscalation(tx.caller, { scopes: input.scopes, project_ids }, MANAGED)
  const expires_at = resolveExpiry(tx.caller, input.expires_at)
  if ((await store.countKeys(tx)) >= MAX_KEYS)
    throw new Failure('conflict', `A tenant has at most ${MAX_KEYS} keys. Revoke an unused one.`)
  const secret = newSecret('key')
  const row = {
    name: input.name,
    scopes: input.scopes,
    project_ids,
    expires_at,
    key_preview: previewSecret(secret),
    metadata: input.metadata ?? {},
  }
  const key = await store.insertKey(tx, row)
  store.insertSecret(tx, key.id, hashSecret(secret))
  record(tx, 'api_key.created', key)
  return { ...key, secret }
}

export async function updateKey(
  tx: Tx,
  id: string,
  patch: ApiKeyPatch,
  fixed: Record<string, unknown>,
): Promise<store.ApiKeyRow> {
  const key = await lockKey(tx, id)
  refuseFixed(key, fixed)
  const fields = {
    name: patch.name ?? key.name,
    metadata: mergeMetadata(key.metadata, patch.metadata),
    key_preview: key.key_preview,
  }
  if (hasSameFields(key, fields)) {
    tx.is_unchanged = true
    return key
  }
  const saved = await store.updateKey(tx, id, fields)
  record(tx, 'api_key.updated', saved)
  return saved
}

export async function removeKey(app: RevocationNeeds, tx: Tx, id: string): Promise<null> {
  await deleteKey(tx, id)
  await recordRevocation(app, tx, id, null)
  return null
}

/** Keys and secrets that a restored database has brought back to life. */
export const removeRevived = (app: Needs<'files' | 'db'>): Promise<RevivedKeys> => endRevived(app, deleteKey)

/** Every key of a tenant. */
export async function removeAllKeys(app: RevocationNeeds, tenant: string): Promise<number> {
  const caller = operator(tenant, scopeNames)
  const ids = await listAllKeys(app.db.for(caller))
  for (const id of ids) await app.db.transaction(caller, (tx) => removeKey(app, tx, id))
  return ids.length
}

/** Without a note: it is noted already, or about to be. */
async function deleteKey(tx: Tx, id: string): Promise<void> {
  const key = await lockKey(tx, id)
  store.deleteKey(tx, id)
  store.notifyChange(tx, id)
  record(tx, 'api_key.revoked', key)
}

/** A new secret for the same key; the old ones work until the overlap ends. */
export async function rotateKey(app: RevocationNeeds, tx: Tx, id: string, input: NewRotation): Promise<KeyWithSecret> {
  requireRecentSignIn(tx.caller)
  const key = await lockKey(tx, id)
  refuseLongerLife(tx.caller, key)
  const secret = newSecret('key')
  const overlap_seconds = input.overlap_seconds ?? 0
  store.endSecrets(tx, id, overlap_seconds)
  await recordRevocation(app, tx, id, overlap_seconds)
  store.insertSecret(tx, id, hashSecret(secret))
  store.notifyChange(tx, id)
  const saved = await store.updateKey(tx, id, { ...key, key_preview: previewSecret(secret) })
  record(tx, 'api_key.rotated', saved)
  return { ...saved, secret }
}

async function lockKey(tx: Tx, id: string): Promise<store.ApiKeyRow> {
  const key = await store.lockKey(tx, id)
  if (!key) throw notFound()
  refuseEscalation(tx.caller, key, MANAGED)
  tx.precondition.check(key)
  return key
}
