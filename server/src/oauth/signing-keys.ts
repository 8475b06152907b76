// The keys that sign access tokens. One signs; the next is published long before it does, so that every process and every
// cache knows it by then.

import { generateKeyPair, type webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import { lastOf } from '@octavo/base/required.ts'
import { isRecord } from '@octavo/base/unknown.ts'
import type { Needs } from '../app.ts'
import { newUuid } from '../lib/ids.ts'
import { seal, unseal } from '../lib/keyring.ts'
import * as store from './signing-keys.store.ts'

const generate = promisify(generateKeyPair)
const ROTATION_MS = 90 * 24 * 60 * 60_000
/** Longer than a token lives: a key is removed when its last token has expired. */
const RETIRED_MS = 60 * 60_000

export type SigningNeeds = Needs<'system' | 'config'>

export interface SigningKey {
  id: string
  private_key: webcrypto.JsonWebKey & { kid: string }
  starts_at_ms: number
}

/** Oldest first. Creates what is missing: a key that signs now and the one after it. */
export async function openSigningKeys(app: SigningNeeds): Promise<SigningKey[]> {
  const rows = await store.listKeys(app.system)
  if (isComplete(rows, Date.now())) return rows.map((row) => openKey(app, row))
  const made = await store.underLock(app.system, async (client) => {
    const now_ms = Date.now()
    const known = await store.listKeys(client)
    if (!known.some(({ starts_at_ms }) => starts_at_ms <= now_ms)) known.push(await addKey(app, client, now_ms))
    if (!known.some(({ starts_at_ms }) => starts_at_ms > now_ms))
      known.push(await addKey(app, client, Math.max(now_ms, lastOf(known).starts_at_ms) + ROTATION_MS))
    const retired = listRetired(known, now_ms)
    await store.deleteKeys(client, retired)
    return known.filter(({ id }) => !retired.includes(id))
  })
  return made.map((row) => openKey(app, row))
}

/** The key that signs now is the newest that has started. */
export const currentKey = (keys: readonly SigningKey[], now_ms = Date.now()): SigningKey =>
  lastOf(keys.filter(({ starts_at_ms }) => starts_at_ms <= now_ms))

/** Lets the next key sign from now on, and publishes another one. Tokens of the earlier key stay valid. */
export async function rotateSigningKeys(app: SigningNeeds): Promise<string> {
  const keys = await openSigningKeys(app)
  const next = keys.find(({ starts_at_ms }) => starts_at_ms > Date.now()) ?? lastOf(keys)
  await store.startKey(app.system, next.id)
  await openSigningKeys(app)
  return next.id
}

function isComplete(rows: readonly store.SigningKeyRow[], now_ms: number): boolean {
  const hasCurrent = rows.some(({ starts_at_ms }) => starts_at_ms <= now_ms)
  return hasCurrent && rows.some(({ starts_at_ms }) => starts_at_ms > now_ms) && listRetired(rows, now_ms).length === 0
}

/** Keys whose successor has signed for so long that their last token has expired. */
function listRetired(rows: readonly store.SigningKeyRow[], now_ms: number): string[] {
  return rows
    .filter((_, index) => (rows[index + 1]?.starts_at_ms ?? Number.POSITIVE_INFINITY) < now_ms - RETIRED_MS)
    .map(({ id }) => id)
}

async function addKey(app: SigningNeeds, client: store.Queryable, starts_at_ms: number): Promise<store.SigningKeyRow> {
  const pair = await generate('rsa', { modulusLength: 2048 })
  const id = newUuid()
  const private_key = JSON.stringify(pair.privateKey.export({ format: 'jwk' }))
  const row = { id, private_key: seal(app.config.keyring, 'signing_key', private_key, id), starts_at_ms }
  const public_key = { ...pair.publicKey.export({ format: 'jwk' }), kid: id, alg: 'RS256', use: 'sig' }
  await store.insertKey(client, row, public_key)
  return row
}

function openKey({ config }: SigningNeeds, { id, private_key, starts_at_ms }: store.SigningKeyRow): SigningKey {
  const text = unseal(config.keyring, 'signing_key', private_key, id)
  const jwk: unknown = text && JSON.parse(text.toString())
  if (!isRecord(jwk))
    throw new Error(
      `The signing key '${id}' cannot be decrypted. Add the secret that encrypted it to OCTAVO_SECRETS again.`,
    )
  return { id, private_key: { ...jwk, kid: id, alg: 'RS256', use: 'sig' }, starts_at_ms }
}
