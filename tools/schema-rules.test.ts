import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Endpoint, operations } from '../contract/src/index.ts'
import { describe } from '../contract/src/openapi.ts'
import { checkDescription, checkOperation, endpointRules, schemaRules } from './schema-rules.ts'

const text = { type: 'string', maxLength: 10 }
const closed = (properties: object, rest: object = {}) => ({
  type: 'object',
  title: 'NewThing',
  properties,
  additionalProperties: false,
  ...rest,
})
const open = (properties: object) => ({ type: 'object', title: 'Thing', properties })
const branch = (title: string, type: string) => closed({ type: { type: 'string', const: type } }, { title })
const union = { type: 'object', discriminator: { propertyName: 'type' }, oneOf: [branch('A', 'a'), branch('B', 'b')] }

function thing(changes: object): Endpoint {
  const sound = {
    method: 'POST',
    path: '/things/{thing_id}/parts',
    scope: 'documents:write',
    summary: 'Create a thing',
    query: closed({ sort: { type: 'string', enum: ['a'] } }),
    body: closed({ name: text, kind: union, tags: { type: 'object', maxProperties: 2, additionalProperties: text } }),
    status: 201,
    answer: open({
      name: { type: ['string', 'null'] },
      owner: { anyOf: [open({ id: text }), { type: 'null' }] },
      data: { type: 'object' },
    }),
    example: {},
  }
  return { ...sound, ...changes } as unknown as Endpoint
}
const asking = (member: object) => thing({ body: closed({ member }) })
const answering = (member: unknown) => thing({ answer: open({ member }) })

const planted: Record<string, Endpoint[]> = {
  combined_request_schema: [
    asking({ anyOf: [open({}), { type: 'null' }] }),
    asking({ oneOf: union.oneOf }),
    asking({ ...text, not: { type: 'string' } }),
    asking({ ...text, if: {} }),
    asking({ allOf: [text] }),
  ],
  nullable_keyword: [answering({ type: 'string', nullable: true })],
  open_request_object: [
    asking({ type: 'object', title: 'Part', properties: {} }),
    asking({ type: ['object', 'null'] }),
  ],
  unbounded_string: [
    asking({ type: 'string' }),
    asking({ type: ['string', 'null'] }),
    thing({ query: closed({ q: { type: 'string' } }) }),
  ],
  unbounded_array: [asking({ type: 'array', items: text })],
  unbounded_map: [asking({ type: 'object', additionalProperties: text })],
  unbounded_integer: [asking({ type: 'integer' }), asking({ type: 'integer', maximum: 2 ** 53 })],
  closed_answer_object: [answering(closed({}))],
  member_not_snake_case: [thing({ answer: open({ pageCount: text }) }), thing({ query: closed({ 'per-page': text }) })],
  bad_title: [answering({ type: 'string', title: 'a thing' })],
  unnamed_object: [answering({ type: 'object', properties: { id: text } })],
  unnamed_enum: [asking({ type: 'array', maxItems: 1, items: { type: 'string', enum: ['a'] } })],
  boolean_schema: [
    answering(true),
    answering({ type: 'array', items: false }),
    answering({ type: 'object', additionalProperties: true }),
  ],
  type_list: [answering({ type: ['string', 'integer'] }), answering({ type: ['null'] })],
  const_without_type: [answering({ const: 'a' }), answering({ enum: ['a'], title: 'Letter' })],
  nullable_enum: [answering({ type: ['string', 'null'], title: 'Letter', enum: ['a', null] })],
  any_of_without_reference: [
    answering({ anyOf: [text, { type: 'null' }] }),
    answering({ anyOf: [open({}), open({})] }),
  ],
  one_of_without_discriminator: [
    answering({ oneOf: union.oneOf }),
    answering({ ...union, oneOf: [open({ type: text })] }),
  ],
  mapped_discriminator: [answering({ ...union, discriminator: { propertyName: 'type', mapping: {} } })],
  tuple: [answering({ type: 'array', prefixItems: [text] }), answering({ type: 'array', items: [text] })],
  nested_too_deep: [thing({ path: '/things/{thing_id}/parts/{part_id}/screws' })],
  path_not_kebab_case: [thing({ path: '/bigThings' }), thing({ path: '/big_things' })],
  param_not_snake_case: [thing({ path: '/things/{thingId}' })],
  unknown_scope: [thing({ scope: 'things:write' })],
  write_without_scope: [thing({ scope: null })],
  wrong_success_status: [thing({ status: 202 }), thing({ answer: null }), thing({ method: 'DELETE', body: null })],
  misplaced_body: [thing({ body: null }), thing({ method: 'GET', status: 200 })],
  missing_example: [thing({ example: null })],
  missing_summary: [thing({ summary: '' })],
}

test('a valid endpoint breaks no rule', () => {
  assert.deepEqual(checkOperation('things.create', thing({})), [])
})

for (const rule of [...Object.keys(schemaRules), ...Object.keys(endpointRules)]) {
  test(`${rule} is reported`, () => {
    const plants = planted[rule] ?? []

    assert.ok(plants.length > 0)
    for (const endpoint of plants) {
      const found = checkOperation('things.create', endpoint).map((violation) => violation.rule)
      assert.ok(found.includes(rule), `${JSON.stringify(endpoint)} gave ${found.join(', ') || 'nothing'}`)
    }
  })
}

test('reports an operation without security or a default response', () => {
  const description = structuredClone(describe({ version: '0.0.0' }))
  const [path = '', members] = Object.entries(description.paths)[0] ?? []
  assert.ok(members?.get)
  members.get.security = []
  delete members.get.responses.default

  assert.deepEqual(checkDescription(description), [
    { rule: 'no_security', where: `GET ${path}` },
    { rule: 'no_default_response', where: `GET ${path}` },
  ])
})

test('the contract breaks no rule', () => {
  assert.ok(operations.length > 0)
  assert.deepEqual(
    operations.flatMap(({ name, endpoint }) => checkOperation(name, endpoint)),
    [],
  )
  assert.deepEqual(checkDescription(describe({ version: '0.0.0' })), [])
})
