// Tombstones must survive a restore of the database, so they are small objects in the object storage, under their own
// prefix. The key holds all of their data.

import { Readable } from 'node:stream'
import { lastOf } from '@octavo/base/required.ts'
import { toError } from '@octavo/base/unknown.ts'
import { isKey, objectKey, TOMBSTONES } from './keys.ts'
import type { FileStore, ObjectInfo } from './store.ts'

/** Ids are uuids. */
export type Tombstone =
  /** The key is gone. */
  | { kind: 'revoked'; id: string; tenant: string; key: string }
  /** Secrets of the key that were made before `at` end. */
  | { kind: 'rotated'; id: string; tenant: string; key: string; at: Date; ends_at: Date }
  /** Until it is resumed. */
  | { kind: 'suspended'; tenant: string }

const WIDTH = 32
/** Milliseconds of many millennia. */
const TIME = 9
const PUT_MS = 2_000
/** Retention of tombstones: restoring a backup that is older may bring back revoked keys. */
const KEPT_MS = 400 * 86_400_000

const plain = (uuid: string): string => uuid.replaceAll('-', '')
const dashed = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
const timeText = (time: Date): string => time.getTime().toString(36).padStart(TIME, '0')
const parseTime = (text: string): Date => new Date(Number.parseInt(text, 36))

function tombstoneName(tombstone: Tombstone): string {
  if (tombstone.kind === 'suspended') return `${tombstone.tenant}.suspended`
  const name = `${tombstone.id}.${plain(tombstone.tenant)}.${plain(tombstone.key)}.${tombstone.kind}`
  return tombstone.kind === 'rotated' ? `${name}-${timeText(tombstone.at)}${timeText(tombstone.ends_at)}` : name
}

/** null: not a name that this version gives. */
function parseTombstone(name: string): Tombstone | null {
  const [first = '', tenant = '', key = '', last = ''] = name.split('.')
  if (tenant === 'suspended') return { kind: 'suspended', tenant: first }
  if (tenant.length !== WIDTH || key.length !== WIDTH) return null
  const about = { id: first, tenant: dashed(tenant), key: dashed(key) }
  if (last === 'revoked') return { kind: 'revoked', ...about }
  const [kind, times = ''] = last.split('-')
  if (kind !== 'rotated' || times.length !== 2 * TIME) return null
  return { kind, ...about, at: parseTime(times.slice(0, TIME)), ends_at: parseTime(times.slice(TIME)) }
}

export const isTombstone = (key: string): boolean => key.startsWith(TOMBSTONES)

/** A tenant's suspension does not expire. */
export const isOldTombstone = ({ key, modified_at }: ObjectInfo): boolean =>
  isTombstone(key) && modified_at.getTime() < Date.now() - KEPT_MS && !key.endsWith('.suspended')

/** Has a timeout, so that revoking a key does not hang with the store. */
export async function putTombstone(files: FileStore, tombstone: Tombstone): Promise<void> {
  const signal = AbortSignal.timeout(PUT_MS)
  const late = new Promise<never>((_, fail) =>
    signal.addEventListener('abort', () => fail(toError(signal.reason)), { once: true }),
  )
  const bytes = Readable.from([Buffer.from(`${tombstone.kind}\n`)])
  await Promise.race([
    files.put(objectKey(TOMBSTONES, tombstoneName(tombstone)), bytes, { media_type: 'text/plain', signal }),
    late,
  ])
}

export const removeTombstone = (files: FileStore, tombstone: Tombstone): Promise<void> =>
  files.remove(objectKey(TOMBSTONES, tombstoneName(tombstone)))

/** Page by page. */
export async function* listTombstones(files: FileStore): AsyncGenerator<Tombstone[]> {
  for (let last: string | null = null; ; ) {
    const page = await files.list(objectKey(TOMBSTONES, ''), last)
    if (page.length === 0) return
    last = lastOf(page).key
    yield page.flatMap(({ key }) => (isKey(key) ? (parseTombstone(key.slice(TOMBSTONES.length + 1)) ?? []) : []))
  }
}
