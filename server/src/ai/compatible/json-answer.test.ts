import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJsonAnswer } from './json-answer.ts'

const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false }
const valid = { is_valid: true, value: { a: 1 } }

test('strips text around JSON', () => {
  for (const text of [
    '{"a":1}',
    ' \n{"a":1}\n',
    '```json\n{"a":1}\n```',
    '```\n{"a":1}\n```',
    '``` {"a":1} ```',
    'Here it is:\n```json\n{"a":1}\n```\nAnything else?',
    'Sure! {"a":1} I hope that {helps}'.replace('{helps}', 'helps'),
    '<think>{"a":2} or so</think>\n{"a":1}',
    '```json\n{"a":1}',
  ])
    assert.deepEqual(readJsonAnswer(text, schema), valid, text)
})

test('does not guess at malformed JSON', () => {
  for (const text of ['', 'I do not know.', '{"a":1', "{'a':1}", '{"a":1,}', '{a:1}', '}{', ']['])
    assert.deepEqual(readJsonAnswer(text, schema), { is_valid: false, reason: 'it is not JSON' }, text)
})

test('names the place where JSON does not match the schema', () => {
  assert.deepEqual(readJsonAnswer('{"a":"1"}', schema), { is_valid: false, reason: '/a must be integer' })
  assert.deepEqual(readJsonAnswer('[]', schema), { is_valid: false, reason: 'the value must be object' })
})

test('accepts a schema that names its dialect or refers to its own definitions', () => {
  const own = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: { count: { type: 'integer' } },
    type: 'object',
    properties: { a: { $ref: '#/$defs/count' } },
  }

  assert.deepEqual(readJsonAnswer('{"a":1}', own), valid)
  assert.equal(readJsonAnswer('{"a":"1"}', own).is_valid, false)
})

test('hostile texts are parsed in bounded time', () => {
  const started = performance.now()

  for (const piece of ['```', '{', ' ', '<think>', '}', '``` \n'])
    assert.equal(readJsonAnswer(piece.repeat(2_000_000 / piece.length), schema).is_valid, false)

  assert.ok(performance.now() - started < 2_000)
})
