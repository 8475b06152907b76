import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toId } from '../lib/ids.ts'
import { columnsOf, expression, insertInto, type NewRow, type RowOf, updateRows } from './tables.ts'

const ID = 'a1b2c3d4-0000-7000-8000-000000000000'
const now = new Date()

test('an insert binds the tenant first and each value by its column type', () => {
  const [statement, values] = insertInto(
    'files',
    {
      id: ID,
      kind: 'original',
      object_id: ID,
      file_name: 'a.pdf',
      media_type: 'application/pdf',
      size_bytes: 1,
      document_id: toId('doc', ID),
      metadata: { a: 'b' },
      created_at: now,
      updated_at: expression('$::timestamptz + $::interval', now, '1 day'),
    },
    { tail: 'returning id' },
  )

  assert.equal(
    statement.text,
    'insert into files (tenant_id, id, kind, object_id, file_name, media_type, size_bytes, document_id, metadata, created_at, updated_at) values ($1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::timestamptz + $13::interval) returning id',
  )
  assert.equal(values.length, 11)
  assert.deepEqual(values.slice(6), [ID, '{"a":"b"}', now, now, '1 day'])
})

test('an update binds its values after those of its condition', () => {
  const [statement, values] = updateRows(
    'documents',
    { title: 'Lease', warnings: ['a'] },
    { where: 'tenant_id = $1 and id = $3', values: [ID], returning: 'id' },
  )

  assert.equal(
    statement.text,
    'update documents set title = $4, warnings = $5, version = version + 1, updated_at = greatest(now(), created_at) where tenant_id = $1 and id = $3 returning id',
  )
  assert.deepEqual(values, [ID, 'Lease', '["a"]'])
})

test('refuses an unknown column even if the compiler accepts it', () => {
  const given = { title: 'Lease', shelf: 'A' }

  assert.throws(() => updateRows('documents', given, { where: 'true', values: [] }), /no column 'shelf' in 'documents'/)
})

test('lists all columns except the tenant and those left out', () => {
  assert.equal(columnsOf('chunk_configs'), 'config')
  assert.equal(columnsOf('job_steps', ['output', 'created_at'], 'j.'), 'j.job_id, j.name')
})

// The compiler is the test: each line that must not compile says so.
interface TableShownRow {
  object: 'tenant'
  name: string
  tier: 'free' | 'paid'
  suspended_at: string | null
}
const passes = (row: RowOf<'tenants', TableShownRow>): TableShownRow => row
// @ts-expect-error: the table has no column `shelf`, so its rows do not pass for this answer.
const lacks = (row: RowOf<'tenants', TableShownRow & { shelf: string }>): TableShownRow & { shelf: string } => row
// @ts-expect-error: the column may be null, and the answer may not.
const nulls = (row: RowOf<'tenants', { suspended_at: string }>): { suspended_at: string } => row
// @ts-expect-error: the column is a text, the answer a number.
const types = (row: RowOf<'tenants', { name: number }>): { name: number } => row
// @ts-expect-error: `document_id` is not null and has no default, so an insert cannot leave it out.
const missing: NewRow<'embedding_gaps'> = { space_id: ID }
// @ts-expect-error: there is no such column.
const renamed: NewRow<'embedding_gaps'> = { space_id: ID, document_id: ID, is_outdated: true }

test('type errors are caught at compile time', () => {
  assert.ok([passes, lacks, nulls, types, missing, renamed])
})
