// Reads a page of a list by keyset pagination on an immutable key, for callers of a whole tenant or of some projects.

import type { Prefix } from '@octavo/contract'
import { floorUuid, uuidOf } from '../lib/ids.ts'
import { instantOf } from '../lib/time.ts'
import type { Reader } from './database.ts'
import { sql, type Value } from './statement.ts'

export interface ListSource {
  table: string
  columns: string
  prefix: Prefix
  /** The immutable key, unique within what is listed. */
  key: string
  /** The column that names the project: a caller limited to projects reads them one by one. */
  project?: string
  /** A filter that keeps such a caller to them, where the list is short or lies within one parent. */
  visible?: string
}

/** `['status = any($)', ['ready']]`: `$` stands for the value. */
export type Condition = readonly [text: string, value?: Value]

/** `ids`: one id or several; none means that the list is not filtered. */
export function idIn(
  column: string,
  prefix: Prefix,
  ids: string | readonly string[] | undefined,
): (readonly [text: string, value: Value])[] {
  if (ids === undefined) return []
  const uuids = [ids].flat().map((id) => uuidOf(prefix, id))
  const [first = '', ...others] = uuids
  // Equality with one value reads the index in the order of the list.
  return [others.length === 0 ? [`${column} = $`, first] : [`${column} = any($)`, uuids]]
}

export interface PageRequest {
  /** The key of the last row seen, or null at the beginning. */
  after: string | number | null
  /** Page size; one more row is read to know whether there is a next page. */
  limit: number
  offset: number
  is_descending: boolean
}

/** Up to `limit + 1` rows. */
export function listRows<Row>(
  db: Reader,
  source: ListSource,
  conditions: readonly Condition[],
  page: PageRequest,
): Promise<Row[]> {
  const values: Value[] = []
  const bind = (value: Value): string => `$${values.push(value) + 2}`
  const wheres = [
    'tenant_id = $1',
    ...conditions.map(([text, value]) => (value === undefined ? text : text.replace('$', () => bind(value)))),
  ]
  if (page.after !== null) wheres.push(`${source.key} ${page.is_descending ? '<' : '>'} ${bind(page.after)}`)
  const limit = bind(page.limit + 1)
  const offset = page.offset === 0 ? '0' : bind(page.offset)
  const order = `order by ${source.key} ${page.is_descending ? 'desc' : 'asc'}`
  const isOneProject = conditions.some(([text]) => text.startsWith(`${source.project} = $`))
  const filter = source.visible ?? (isOneProject ? `${source.project} = any($2)` : null)
  return db.rows<Row>(sql(text(), source.prefix), values)

  function text(): string {
    if (db.caller.projects === null || filter !== null) {
      const visible = db.caller.projects === null ? '' : ` and ${filter}`
      return `select ${source.columns} from ${source.table} where ${wheres.join(' and ')}${visible} ${order} limit ${limit} offset ${offset}`
    }
    // One short ordered scan for each project: a condition `project = any(...)` would sort or filter all their rows.
    return `select row.* from unnest($2::uuid[]) as visible(project) cross join lateral (
      select ${source.columns} from ${source.table} where ${wheres.join(' and ')} and ${source.project} = visible.project
      ${order} limit (${limit}::bigint + ${offset}::bigint)) as row order by row.${source.key.split('.').at(-1)} ${page.is_descending ? 'desc' : 'asc'} limit ${limit} offset ${offset}`
  }
}

export interface TimeFilters {
  created_after?: string
  created_before?: string
}

/**
 * Ids are in the order of creation, so times become bounds of the key and no second index is needed. Stored times are
 * whole milliseconds; a bound between two of them means the later one.
 */
export function createdBetween(filters: TimeFilters): Condition[] {
  const conditions: Condition[] = []
  if (filters.created_after !== undefined) conditions.push(['id >= $', floorUuid(instantOf(filters.created_after))])
  if (filters.created_before !== undefined) conditions.push(['id < $', floorUuid(instantOf(filters.created_before))])
  return conditions
}

export interface ChangeFilters {
  metadata?: Record<string, string>
  updated_after?: string
}

export function changedAs({ metadata, updated_after }: ChangeFilters): Condition[] {
  const conditions: Condition[] = []
  if (metadata !== undefined) conditions.push(['metadata @> $::jsonb', metadata])
  if (updated_after !== undefined) conditions.push(['updated_at >= $', instantOf(updated_after)])
  return conditions
}
