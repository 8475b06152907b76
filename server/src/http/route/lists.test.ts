import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api, type Endpoint } from '@octavo/contract'
import { newUuid, toId } from '../../lib/ids.ts'
import { parseKeyring, seal } from '../../lib/keyring.ts'
import { type ListRequest, pageOfItems, readFields, readListRequest, wrapList } from './lists.ts'

const keyring = parseKeyring(`1:${'ab'.repeat(32)}`)
const documents = api.documents.list as unknown as Endpoint
const events = api.events.list as unknown as Endpoint
const tenant = newUuid()
const path = '/api/v1/documents'
const ids = Array.from({ length: 6 }, () => newUuid())
const rows = ids.map((id) => ({ id: toId('doc', id) }))

const ask = (query: Record<string, unknown>, endpoint = documents, from = path): ListRequest =>
  readListRequest(endpoint, from, query, tenant, keyring)
const cursorOf = (query: Record<string, unknown>): string =>
  wrapList(rows, ask(query), documents.list!, keyring).cursor!
const invalid = { code: 'invalid_cursor', status: 400 }

test('a list returns the newest twenty items by default', () => {
  assert.deepEqual(
    { ...ask({}), shape: '' },
    { after: null, limit: 20, offset: 0, page: null, is_descending: true, shape: '', tenant },
  )
})

test('a cursor continues after the last row of its page', () => {
  const cursor = cursorOf({ limit: 5 })

  assert.equal(ask({ cursor, limit: 2 }).after, ids[4])
  assert.ok(cursor.length <= 512)
  assert.match(cursor, /^[\w-]+$/)
})

test('returns a cursor exactly if there is a next page', () => {
  assert.equal(wrapList(rows.slice(0, 5), ask({ limit: 5 }), documents.list!, keyring).cursor, null)
  assert.equal(wrapList([], ask({}), documents.list!, keyring).cursor, null)
  const page = wrapList(rows, ask({ limit: 5 }), documents.list!, keyring)
  assert.equal(page.has_next_page, true)
  assert.equal(page.data.length, 5)
})

test('an ascending event list always returns a cursor', () => {
  const request = ask({ sort: 'created_at' }, events, '/api/v1/events')
  const empty = wrapList([], request, events.list!, keyring)
  const page = wrapList([{ id: 'evt_1', position: 7 }], request, events.list!, keyring)

  assert.equal(empty.has_next_page, false)
  assert.equal(ask({ sort: 'created_at', cursor: empty.cursor }, events, '/api/v1/events').after, 0)
  const next = ask({ sort: 'created_at', cursor: page.cursor }, events, '/api/v1/events')
  assert.equal(next.after, 7)
  const again = wrapList([], next, events.list!, keyring)
  assert.equal(ask({ sort: 'created_at', cursor: again.cursor }, events, '/api/v1/events').after, 7)
})

test('a cursor is valid only for its list, filters, sort order and fields', () => {
  const cursor = cursorOf({ limit: 5, status: ['ready', 'failed'] })

  assert.equal(ask({ cursor, status: ['ready', 'failed'], limit: 50 }).after, ids[4])
  assert.throws(() => ask({ cursor }), invalid)
  assert.throws(() => ask({ cursor, status: ['ready'] }), invalid)
  assert.throws(() => ask({ cursor, status: ['ready', 'failed'], external_id: 'x' }), invalid)
  assert.throws(() => ask({ cursor, status: ['ready', 'failed'], sort: 'created_at' }), invalid)
  assert.throws(() => ask({ cursor, status: ['ready', 'failed'], fields: 'title' }), invalid)
  assert.throws(() => ask({ cursor, status: ['ready', 'failed'] }, documents, '/api/v1/projects'), invalid)
})

test("refuses another tenant's cursor", () => {
  const cursor = cursorOf({ limit: 5 })

  assert.throws(() => readListRequest(documents, path, { cursor }, newUuid(), keyring), invalid)
})

test('refuses a forged cursor', () => {
  const cursor = cursorOf({ limit: 5 })
  const bytes = Buffer.from(cursor, 'base64url')
  const foreign = parseKeyring(`1:${'cd'.repeat(32)}`)
  const content = JSON.stringify({ t: tenant, q: ask({}).shape, k: ids[0] })

  for (let i = 0; i < bytes.length; i++) {
    const forged = Buffer.from(bytes)
    forged[i]! ^= 1
    assert.throws(() => ask({ cursor: forged.toString('base64url') }), invalid)
  }
  for (const forged of [
    '',
    'x',
    content,
    Buffer.from(content).toString('base64url'),
    bytes.subarray(0, 30).toString('base64url'),
  ])
    assert.throws(() => ask({ cursor: forged }), invalid)
  assert.throws(() => ask({ cursor: seal(foreign, 'cursor', content).toString('base64url') }), invalid)
  assert.throws(() => ask({ cursor: seal(keyring, 'stored_answer', content).toString('base64url') }), invalid)
})

test('returns a page by number', () => {
  const request = ask({ page: 3, per_page: 10 })

  assert.deepEqual([request.after, request.offset, request.limit], [null, 20, 10])
  assert.deepEqual(wrapList([], request, documents.list!, keyring), {
    data: [],
    page: 3,
    per_page: 10,
    has_next_page: false,
  })
  assert.deepEqual([ask({ page: 2 }).offset, ask({ per_page: 5 }).offset], [20, 0])
  assert.equal(ask({ page: 100, per_page: 100 }).offset, 9_900)
})

test('numbered pages reach ten thousand rows deep and exclude cursors', () => {
  const wrong = { code: 'invalid_parameter', status: 400 }

  assert.throws(() => ask({ page: 101, per_page: 100 }), wrong)
  assert.throws(() => ask({ page: 1, limit: 10 }), wrong)
  assert.throws(() => ask({ per_page: 1, cursor: cursorOf({ limit: 5 }) }), wrong)
})

test('fields selects members of the resource and always includes id and object', () => {
  const known = ['id', 'object', 'title', 'status']

  assert.equal(readFields(undefined, known), null)
  assert.deepEqual([...readFields('title', known)!], ['id', 'object', 'title'])
  for (const fields of ['titel', 'title,', 'title, status', 'title.x', '__proto__'])
    assert.throws(() => readFields(fields, known), { code: 'invalid_parameter' })
})

test('pages through a short list in both orders', () => {
  const items = [{ id: 'b' }, { id: 'a' }, { id: 'c' }]
  const page = { after: null, limit: 1, offset: 1 }

  assert.deepEqual(pageOfItems(items, { ...page, is_descending: false }), [{ id: 'b' }, { id: 'c' }])
  assert.deepEqual(pageOfItems(items, { ...page, is_descending: true }), [{ id: 'b' }, { id: 'a' }])
  const next = { after: 'b', limit: 1, offset: 0 }
  assert.deepEqual(pageOfItems(items, { ...next, is_descending: false }), [{ id: 'c' }])
  assert.deepEqual(pageOfItems(items, { ...next, is_descending: true }), [{ id: 'a' }])
})
