// Bytes → JSON that is safe to walk through and to store.

import { messageOf } from '@octavo/base/unknown.ts'
import { MAX_BODY_BYTES } from '@octavo/contract'
import { bodyDetail, Failure } from '../../lib/failure.ts'

const MAX_DEPTH = 32
/** Far more than any body of ours has; an array of millions would keep the process busy before the schema refuses it. */
const MAX_VALUES = 200_000
/** In a body of at most 1 MiB. */
const MAX_VALUES_OF_SMALL = 50_000
/** Objects of ours have far fewer members; a large one takes long to build and to list. */
const MAX_MEMBERS = 10_000
const decoder = new TextDecoder('utf-8', { fatal: true })

export const invalidJson = (message: string): Failure => new Failure('invalid_json', message)
const tooManyValues = (max: number): Failure =>
  invalidJson(`The body has more than ${max} values. Split it into several requests.`)
const tooDeep = (): Failure => invalidJson(`The body is nested deeper than ${MAX_DEPTH} levels. Flatten it.`)

/**
 * Bounds what everything after it walks through, in one pass that cannot be made slow or deep. `isOdd`: the text may hold
 * strings that PostgreSQL or UTF-8 cannot: with a NUL, or with half a surrogate pair.
 */
export function inspect(root: unknown, isOdd: boolean): void {
  const open: { value: object; depth: number; path: string }[] = []
  let count = 0
  const visit = (value: unknown, depth: number, path: () => string): void => {
    if (++count > MAX_VALUES) throw tooManyValues(MAX_VALUES)
    if (typeof value === 'string') {
      if (isOdd && (value.includes('\0') || !value.isWellFormed())) throw unstorable(path())
    } else if (value !== null && typeof value === 'object') {
      if (depth > MAX_DEPTH) throw tooDeep()
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

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const OPENERS = new Set(Buffer.from('{['))
const CLOSERS = new Set(Buffer.from('}]'))

/** Refuses bodies that are costly to parse, in one cheap pass over the bytes. */
function refuseCostly(bytes: Buffer): void {
  const max = bytes.length > MAX_BODY_BYTES ? MAX_VALUES : MAX_VALUES_OF_SMALL
  const members: number[] = []
  let count = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) at = findQuote(bytes, at + 1)
    else if (byte === COMMA) {
      if (++count > max) throw tooManyValues(max)
    } else if (byte === COLON) {
      const own = (members.pop() ?? 0) + 1
      if (own > MAX_MEMBERS) throw invalidJson(`An object of the body has more than ${MAX_MEMBERS} fields.`)
      members.push(own)
    } else if (OPENERS.has(byte)) {
      if (++count > max) throw tooManyValues(max)
      if (members.push(0) > MAX_DEPTH) throw tooDeep()
    } else if (CLOSERS.has(byte)) members.pop()
  }
}

/** Bytes that are looked at one by one before a search, which is fast for long strings and slow for many escapes. */
const NEAR_BYTES = 32

/** The place of the quote that ends a string. */
function findQuote(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; ) {
    for (const near = at + NEAR_BYTES; at < near; at++) {
      if (bytes[at] === QUOTE) return at
      if (bytes[at] === BACKSLASH) at++
    }
    const quote = bytes.indexOf(QUOTE, at)
    if (quote < 0) return bytes.length
    let slash = quote
    while (slash > at && bytes[slash - 1] === BACKSLASH) slash--
    if ((quote - slash) % 2 === 0) return quote
    at = quote + 1
  }
  return bytes.length
}

export function parseJson(bytes: Buffer): unknown {
  refuseCostly(bytes)
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
