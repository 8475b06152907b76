// Finds bytes without a row and rows without bytes: lists both in key order and compares them page by page.

import { lastOf } from '@octavo/base/required.ts'
import type pg from 'pg'
import type { Needs } from '../../app.ts'
import { objectKey } from '../../files/keys.ts'
import { PAGE, StorageUnavailable } from '../../files/store.ts'
import { isOldTombstone, isTombstone } from '../../files/tombstones.ts'
import { NO_UUID, timeOfUuid, toId } from '../../lib/ids.ts'
import * as store from './files.sweep.store.ts'

type SweepNeeds = Needs<'files' | 'system' | 'config' | 'log' | 'metrics'>

/** Why a round did not come to its end. */
export const stopReasons = {
  storage_unavailable: 'the storage does not respond',
  too_many_missing: 'too many files have no bytes, because the storage is wrong or incomplete',
  told_to: 'it was asked to stop',
}
type StopReason = keyof typeof stopReasons

export interface SweepResult {
  objects: number
  files: number
  /** Bytes that no row named. */
  removed: number
  removed_bytes: number
  /** Uploads in parts that can no longer be completed. */
  aborted: number
  /** Files whose bytes are not there. */
  missing: number
  /** Missing files that this round found. */
  newly_missing: number
  found_again: number
  /** Objects of tenants that this database does not know: they are left alone. */
  foreign: number
  stopped: StopReason | null
}

interface SweepOptions {
  is_dry?: boolean
  signal?: AbortSignal
  /** Nothing is being uploaded, so even the newest file must have its bytes. */
  is_quiet?: boolean
  /** However many files have no bytes. */
  accepts_missing?: boolean
}

interface Round extends SweepOptions {
  app: SweepNeeds
  client: pg.PoolClient
  /** Only older objects are checked: newer ones may still be in use by an upload. */
  before: Date
  /** The same limit for files whose bytes are missing. */
  missed_before: Date
  swept: SweepResult
}

class SweepStop extends Error {
  readonly why: StopReason

  constructor(why: StopReason) {
    super(why)
    this.why = why
  }
}

const FIRST: store.ObjectPlace = { tenant: NO_UUID, object: NO_UUID }
const LAST: store.ObjectPlace = { tenant: NO_UUID.replaceAll('0', 'f'), object: NO_UUID.replaceAll('0', 'f') }
/** If more than this share and this number of files in a page are missing, the store is the wrong one or incomplete. */
const MISSING_SHARE = 0.1
const MISSING_COUNT = 10
const DAY_MS = 86_400_000

/** One round; null: another process is at it. */
export async function sweep(app: SweepNeeds, asked: SweepOptions = {}): Promise<SweepResult | null> {
  const client = await app.system.connect()
  let isBroken = true
  try {
    if (!(await store.holdSweep(client))) {
      isBroken = false
      return null
    }
    const before = new Date(Date.now() - app.config.sweep.after_seconds * 1000)
    const missed_before = asked.is_quiet ? new Date(Date.now() + DAY_MS) : before
    const swept = await walk({ ...asked, app, client, before, missed_before, swept: nothing() })
    await store.endSweep(client)
    isBroken = false
    return swept
  } finally {
    // The lock ends with its connection.
    client.release(isBroken)
  }
}

const nothing = (): SweepResult => ({
  objects: 0,
  files: 0,
  removed: 0,
  removed_bytes: 0,
  aborted: 0,
  missing: 0,
  newly_missing: 0,
  found_again: 0,
  foreign: 0,
  stopped: null,
})

async function walk(round: Round): Promise<SweepResult> {
  const { app, swept, is_dry } = round
  try {
    await walkObjects(round)
    await walkBegun(round)
    if (!is_dry) app.metrics.files_missing.set(swept.missing)
  } catch (error) {
    if (!(error instanceof StorageUnavailable || error instanceof SweepStop)) throw error
    swept.stopped = error instanceof SweepStop ? error.why : 'storage_unavailable'
    if (swept.stopped !== 'told_to') app.log.warn('sweep stopped', { reason: swept.stopped })
  }
  if (swept.removed > 0) app.log.warn('bytes without a row', { count: swept.removed })
  if (swept.aborted > 0) app.log.warn('uploads in parts without a row', { count: swept.aborted })
  if (swept.foreign > 0) app.log.warn('bytes of unknown tenants', { count: swept.foreign })
  return swept
}

/** An object name may have a suffix; the row holds only the part before it. */
function placeFromKey(key: string): store.ObjectPlace {
  const [tenant = '', name = ''] = key.split('/')
  return { tenant, object: name.slice(0, NO_UUID.length) }
}
const placesOf = (objects: readonly { key: string }[]): store.ObjectPlace[] =>
  objects.map(({ key }) => placeFromKey(key))
