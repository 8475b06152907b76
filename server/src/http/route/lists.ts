// Lists: a sealed cursor that remembers a position, or numbered pages; filters, sort and fields.

import { hash } from 'node:crypto'
import { firstOf, required } from '@octavo/base/required.ts'
import type { Endpoint, ListRules } from '@octavo/contract'
import type { PageRequest } from '../../db/listing.ts'
import { Failure } from '../../lib/failure.ts'
import { NO_UUID, uuid } from '../../lib/ids.ts'
import { type Keyring, seal, unseal } from '../../lib/keyring.ts'
import { invalidParameter } from './query.ts'

const DEFAULT_LIMIT = 20
const MAX_OFFSET_ROWS = 10_000

/** A parsed list request in the store's terms. */
export interface ListRequest extends PageRequest {
  page: { number: number; size: number } | null
  /** Binds a cursor to what it was made for. */
  shape: string
  tenant: string
}

interface CursorContent {
  t: string
  q: string
  k: string | number
}

function text(value: unknown): string {
  const entries = new URLSearchParams(queryEntries('', value))
  entries.sort()
  return entries.toString()
}

/** A parameter as a query string gives it: a list separated by commas, a map as `name[key]`. */
export function queryEntries(name: string, value: unknown): [name: string, text: string][] {
  if (Array.isArray(value)) return [[name, value.join(',')]]
  if (value === null || typeof value !== 'object') return [[name, String(value)]]
  return Object.entries(value).map(([key, entry]) => [`${name}[${key}]`, String(entry)])
}

export function readListRequest(
  endpoint: Endpoint,
  path: string,
  query: Record<string, unknown>,
  tenant: string,
  keyring: Keyring,
): ListRequest {
  const rules = required(endpoint.list, 'list rules')
  const isNumbered = query.page !== undefined || query.per_page !== undefined
  const clash = ['cursor', 'limit'].find((name) => query[name] !== undefined)
  if (isNumbered && clash) {
    throw invalidParameter([
      {
        field: clash,
        location: 'query',
        code: 'inconsistent',
        message: 'Use either cursor and limit, or page and per_page.',
      },
    ])
  }
  const sort = typeof query.sort === 'string' ? query.sort : firstOf(rules.sorts)
  const shape = shapeOf(path, rules, query, sort)
  const base = { is_descending: sort.startsWith('-'), shape, tenant }
  if (isNumbered) return { ...base, ...numbered(Number(query.page ?? 1), Number(query.per_page ?? DEFAULT_LIMIT)) }
  const after = query.cursor === undefined ? null : openCursor(String(query.cursor), shape, tenant, keyring)
  return { ...base, after, limit: Number(query.limit ?? DEFAULT_LIMIT), offset: 0, page: null }
}

function numbered(number: number, size: number): Pick<ListRequest, 'after' | 'limit' | 'offset' | 'page'> {
  if (number * size > MAX_OFFSET_ROWS) {
    throw invalidParameter([
      {
        field: 'page',
        location: 'query',
        code: 'too_large',
        message: `Numbered pages cover the first ${MAX_OFFSET_ROWS} rows. Use a cursor to read further.`,
      },
    ])
  }
  return { after: null, limit: size, offset: (number - 1) * size, page: { number, size } }
}

function shapeOf(path: string, rules: ListRules, query: Record<string, unknown>, sort: string): string {
  const parts = [...rules.filters, 'fields']
    .filter((name) => query[name] !== undefined)
    .sort()
    .map((name) => `${name}=${text(query[name])}`)
  return hash('sha256', [path, sort, ...parts].join('\n'), 'buffer')
    .subarray(0, 8)
    .toString('base64url')
}

function openCursor(cursor: string, shape: string, tenant: string, keyring: Keyring): string | number {
  const bytes = Buffer.from(cursor, 'base64url')
  // The decoder passes over strange characters and spare bits: only the one spelling that was given out is good.
  const opened = bytes.toString('base64url') === cursor ? unseal(keyring, 'cursor', bytes) : null
  const content = opened ? (JSON.parse(opened.toString()) as CursorContent) : null
  if (!content || content.t !== tenant || content.q !== shape) {
    const message = 'The cursor does not belong to this list with these filters, sort order and fields.'
    throw new Failure('invalid_cursor', `${message} Start again without a cursor.`, {
      details: [{ field: 'cursor', location: 'query', code: 'invalid_format', message }],
    })
  }
  return content.k
}

function sealCursor(request: ListRequest, key: string | number, keyring: Keyring): string {
  const content: CursorContent = { t: request.tenant, q: request.shape, k: key }
  return seal(keyring, 'cursor', JSON.stringify(content)).toString('base64url')
}

/** `fields=title,status` → the members to show. */
export function readFields(value: unknown, known: readonly string[]): ReadonlySet<string> | null {
  if (value === undefined) return null
  const names = String(value).split(',')
  const details = names
    .filter((name) => !known.includes(name))
    .map((name) => ({
      field: 'fields',
      location: 'query' as const,
      code: 'not_allowed_value' as const,
      message: `Unknown field '${name.slice(0, 50).replace(/[^\w.-]/g, '?')}'.`,
    }))
  if (details.length > 0) throw invalidParameter(details.slice(0, 20))
  return new Set(['id', 'object', ...names])
}

export interface Envelope {
  data: unknown[]
  has_next_page: boolean
  cursor?: string | null
  page?: number
  per_page?: number
}

/** `rows` holds up to `limit + 1` rows; the extra row only shows that there is a next page. */
export function wrapList(
  rows: readonly Record<string, unknown>[],
  request: ListRequest,
  rules: ListRules,
  keyring: Keyring,
): Envelope {
  const has_next_page = rows.length > request.limit
  const data = has_next_page ? rows.slice(0, request.limit) : [...rows]
  if (request.page) return { data, page: request.page.number, per_page: request.page.size, has_next_page }
  const isFollowed = rules.is_followed && !request.is_descending
  const key = sortKey(data.at(-1), rules) ?? (isFollowed ? (request.after ?? 0) : null)
  const cursor = key !== null && (has_next_page || isFollowed) ? sealCursor(request, key, keyring) : null
  return { data, cursor, has_next_page }
}

function sortKey(row: Record<string, unknown> | undefined, rules: ListRules): string | number | null {
  if (!row) return null
  const value = row[rules.key]
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return null
  if (rules.key !== 'id') return value
  // Items of in-memory lists have ids that are not UUIDs.
  const id = uuid(value)
  return id === NO_UUID ? value : id
}

/** A page of a list that is at hand as a whole, in the order of its ids. */
export function pageOfItems<T extends { id: string }>(items: readonly T[], request: PageRequest): T[] {
  const { after, is_descending } = request
  const left = items.filter(({ id }) => after === null || (is_descending ? id < String(after) : id > String(after)))
  const sorted = left.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return (is_descending ? sorted.reverse() : sorted).slice(request.offset, request.offset + request.limit + 1)
}
