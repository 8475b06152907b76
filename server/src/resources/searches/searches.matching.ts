// The words of a passage that a query matches. Passages repeat the words of their language, so their terms are cached.

import type { Db } from '../../db/database.ts'
import * as store from './searches.retrieve.store.ts'

const MAX_KNOWN = 50_000
/** A longer word is rarely repeated, and a hostile file may be full of them. */
const MAX_KNOWN_LENGTH = 40
/** Terms of a word, by tenant and configurations. */
const cache = new Map<string, readonly string[]>()

/** Those of the words that the terms stand for. */
export async function listMatching(
  db: Db,
  words: readonly string[],
  { terms, configs }: store.QueryTerms,
): Promise<Set<string>> {
  if (words.length === 0 || terms.length === 0) return new Set()
  const prefix = `${db.caller.tenant} ${configs.join()} `
  const found = new Map<string, readonly string[]>()
  for (const word of words) {
    const cached = cache.get(prefix + word)
    if (cached) found.set(word, cached)
  }
  const missing = words.filter((word) => !found.has(word))
  for (const row of missing.length === 0 ? [] : await store.listTermsOfWords(db, missing)) {
    found.set(row.word, row.terms)
    if (row.word.length <= MAX_KNOWN_LENGTH) cache.set(prefix + row.word, row.terms)
  }
  // The oldest go first.
  for (const key of cache.keys()) {
    if (cache.size <= MAX_KNOWN) break
    cache.delete(key)
  }
  const wanted = new Set(terms)
  return new Set(words.filter((word) => found.get(word)?.some((term) => wanted.has(term))))
}
