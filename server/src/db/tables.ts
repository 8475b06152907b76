// Statements and row types that follow the tables: a column that is renamed or missing fails the compiler.

import { itemAt } from '@octavo/base/required.ts'
import { isOneOf } from '@octavo/base/unknown.ts'
import { idMembers, type Prefix } from '@octavo/contract'
import { uuid, uuidOf } from '../lib/ids.ts'
import { tables } from './generated/tables.ts'
import { type Statement, sql, type Value } from './statement.ts'

type Tables = typeof tables
export type TableName = keyof Tables
export type Column<T extends TableName> = keyof Tables[T] & string

/** The types of columns, as statements decode them. */
interface Decoded {
  uuid: string
  'uuid[]': string[]
  text: string
  'text[]': string[]
  bigint: number
  'bigint[]': number[]
  'smallint[]': number[]
  real: number
  float8: number
  boolean: boolean
  timestamptz: string
  date: string
  jsonb: unknown
  bytea: Buffer
  halfvec: string
}
interface ParameterTypes extends Omit<Decoded, 'timestamptz' | 'uuid[]' | 'text[]'> {
  timestamptz: Date | string
  'uuid[]': readonly string[]
  'text[]': readonly string[]
}
type Base<K> = K extends `${infer B}?${string}` ? B : K extends `${infer B}=` ? B : K
type OrNull<K> = K extends `${string}?${string}` ? null : never
type ColumnValue<K> = Decoded[Base<K> & keyof Decoded] | OrNull<K>

/**
 * The contract may narrow a column's type (string literals, JSON fields), but it cannot remove null from a nullable
 * column.
 */
type NarrowedValue<K, V> = [V] extends [ColumnValue<K> | null]
  ? [OrNull<K>] extends [V]
    ? V
    : ColumnValue<K>
  : ColumnValue<K>

/**
 * The fields of an answer that the table stores. Other fields are left out, so that a row is not assignable to the
 * answer.
 */
export type RowOf<T extends TableName, Answer, Computed extends keyof Answer = never> = {
  [M in keyof Answer as M extends Column<T> | Computed | 'object' ? M : never]: M extends Column<T>
    ? NarrowedValue<Tables[T][M], Answer[M]>
    : Answer[M]
} & { version: number }

/** A value that SQL computes; `$` stands for each of the values in turn. */
class Expression {
  readonly text: string
  readonly values: readonly Value[]
  constructor(text: string, values: readonly Value[]) {
    this.text = text
    this.values = values
  }
}
export const expression = (text: string, ...values: Value[]): Expression => new Expression(text, values)

type ColumnInput<K> = ParameterTypes[Base<K> & keyof ParameterTypes] | OrNull<K> | Expression
type OptionalColumn<T extends TableName> = {
  [C in Column<T>]: Tables[T][C] extends `${string}?` | `${string}=` ? C : never
}[Column<T>]
/**
 * Values for an insert; the tenant is the caller's. Ids are TypeIDs; `id` and columns that callers never name may be
 * uuids.
 */
export type NewRow<T extends TableName> = {
  [C in Exclude<Column<T>, OptionalColumn<T> | 'tenant_id'>]: ColumnInput<Tables[T][C]>
} & ColumnChanges<T>
type ColumnChanges<T extends TableName> = { [C in Exclude<Column<T>, 'tenant_id'>]?: ColumnInput<Tables[T][C]> }

const prefixes: Readonly<Record<string, Prefix | undefined>> = idMembers

/** A member that callers name is a TypeID or nothing at all: a uuid of theirs must not pass for one. */
function idFrom(column: string, id: string): string {
  const prefix = prefixes[column.replace(/s$/, '')]
  if (prefix) return uuidOf(prefix, id)
  return id.includes('_') ? uuid(id) : id
}

/** A list is JSON or an array: the column decides. */
function toValue(type: string, column: string, value: unknown): Value {
  if (value === null) return null
  if (type.startsWith('jsonb')) return JSON.stringify(value)
  if (type.startsWith('uuid'))
    return Array.isArray(value) ? value.map((id: string) => idFrom(column, id)) : idFrom(column, String(value))
  return value as Value
}

/** Each column with its SQL; the values are appended to those that are there. */
function bindColumns(table: TableName, row: object, values: Value[]): [column: string, text: string][] {
  const types: Readonly<Record<string, string>> = tables[table]
  const bind = (value: Value): string => `$${values.push(value) + 2}`
  return Object.entries(row).map(([column, value]) => {
    const type = types[column]
    if (type === undefined) throw new Error(`There is no column '${column}' in '${table}'.`)
    if (!(value instanceof Expression)) return [column, bind(toValue(type, column, value))]
    let next = 0
    return [column, value.text.replaceAll(/\$(?!\d)/g, () => bind(itemAt(value.values, next++)))]
  })
}

/** Every column but the tenant's and these. */
export const columnsOf = <T extends TableName>(table: T, except: readonly Column<T>[] = [], alias = ''): string =>
  Object.keys(tables[table])
    .filter((column) => column !== 'tenant_id' && !isOneOf(except, column))
    .map((column) => alias + column)
    .join(', ')

/** For `tx.find` and `tx.queue`: `tail` follows the values. */
export function insertInto<T extends TableName>(
  table: T,
  row: NewRow<T>,
  { prefix = null, tail = '' }: { prefix?: Prefix | null; tail?: string } = {},
): [Statement, Value[]] {
  const values: Value[] = []
  const bound = bindColumns(table, row, values)
  const columns = bound.map(([column]) => column).join(', ')
  const given = bound.map(([, text]) => text).join(', ')
  return [sql(`insert into ${table} (tenant_id, ${columns}) values ($1, ${given}) ${tail}`, prefix), values]
}

/** Every change increments the version of the resource. */
export const CHANGED = 'version = version + 1, updated_at = greatest(now(), created_at)'

interface UpdateTarget {
  /** With `$3` and so on for its values. */
  where: string
  values: readonly Value[]
  prefix?: Prefix | null
  returning?: string
}

export function updateRows<T extends TableName>(
  table: T,
  changes: ColumnChanges<T>,
  target: UpdateTarget,
): [Statement, Value[]] {
  const values = [...target.values]
  const assignments = bindColumns(table, changes, values).map(([column, text]) => `${column} = ${text}`)
  const returning = target.returning === undefined ? '' : ` returning ${target.returning}`
  const set = [...assignments, CHANGED].join(', ')
  return [sql(`update ${table} set ${set} where ${target.where}${returning}`, target.prefix ?? null), values]
}
