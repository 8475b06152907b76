// Size of the corpus that a caller can search. Cached, because word weights hardly change with each document.

import type { Needs } from '../../app.ts'
import type { Db } from '../../db/database.ts'
import * as store from './searches.retrieve.store.ts'

interface CountedSize {
  size: Promise<store.Size>
  until_ms: number
}

const MIN_MS = 2_000
/** A count that took long is good for longer. */
const TIMES_AS_LONG = 500
const MAX_KNOWN = 10_000
const known = new WeakMap<object, Map<string, CountedSize>>()

export function readCorpusSize(app: Needs<'db'>, db: Db): Promise<store.Size> {
  const sizes = known.get(app.db) ?? new Map<string, CountedSize>()
  known.set(app.db, sizes)
  const { tenant, projects } = db.caller
  const key = `${tenant} ${projects?.join() ?? '*'}`
  const before = sizes.get(key)
  if (before && before.until_ms > Date.now()) return before.size
  // The oldest goes first.
  sizes.delete(key)
  if (sizes.size >= MAX_KNOWN) sizes.delete(sizes.keys().next().value!)
  const counted: CountedSize = { size: count(db, () => counted), until_ms: Number.POSITIVE_INFINITY }
  sizes.set(key, counted)
  counted.size.catch(() => sizes.delete(key))
  return counted.size
}

async function count(db: Db, counted: () => CountedSize): Promise<store.Size> {
  const began_ms = Date.now()
  const size = await store.countChunks(db)
  const now_ms = Date.now()
  counted().until_ms = now_ms + Math.max(MIN_MS, (now_ms - began_ms) * TIMES_AS_LONG)
  return size
}
