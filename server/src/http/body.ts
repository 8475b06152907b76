// Step 14: bytes → JSON → a body that the schema allows.

import type { Endpoint } from '@octavo/contract'
import { bodyDetail, Failure } from '../lib/failure.ts'
import { bodyFailure, compileCheck } from './validation.ts'

const MAX_DEPTH = 32
const decoder = new TextDecoder('utf-8', { fatal: true })

export interface Body {
  value: Record<string, unknown>
  /** Creation-only members that came along; the service compares them with what is stored. */
  fixed: Record<string, unknown>
}

const invalidJson = (message: string): Failure => new Failure('invalid_json', message)

function isTooDeep(value: unknown, depth = 0): boolean {
  if (value === null || typeof value !== 'object') return false
  if (depth >= MAX_DEPTH) return true
  for (const key in value) if (isTooDeep((value as Record<string, unknown>)[key], depth + 1)) return true
  return false
}

/** The first string that PostgreSQL or UTF-8 cannot hold: one with a NUL, or with half a surrogate pair. */
function findUnstorable(value: unknown, path = ''): string | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : null
  if (value === null || typeof value !== 'object') return null
  for (const [key, item] of Object.entries(value)) {
    const here = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key
    const found = findUnstorable(key, path) ?? findUnstorable(item, here)
    if (found !== null) return found
  }
  return null
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
    // JSON.parse makes `__proto__` an own member, which later copies would take for the prototype.
    value = text.includes('proto') || text.includes('\\u') ? JSON.parse(text, refuseProto) : JSON.parse(text)
  } catch (error) {
    throw error instanceof Failure ? error : invalidJson('The body is not valid JSON.')
  }
  if (isTooDeep(value)) throw invalidJson(`The body is nested deeper than ${MAX_DEPTH} levels.`)
  if (/\\u(0000|d[89a-f])/i.test(text) || text.includes('\0')) {
    const path = findUnstorable(value)
    if (path !== null) throw unstorable(path)
  }
  return value
}

function unstorable(path: string): Failure {
  const detail = bodyDetail(path, 'invalid_format', 'Must not contain NUL characters or half surrogate pairs.')
  return new Failure('validation_error', 'The request body contains values that are not allowed.', { details: [detail] })
}

function refuseProto(key: string, value: unknown): unknown {
  const isPollution = key === '__proto__' || (key === 'constructor' && value !== null && typeof value === 'object' && 'prototype' in value)
  if (isPollution) throw invalidJson(`The body contains the member '${key}', which is not allowed.`)
  return value
}

export type BodyReader = (bytes: Buffer | undefined) => Body

export function compileBody(endpoint: Endpoint): BodyReader {
  if (!endpoint.body) return () => ({ value: {}, fixed: {} })
  const check = compileCheck(endpoint.body)
  const ignored = new Set(endpoint.ignored)
  const fixedNames = new Set(endpoint.fixed)
  return (bytes) => {
    if (!bytes || bytes.length === 0) {
      if (endpoint.is_body_optional) return { value: {}, fixed: {} }
      throw invalidJson('A JSON body is required here.')
    }
    const given = parseJson(bytes)
    const body: Body = { value: {}, fixed: {} }
    if (given !== null && typeof given === 'object' && !Array.isArray(given)) {
      for (const [key, value] of Object.entries(given)) {
        if (fixedNames.has(key)) body.fixed[key] = value
        else if (!ignored.has(key)) body.value[key] = value
      }
    } else {
      body.value = given as Record<string, unknown>
    }
    const errors = check(body.value, bytes.length)
    if (errors) throw bodyFailure(errors)
    return body
  }
}
