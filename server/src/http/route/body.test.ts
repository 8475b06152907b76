import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api, type Endpoint } from '@octavo/contract'
import { compileBody } from './body.ts'
import { parseJson } from './json.ts'

const parse = (text: string): unknown => parseJson(Buffer.from(text))
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

const BROKEN: [what: string, bytes: Buffer][] = [
  ['no JSON', Buffer.from('{"a":')],
  ['two values', Buffer.from('{} {}')],
  ['a trailing comma', Buffer.from('{"a":1,}')],
  ['NaN', Buffer.from('{"a":NaN}')],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
  ['33 levels', Buffer.from(nested(33))],
  ['100,000 levels', Buffer.from(nested(100_000))],
  ['100,000 levels and an escape', Buffer.from(`{"\\u0061":${nested(100_000)}}`)],
  ['a key __proto__', Buffer.from('{"a":{"__proto__":{"is_admin":true}}}')],
  ['an escaped key __proto__', Buffer.from('{"\\u005f_proto__":1}')],
  ['a constructor with a prototype', Buffer.from('{"constructor":{"prototype":{}}}')],
]
for (const [what, bytes] of BROKEN) {
  test(`refuses a body with ${what}`, () =>
    assert.throws(() => parseJson(bytes), { code: 'invalid_json', status: 400 }))
}

test('accepts unusual but valid JSON', () => {
  assert.deepEqual(parse(' {"a":1,"a":2}\n'), { a: 2 })
  assert.deepEqual(parse('{"constructor":"x","prototype":"y"}'), { constructor: 'x', prototype: 'y' })
  assert.deepEqual(parse('"\\ud83d\\ude00 😀"'), '😀 😀')
  assert.deepEqual(parse('{"proto":"\\\\u0000"}'), { proto: '\\u0000' })
  assert.ok(Array.isArray(parse(nested(32))))
})

const UNSTORABLE: [body: string, field: string][] = [
  ['{"title":"a\\u0000b"}', 'title'],
  ['{"a":[{"b":"\\ud83d"}]}', 'a[0].b'],
  ['{"metadata":{"a\\u0000":"x"}}', 'metadata'],
  ['{"a":"\\udE00x"}', 'a'],
]
for (const [body, field] of UNSTORABLE) {
  test(`refuses text that cannot be stored in ${body}`, () => {
    assert.throws(
      () => parse(body),
      (failure: { code: string; details: { field: string }[] }) => {
        assert.equal(failure.code, 'validation_error')
        assert.equal(failure.details[0]?.field, field)
        return true
      },
    )
  })
}

const read = (endpoint: unknown, body: unknown): { value: unknown; fixed: unknown } =>
  compileBody(endpoint as Endpoint)(body === undefined ? undefined : Buffer.from(JSON.stringify(body)))

test('accepts a response as a request: drops read-only fields and separates creation-only fields', () => {
  const sent = {
    id: 'doc_1',
    object: 5,
    created_at: null,
    status: 'failed',
    title: 'Lease',
    project_id: null,
    source: { type: 'text' },
  }

  assert.deepEqual(read(api.documents.replace, sent), {
    value: { title: 'Lease' },
    fixed: { project_id: null, source: { type: 'text' } },
  })
  assert.throws(() => read(api.documents.replace, { ...sent, tilte: 'x' }), { code: 'invalid_request' })
})

test('requires a body unless the endpoint makes it optional', () => {
  assert.throws(() => read(api.documents.create, undefined), { code: 'invalid_json' })
  assert.deepEqual(read(api.api_keys.rotate, undefined), { value: {}, fixed: {} })
  for (const body of [[], 'x', 5, null, true])
    assert.throws(() => read(api.documents.create, body), { code: 'invalid_request' })
})
