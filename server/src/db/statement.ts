// A statement is prepared once for each connection and its rows are read as the wire wants them: TypeIDs, ISO times,
// numbers. $1 is always the caller's tenant and $2 the projects that the caller sees (null: all), bound by the handle.

import { itemAt } from '@octavo/base/required.ts'
import { idMembers, type Prefix } from '@octavo/contract'
import { toId } from '../lib/ids.ts'
import { compileBuilder, type ObjectBuilder } from '../lib/object-builder.ts'
import { isoFromPostgres } from '../lib/time.ts'

export type Value =
  | string
  | number
  | boolean
  | null
  | Buffer
  | Date
  | readonly string[]
  | readonly number[]
  | { [key: string]: unknown }
type StatementDecoder = (text: string) => unknown

export interface Statement {
  readonly name: string
  readonly text: string
  /** TypeID prefix of the rows' `id`. */
  readonly prefix: Prefix | null
  readonly types: readonly number[]
  /** Makes a row of its values; known after the first execution on any connection. */
  decodeRow: ObjectBuilder<string> | null
}

const OID = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  json: 114,
  float4: 700,
  float8: 701,
  text_array: 1009,
  timestamptz: 1184,
  uuid: 2950,
  uuid_array: 2951,
  jsonb: 3802,
}

/** The tenant and the visible projects, as every statement begins. */
const SCOPE_TYPES = [OID.uuid, OID.uuid_array]

let count = 0
const statements = new Map<string, Statement>()

/** `prefix` names what the column `id` identifies; `types` is given only by statements without a tenant. */
export function sql(text: string, prefix: Prefix | null = null, types: readonly number[] = SCOPE_TYPES): Statement {
  const key = `${prefix ?? ''}|${types.join()}|${text}`
  let statement = statements.get(key)
  if (!statement) {
    statement = { name: `o${++count}`, text, prefix, types, decodeRow: null }
    statements.set(key, statement)
  }
  return statement
}

function parseTextArray(text: string): string[] {
  return [...text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/g)].map(
    (match) => match[1]?.replace(/\\(.)/g, '$1') ?? itemAt(match, 2),
  )
}

const scalar = new Map<number, StatementDecoder>([
  [OID.bool, (text) => text === 't'],
  [OID.int2, Number],
  [OID.int4, Number],
  [OID.int8, Number],
  [OID.float4, Number],
  [OID.float8, Number],
  [OID.json, JSON.parse],
  [OID.jsonb, JSON.parse],
  [OID.timestamptz, isoFromPostgres],
  [OID.bytea, (text) => Buffer.from(text.slice(2), 'hex')],
  [OID.text_array, parseTextArray],
])

const prefixes: Readonly<Record<string, Prefix | undefined>> = idMembers

function decoderOf(statement: Statement, name: string, oid: number): StatementDecoder | null {
  if (oid === OID.uuid) {
    const prefix = name === 'id' ? statement.prefix : prefixes[name]
    return prefix ? (text) => toId(prefix, text) : null
  }
  if (oid === OID.uuid_array) {
    const prefix = prefixes[name.replace(/s$/, '')]
    return (text) => parseTextArray(text).map((id) => (prefix ? toId(prefix, id) : id))
  }
  return scalar.get(oid) ?? null
}

export function describeColumns(statement: Statement, fields: readonly { name: string; dataTypeID: number }[]): void {
  const members = fields.map(({ name, dataTypeID }, key) => ({
    name,
    key,
    convert: decoderOf(statement, name, dataTypeID),
  }))
  statement.decodeRow = compileBuilder(members)
}

const quote = (item: unknown): string => `"${String(item).replace(/["\\]/g, '\\$&')}"`

export function toParameter(value: Value): string | Buffer | null {
  if (value === null || typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (Array.isArray(value)) return `{${value.map(quote).join(',')}}`
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
