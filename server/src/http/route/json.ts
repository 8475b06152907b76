// Bytes → JSON that is safe to walk through and to store.

import { bodyDetail, Failure } from '../../lib/failure.ts'
import { messageOf } from '../../lib/unknown.ts'

const MAX_DEPTH = 32
/** Far more than any body of ours has; an array of millions would keep the process busy before the schema refuses it. */
const MAX_VALUES = 200_000
const decoder = new TextDecoder('utf-8', { fatal: true })

export const invalidJson = (message: string): Failure => new Failure('invalid_json', message)

/**
 * Bounds what everything after it walks through, in one pass that cannot be made slow or deep. `isOdd`: the text may hold
 * strings that PostgreSQL or UTF-8 cannot: with a NUL, or with half a surrogate pair.
 */
export function inspect(root: unknown, isOdd: boolean): void {
  const open: { value: object; depth: number; path: string }[] = []
  let count = 0
  const visit = (value: unknown, depth: number, path: () => string): void => {
    if (++count > MAX_VALUES) throw invalidJson(`The body has more than ${MAX_VALUES} values.`)
    if (typeof value === 'string') {
      if (isOdd && (value.includes('\0') || !value.isWellFormed())) throw unstorable(path())
    } else if (value !== null && typeof value === 'object') {
      if (depth > MAX_DEPTH) throw invalidJson(`The body is nested deeper than ${MAX_DEPTH} levels.`)
      open.push({ value, depth, path: isOdd ? path() : '' })
    }
  }
  visit(root, 1, () => '')
  for (let item = open.pop(); item; item = open.pop()) {
    const { value, depth, path } = item
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) visit(value[i], depth + 1, () => `${path}[${i}]`)
      continue
    }
    for (const [key, member] of Object.entries(value)) {
      refuseProto(key, member)
      if (isOdd && (key.includes('\0') || !key.isWellFormed())) throw unstorable(path)
      visit(member, depth + 1, () => (path ? `${path}.${key}` : key))
    }
  }
}

export function parseJson(bytes: Buffer): unknown {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw invalidJson('The body is not UTF-8.')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const place = /line \d+ column \d+/.exec(messageOf(error))?.[0]
    throw invalidJson(`The body is not valid JSON${place ? `, see ${place}` : ''}.`)
  }
  inspect(value, /\\u(0000|d[89a-f])/i.test(text) || text.includes('\0'))
  return value
}

function unstorable(path: string): Failure {
  const detail = bodyDetail(path, 'invalid_format', 'Must not contain NUL characters or unpaired surrogates.')
  return new Failure('validation_error', 'The request body contains values that are not allowed.', {
    details: [detail],
  })
}

/** JSON.parse makes `__proto__` an own member, which later copies would take for the prototype. */
function refuseProto(key: string, value: unknown): void {
  const isPollution =
    key === '__proto__' ||
    (key === 'constructor' && value !== null && typeof value === 'object' && 'prototype' in value)
  if (isPollution) throw invalidJson(`The body contains the field '${key}', which is not allowed.`)
}
