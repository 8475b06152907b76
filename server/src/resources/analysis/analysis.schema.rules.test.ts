import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSchemaProblem } from './analysis.schema.rules.ts'
import { answerSchema, compileSchema, type Schema } from './analysis.shaping.rules.ts'

const of = (properties: Schema, more: Schema = {}): Schema => ({ type: 'object', properties, ...more })
const nested = (depth: number): Schema => (depth === 0 ? { type: 'string' } : of({ a: nested(depth - 1) }))
/** Where each definition names the next one twice: walking every path would never end. */
const doubling = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [
    `d${i}`,
    { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
  ]),
)

test('accepts schemas as people and tools write them', () => {
  const good: Schema[] = [
    of(
      { total: { type: 'number', minimum: 0 }, currency: { enum: ['EUR', 'USD', null] } },
      { required: ['total'], additionalProperties: false },
    ),
    of(
      { when: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }], default: null, title: 'When' } },
      { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'https://example.com/a', title: 'Thing' },
    ),
    of(
      { items: { type: 'array', items: { $ref: '#/$defs/item' } } },
      { $defs: { item: of({ pattern: { type: 'string' }, $ref: { type: 'string' } }) } },
    ),
    of({ by_name: { type: 'object', additionalProperties: { type: 'number' } } }),
    nested(10),
    of({ a: { $ref: '#/$defs/d0' } }, { $defs: { ...doubling, d60: { type: 'string' } } }),
  ]

  for (const schema of good) assert.equal(findSchemaProblem(schema), null, JSON.stringify(schema).slice(0, 200))
})

test('refuses other schemas with the place and the reason', () => {
  const bad: [Schema, string, string][] = [
    [{ type: 'array', items: {} }, 'type', 'not_allowed_value'],
    [{ type: ['object', 'null'], properties: { a: {} } }, 'type', 'not_allowed_value'],
    [{ type: 'object' }, 'properties', 'required'],
    [of({}), 'properties', 'required'],
    [of({ a: { type: 'text' } }), 'properties.a.type', 'not_allowed_value'],
    [of({ a: true }), 'properties.a', 'invalid_type'],
    [of({ a: { type: 'string', pattern: '^a' } }), 'properties.a.pattern', 'not_allowed_value'],
    [of({ a: { type: 'object', patternProperties: {} } }), 'properties.a.patternProperties', 'not_allowed_value'],
    [of({ a: { type: 'string', format: 'regex' } }), 'properties.a.format', 'not_allowed_value'],
    [of({ a: { $ref: 'https://example.com/schema.json' } }), 'properties.a.$ref', 'reference_not_found'],
    [of({ a: { $ref: '#/$defs/none' } }), 'properties.a.$ref', 'reference_not_found'],
    [of({ a: { $ref: '#' } }), 'properties.a.$ref', 'reference_not_found'],
    [of({ a: { $ref: '#/$defs/toString' } }, { $defs: {} }), 'properties.a.$ref', 'reference_not_found'],
    [
      of({ a: { $ref: '#/$defs/b' } }, { $defs: { b: of({ c: { $ref: '#/$defs/b' } }) } }),
      '$defs.b.properties.c.$ref',
      'inconsistent',
    ],
    [of({ a: { enum: [] } }), 'properties.a.enum', 'not_allowed_value'],
    [of({ a: { enum: [{}] } }), 'properties.a.enum', 'not_allowed_value'],
    [of({ a: { minLength: -1 } }), 'properties.a.minLength', 'not_allowed_value'],
    [of({ a: { not: {} } }), 'properties.a.not', 'not_allowed_value'],
    [of({ a: { constructor: {} } }), 'properties.a.constructor', 'not_allowed_value'],
    [of({ a: { anyOf: [] } }), 'properties.a.anyOf', 'not_allowed_value'],
    [nested(11), '', 'too_large'],
    [of({ a: { $ref: '#/$defs/b' } }, { $defs: { b: nested(10) } }), '', 'too_large'],
    [of(Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`p${i}`, {}]))), '', 'too_many_items'],
    [of({ a: { description: 'x'.repeat(64 * 1024) } }), '', 'too_long'],
    [of({ a: { type: 'string' } }, { required: ['a', 'a'] }), '', 'invalid_format'],
  ]

  for (const [schema, place, code] of bad) {
    const problem = findSchemaProblem(schema)
    assert.deepEqual([problem?.path.join('.'), problem?.code], [place, code], JSON.stringify(schema).slice(0, 200))
    assert.ok(problem!.message.endsWith('.'))
  }
})

test('a part of a document may lack values that the whole requires', () => {
  const schema = of(
    { items: { type: 'array', minItems: 1, items: of({ name: { type: 'string' } }, { required: ['name'] }) } },
    { required: ['items'] },
  )

  const [whole, part] = [answerSchema(schema, false), answerSchema(schema, true)].map((one) =>
    compileSchema(one.schema),
  )

  for (const data of [{}, { items: [] }, { items: [{}] }]) {
    assert.notEqual(whole!.problemOf({ data, evidence: [] }), null)
    assert.equal(part!.problemOf({ data, evidence: [] }), null)
  }
  assert.notEqual(part!.problemOf({ data: { items: 'none' }, evidence: [] }), null)
})

test('property names are not treated as keywords', () => {
  const { schema } = answerSchema(
    of({ required: { type: 'string' }, default: { type: 'number' }, examples: { type: 'string' } }),
    true,
  )

  const { data } = schema.properties as { data: { properties: object } }
  assert.deepEqual(Object.keys(data.properties), ['required', 'default', 'examples'])
})

test('reports a value in the wrong format without refusing it', () => {
  const validator = compileSchema(
    of({ when: { type: 'string', format: 'date' }, to: { type: 'string', format: 'email' } }),
  )

  assert.equal(validator.problemOf({ when: 'tomorrow', to: 'a@example.com' }), null)
  assert.deepEqual([...validator.misformed({ when: 'tomorrow', to: 'a@example.com' })], ['/when'])
})
