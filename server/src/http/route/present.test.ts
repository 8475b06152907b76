import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api, Document } from '@octavo/contract'
import { compilePresenter, itemOf, membersOf } from './present.ts'

const row = {
  id: 'doc_1',
  object: 'document',
  title: 'Lease',
  source: { type: 'text', secret_path: '/srv/x' },
  error: null,
  metadata: { any: 'thing' },
  warnings: [],
  tenant_id: 'ten_1',
  version: 3,
}

test('returns only declared fields, on every level', () => {
  const present = compilePresenter(Document)

  // As JSON, which omits the members that the row does not have.
  assert.deepEqual(JSON.parse(JSON.stringify(present(row, null))), {
    id: 'doc_1',
    object: 'document',
    title: 'Lease',
    source: { type: 'text' },
    error: null,
    metadata: { any: 'thing' },
    warnings: [],
  })
  assert.deepEqual(
    present({ ...row, source: null, error: { code: 'x', message: 'y', stack: 'z' } }, new Set(['source', 'error'])),
    {
      source: null,
      error: { code: 'x', message: 'y' },
    },
  )
})

test('returns only the selected fields', () => {
  assert.deepEqual(compilePresenter(Document)(row, new Set(['id', 'title', 'version'])), {
    id: 'doc_1',
    title: 'Lease',
  })
})

test('list items have the fields of the resource', () => {
  assert.deepEqual(membersOf(itemOf(api.documents.list.answer)), membersOf(Document))
})
