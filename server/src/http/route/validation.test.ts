// The border between 400 and 422, row by row.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DetailCode } from '@octavo/contract'
import { bodyFailure, compileCheck } from './validation.ts'

const source = {
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [
    { type: 'object', properties: { type: { const: 'text' }, text: { type: 'string' } }, required: ['type', 'text'] },
    {
      type: 'object',
      properties: { type: { const: 'count' }, count: { type: 'integer' } },
      required: ['type', 'count'],
    },
  ],
}
const check = compileCheck({
  type: 'object',
  additionalProperties: false,
  dependentRequired: { first: ['second'] },
  properties: {
    word: { type: 'string', enum: ['red', 'green'] },
    fixed: { type: 'string', const: 'x' },
    text: { type: 'string', minLength: 2, maxLength: 3 },
    list: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2, uniqueItems: true },
    number: { type: 'integer', minimum: 1, maximum: 9 },
    even: { type: 'number', multipleOf: 2 },
    open: { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 9 },
    code: { type: 'string', pattern: '^[a-z]+$' },
    time: { type: 'string', format: 'date-time' },
    map: {
      type: 'object',
      propertyNames: { pattern: '^[a-z]{1,3}$', description: 'A key has one to three small letters.' },
      minProperties: 1,
      maxProperties: 2,
      additionalProperties: { type: 'string' },
    },
    maybe: { type: ['string', 'null'], maxLength: 3 },
    nested: {
      type: 'object',
      properties: { inner: {}, 'a/b~c': { type: 'string' } },
      required: ['inner'],
      unevaluatedProperties: false,
    },
    first: { type: 'string' },
    second: { type: 'string' },
    source,
  },
})

type ValidationRow = [what: string, body: unknown, status: 400 | 422, code: DetailCode, field: string]
const ROWS: ValidationRow[] = [
  ['a missing field', { nested: {} }, 400, 'required', 'nested.inner'],
  ['a field that another one needs', { first: 'a' }, 400, 'required', 'second'],
  ['a wrong type', { text: 5 }, 400, 'invalid_type', 'text'],
  ['a body that is no object', [], 400, 'invalid_type', ''],
  ['a fraction for an integer', { number: 1.5 }, 400, 'invalid_type', 'number'],
  ['null where null is not allowed', { text: null }, 400, 'invalid_type', 'text'],
  ['a wrong type within a list', { list: [1, 'b'] }, 400, 'invalid_type', 'list[1]'],
  ['an unknown field', { typo: 1 }, 400, 'unknown_field', 'typo'],
  ['an unknown field within an object', { nested: { inner: 1, 'x/y': 1 } }, 400, 'unknown_field', 'nested.x/y'],
  ['a missing kind', { source: {} }, 400, 'required', 'source.type'],
  ['a kind that is no text', { source: { type: 5 } }, 400, 'required', 'source.type'],
  ['an unknown kind', { source: { type: 'url' } }, 422, 'not_allowed_value', 'source.type'],
  ['a missing field of a kind', { source: { type: 'count' } }, 400, 'required', 'source.count'],
  ['a wrong type in a kind', { source: { type: 'count', count: 'x' } }, 400, 'invalid_type', 'source.count'],
  ['a word outside the list', { word: 'blue' }, 422, 'not_allowed_value', 'word'],
  ['another value than the one allowed', { fixed: 'y' }, 422, 'not_allowed_value', 'fixed'],
  ['a text that is too short', { text: 'a' }, 422, 'too_short', 'text'],
  ['a text that is too long', { text: 'abcd' }, 422, 'too_long', 'text'],
  ['a text that may be null and is too long', { maybe: 'abcd' }, 422, 'too_long', 'maybe'],
  ['too few items', { list: [] }, 422, 'too_few_items', 'list'],
  ['too many items', { list: [1, 2, 3] }, 422, 'too_many_items', 'list'],
  ['an item twice', { list: [1, 1] }, 422, 'duplicate_items', 'list'],
  ['a number that is too small', { number: 0 }, 422, 'too_small', 'number'],
  ['a number at an open lower bound', { open: 1 }, 422, 'too_small', 'open'],
  ['a number that is too large', { number: 10 }, 422, 'too_large', 'number'],
  ['a number at an open upper bound', { open: 9 }, 422, 'too_large', 'open'],
  ['no multiple', { even: 3 }, 422, 'not_multiple_of', 'even'],
  ['a text without its form', { code: 'A1' }, 422, 'invalid_format', 'code'],
  ['a time that is none', { time: 'yesterday' }, 422, 'invalid_format', 'time'],
  ['a time without a zone', { time: '2026-01-02T03:04:05' }, 422, 'invalid_format', 'time'],
  ['a bad key of a map', { map: { ABC: 'x' } }, 422, 'invalid_format', 'map.ABC'],
  ['an empty map', { map: {} }, 422, 'too_few_items', 'map'],
  ['a map with too many keys', { map: { a: '', b: '', c: '' } }, 422, 'too_many_items', 'map'],
  ['a wrong value in a map', { map: { a: 1 } }, 400, 'invalid_type', 'map.a'],
]

