// Steps 12 and 15: the Idempotency-Key. The key's row and the effect commit together, so a crash leaves both or
// neither; a concurrent duplicate waits on the unique index and reads the stored response.

import { createHash } from 'node:crypto'
import type { Reader, Tx } from '../../db/database.ts'
import { isLockTimeout } from '../../db/errors.ts'
import { sql } from '../../db/statement.ts'
import { Failure } from '../../lib/failure.ts'
import { type Keyring, seal, unseal } from '../../lib/keyring.ts'
import { invalidParameter } from './query.ts'

const MAX_STORED_BYTES = 1024 * 1024

export interface Key {
  hash: Buffer
  fingerprint: Buffer
}

export interface StoredAnswer {
  status: number
  location: string | null
  etag: string | null
  body: string | null
}

interface IdempotencyRow {
  fingerprint: Buffer
  status: number | null
  location: string | null
  etag: string | null
  body: Buffer | null
  is_sealed: boolean
}

const COLUMNS = 'fingerprint, status, location, etag, body, is_sealed'
const LIVE = `created_at > now() - interval '24 hours'`
const FIND = sql(`select ${COLUMNS} from idempotency_keys where tenant_id = $1 and key_hash = $3 and ${LIVE}`)
// A concurrent duplicate waits here for the first one to commit or roll back, as long as a statement may wait for a lock.
const CLAIM =
  sql(`insert into idempotency_keys as k (tenant_id, key_hash, fingerprint, created_at) values ($1, $3, $4, now())
  on conflict (tenant_id, key_hash) do update set fingerprint = excluded.fingerprint, status = null, location = null, etag = null, body = null, created_at = now()
  where k.created_at <= now() - interval '24 hours' returning true as is_claimed`)
const CLAIM_OR_REFUSE = sql(
  `with claimed as (${CLAIM.text}) select case when count(*) = 1 then true else app_refuse('The Idempotency-Key was used before') end from claimed`,
)
const STORE = sql(
  `update idempotency_keys set status = $4, location = $5, etag = $6, body = $7, is_sealed = $8 where tenant_id = $1 and key_hash = $3`,
)

// The sweeper deletes expired keys.
const FORGET = sql(
  `update idempotency_keys set created_at = now() - interval '24 hours' where tenant_id = $1 and key_hash = $3 and location is not distinct from $4`,
)

const digest = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\n')
  return hash.digest()
}

/** Bare and quoted spellings are the same key. */
export function readKey(
  header: string | undefined,
  request: { principal: string; path: string; search: string; body: Buffer },
): Key | null {
  if (header === undefined) return null
  const text = /^"(.*)"$/.exec(header)?.[1] ?? header
  if (!/^[\x21-\x7e]{1,255}$/.test(text)) {
    throw invalidParameter([
      {
        field: 'Idempotency-Key',
        location: 'header',
        code: 'invalid_format',
        message: 'Must have 1 to 255 visible ASCII characters.',
      },
    ])
  }
  const query = [...new URLSearchParams(request.search)]
    .map((pair) => pair.join('='))
    .sort()
    .join('&')
  return {
    hash: digest(request.principal, 'POST', request.path, text),
    // With the key, which the row does not hold: a password in the body cannot be guessed from its fingerprint.
    fingerprint: digest('POST', request.path, query, text, request.body),
  }
}

/** The stored answer, null where the key is new, or the failure that a misuse is. */
export async function findAnswer(db: Reader, key: Key, keyring: Keyring): Promise<StoredAnswer | null> {
  const row = await db.find<IdempotencyRow>(FIND, [key.hash])
  if (!row) return null
  if (!row.fingerprint.equals(key.fingerprint)) {
    throw new Failure(
      'idempotency_key_reused',
      'This Idempotency-Key was used with a different request. Use a new key for a new request.',
    )
  }
  if (row.status === null) throw inProgress()
  const body =
    row.body && row.is_sealed ? unseal(keyring, 'stored_answer', row.body, key.hash.toString('hex')) : row.body
  return { status: row.status, location: row.location, etag: row.etag, body: body?.toString() ?? null }
}

/** null: the key is ours now, go on. Usually it is new, so the claim is sent with the first statement of the handler. */
export async function claimKey(tx: Tx, key: Key, keyring: Keyring): Promise<StoredAnswer | null> {
  if (tx.may_assume) {
    tx.assume(CLAIM_OR_REFUSE, [key.hash, key.fingerprint], (error) => (isLockTimeout(error) ? inProgress() : error))
    return null
  }
  try {
    const claimed = await tx.find<{ is_claimed: boolean }>(CLAIM, [key.hash, key.fingerprint])
    return claimed ? null : await findAnswer(tx, key, keyring)
  } catch (error) {
    throw isLockTimeout(error) ? inProgress() : error
  }
}

/** Travels with the commit. A body over the bound is not kept: a replay then reads the resource again. */
export function storeAnswer(
  tx: Tx,
  key: Key,
  answer: StoredAnswer,
  seals: { keyring: Keyring; is_secret: boolean },
): void {
  const bytes =
    answer.body === null || Buffer.byteLength(answer.body) > MAX_STORED_BYTES ? null : Buffer.from(answer.body)
  const stored =
    bytes && seals.is_secret ? seal(seals.keyring, 'stored_answer', bytes, key.hash.toString('hex')) : bytes
  tx.queue(STORE, [key.hash, answer.status, answer.location, answer.etag, stored, seals.is_secret])
}

/** A request with the same key then runs again. `location` is that of the stored answer, null if there is none yet. */
export const forgetKey = (tx: Tx, key: Key, location: string | null = null): void =>
  tx.queue(FORGET, [key.hash, location])

function inProgress(): Failure {
  return new Failure(
    'idempotency_in_progress',
    'Another request with this Idempotency-Key is still running. Repeat the request in a second.',
    { headers: { 'retry-after': '1' } },
  )
}