const placeKey = ({ tenant, object }: store.ObjectPlace): string => objectKey(tenant, object)

async function walkObjects(round: Round): Promise<void> {
  const { app, swept } = round
  let last: string | null = null
  let after = FIRST
  for (;;) {
    checkSignal(round)
    const listed = await app.files.list('', last)
    last = listed.at(-1)?.key ?? null
    const page = listed.filter(({ key }) => !isTombstone(key))
    if (!round.is_dry) for (const { key } of listed.filter(isOldTombstone)) await app.files.remove(key)
    swept.objects += page.length
    const upTo = last === null ? LAST : placeFromKey(last)
    // First the rows: where too many of them have no bytes, none of the bytes is judged either.
    await compareFiles(round, { after, last: upTo }, new Set(page.map(({ key }) => key)))
    await removeUnclaimed(round, page)
    if (last === null) return
    after = upTo
  }
}

type Objects = Awaited<ReturnType<SweepNeeds['files']['list']>>

async function removeUnclaimed(round: Round, page: Objects): Promise<void> {
  const { app, client, before, swept } = round
  // Objects joined from parts may be dated when the upload began, and re-sent objects have an old id: both must be old.
  const old = page.filter(
    ({ key, modified_at }) => modified_at < before && timeOfUuid(placeFromKey(key).object) < before,
  )
  const unclaimed = await store.listUnclaimed(client, placesOf(old))
  const isKnown = new Map(unclaimed.map((place) => [placeKey(place), place.is_known]))
  for (const { key, size_bytes } of old) {
    const place = placeFromKey(key)
    const known = isKnown.get(placeKey(place))
    if (known === undefined) continue
    checkSignal(round)
    if (!known) swept.foreign++
    else if ((await store.listUnclaimed(client, [place])).length > 0) {
      if (!round.is_dry) {
        await app.files.remove(key)
        app.metrics.swept_objects.inc({ kind: 'object' })
      }
      swept.removed++
      swept.removed_bytes += size_bytes
    }
  }
}

async function compareFiles(
  round: Round,
  range: { after: store.ObjectPlace; last: store.ObjectPlace },
  keys: ReadonlySet<string>,
): Promise<void> {
  const { client, missed_before: before, swept } = round
  let { after } = range
  for (;;) {
    checkSignal(round)
    const files = await store.listFiles(client, { after, last: range.last }, { before, limit: PAGE })
    swept.files += files.length
    const missing = await findMissing(round, files, keys)
    for (const file of missing) await tellMissing(round, file)
    const there = files.filter((file) => file.is_missing && keys.has(placeKey(file)))
    for (const file of there) {
      if (!round.is_dry) await store.updateMissing(client, file, false)
      swept.found_again++
    }
    if (files.length < PAGE) return
    after = lastOf(files)
  }
}

async function findMissing(
  round: Round,
  files: readonly store.SweptFile[],
  keys: ReadonlySet<string>,
): Promise<store.SweptFile[]> {
  const { app, client, swept } = round
  const missing: store.SweptFile[] = []
  for (const file of files) {
    const key = placeKey(file)
    if (!file.is_old || keys.has(key)) continue
    if (file.is_missing) {
      swept.missing++
      continue
    }
    checkSignal(round)
    // It may have come since the list was made, or is about to go with its row.
    if ((await app.files.find(key)) !== null || !(await store.isWanted(client, file))) continue
    missing.push(file)
    if (!round.accepts_missing && missing.length > Math.max(MISSING_COUNT, files.length * MISSING_SHARE))
      throw new SweepStop('too_many_missing')
  }
  return missing
}

async function tellMissing({ app, client, is_dry, swept }: Round, file: store.SweptFile): Promise<void> {
  swept.missing++
  swept.newly_missing++
  if (is_dry) return
  await store.updateMissing(client, file, true)
  app.log.warn('file without bytes', { tenant_id: toId('ten', file.tenant), file_id: toId('file', file.id) })
}

async function walkBegun(round: Round): Promise<void> {
  const { app, client, before, swept } = round
  let last: string | null = null
  for (;;) {
    checkSignal(round)
    const page = await app.files.listBegun(last)
    if (page.length === 0) return
    last = lastOf(page).key
    const old = page.filter(({ begun_at }) => begun_at < before)
    const abandoned = new Set((await store.listAbandoned(client, placesOf(old))).map(placeKey))
    for (const { key, upload } of old.filter((one) => abandoned.has(placeKey(placeFromKey(one.key))))) {
      checkSignal(round)
      if (!round.is_dry) {
        await app.files.abortParts(key, upload)
        app.metrics.swept_objects.inc({ kind: 'parts' })
      }
      swept.aborted++
    }
  }
}

function checkSignal({ signal }: Round): void {
  if (signal?.aborted) throw new SweepStop('told_to')
}