for (const [what, body, status, code, field] of ROWS) {
  test(`${what} returns ${status} with code ${code}`, () => {
    const failure = bodyFailure(check(body) ?? [])
    const seen = failure.details.map((detail) => `${detail.code} ${detail.field}`)

    assert.equal(failure.status, status)
    assert.equal(failure.code, status === 400 ? 'invalid_request' : 'validation_error')
    assert.deepEqual(seen, [`${code} ${field}`])
  })
}

test('one structural error makes the status 400, and errors of both kinds are listed', () => {
  const failure = bodyFailure(check({ text: 'a', number: 'x', typo: 1 }) ?? [])

  assert.equal(failure.status, 400)
  assert.deepEqual(failure.details.map(({ code }) => code).toSorted(), ['invalid_type', 'too_short', 'unknown_field'])
})

test('names a field as a path for people and as a JSON pointer for programs', () => {
  const failure = bodyFailure(check({ nested: { inner: 1, 'a/b~c': 5 } }) ?? [])
  const wrong = failure.details.find(({ code }) => code === 'invalid_type')

  assert.equal(wrong?.field, 'nested.a/b~c')
  assert.equal(wrong?.pointer, '/nested/a~1b~0c')
  assert.equal(wrong?.location, 'body')
})

const SENTENCES: [what: string, body: unknown, message: string][] = [
  ['a kind', { source: { type: 'url' } }, 'Must be one of: text, count.'],
  ['a word', { word: 'blue' }, 'Must be one of: red, green.'],
  ['a constant', { fixed: 'y' }, 'Must be one of: x.'],
  ['a key', { map: { ABC: 'x' } }, 'A key has one to three small letters.'],
  ['a format without a description', { code: 'A1' }, 'Does not have the required format.'],
  ['a form with a name', { time: 'yesterday' }, 'Must be a valid date-time.'],
  ['one item', { list: [] }, 'Must have at least 1 item.'],
  ['several characters', { text: 'a' }, 'Must have at least 2 characters.'],
]
for (const [what, body, message] of SENTENCES) {
  test(`the message about ${what} says which values are allowed`, () => {
    assert.deepEqual(
      bodyFailure(check(body) ?? []).details.map((detail) => detail.message),
      [message],
    )
  })
}

test('no message repeats the input', () => {
  for (const [what, body] of ROWS) {
    for (const { message } of bodyFailure(check(body) ?? []).details) {
      assert.ok(!/blue|ABC|yesterday|abcd|url/.test(message), `${what}: ${message}`)
    }
  }
})

test('lists a hundred errors, and the last entry says that there are more', () => {
  const { details } = bodyFailure(
    check(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`field${i}`, 1]))) ?? [],
  )

  assert.equal(details.length, 101)
  assert.deepEqual(details.at(-1), {
    field: '',
    location: 'body',
    code: 'too_many_errors',
    message: 'More errors are not listed.',
  })
})

test('stops at the first error of a large body', () => {
  assert.equal(check({ a: 1, b: 2 }, 256 * 1024)?.length, 2)
  assert.equal(check({ a: 1, b: 2 }, 256 * 1024 + 1)?.length, 1)
})

test('accepts a valid body', () => {
  assert.equal(
    check({ word: 'red', list: [1, 2], number: 8, map: { a: 'x' }, maybe: null, source: { type: 'text', text: '' } }),
    null,
  )
  assert.equal(check({ text: '😀😀😀', time: '2026-01-02T03:04:05+23:00' }), null)
})
