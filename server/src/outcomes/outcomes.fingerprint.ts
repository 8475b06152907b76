// Fingerprints of requests: equal fingerprints mean that a stored result can be reused.

import { createHash } from 'node:crypto'

export interface FingerprintInput {
  object: string
  /** Hashes of the pages that are read, in their order; of a text, its own. */
  texts: readonly string[]
  model: { id: string; version: string }
  parameters: unknown
  prompt_version: string
}

/** The order of keys does not matter, and what is absent is what is undefined. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`)
    .join()}}`
}

export function fingerprintOf(given: FingerprintInput): string {
  const { texts, ...rest } = given
  const hash = createHash('sha256').update(canonical(rest))
  for (const text of texts) hash.update(`\n${text}`)
  return hash.digest('hex')
}
