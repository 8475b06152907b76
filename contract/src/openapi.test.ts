import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations, scopes } from './index.ts'
import { type DescribedOperation, describe } from './openapi.ts'
import { parameters } from './openapi-fixed.ts'
import { schemaPrinter } from './openapi-schemas.ts'

const description = describe({ version: '1.2.3', server_url: 'https://octavo.example.com' })

function operation(id: string): DescribedOperation {
  const found = Object.values(description.paths)
    .flatMap((members) => Object.values(members))
    .find(({ operationId }) => operationId === id)
  assert.ok(found, id)
  return found
}

test('describes every operation of the contract once, and nothing else', () => {
  const described = Object.values(description.paths).flatMap((members) =>
    Object.values(members).map(({ operationId }) => operationId),
  )

  assert.deepEqual(described.toSorted(), operations.map(({ name }) => name.replace('.', '_')).toSorted())
})

test('each operation names its scope', () => {
  assert.deepEqual(operation('documents_create').security, [{ bearer: ['documents:write'] }])
  assert.deepEqual(operation('capabilities_get').security, [{ bearer: [] }])
})

test('the scope that lets users change themselves says so, because the consent page shows its words', () => {
  assert.deepEqual(operation('users_remove').security?.at(-1), { bearer: ['authorizations:manage'] })
  assert.match(scopes['authorizations:manage'], /change your name and leave the tenant/)
})

test('each operation lists exactly the statuses it can return', () => {
  const statuses = (id: string) => Object.keys(operation(id).responses).join(' ')

  assert.equal(statuses('documents_list'), '200 304 400 401 403 406 414 429 431 500 503 default')
  assert.equal(statuses('files_contents'), '200 206 304 400 401 403 404 406 414 416 429 431 500 503 default')
  assert.equal(statuses('documents_create'), '200 201 400 401 403 406 409 413 414 415 422 429 431 500 503 default')
  assert.equal(statuses('documents_get'), '200 304 400 401 403 404 406 414 429 431 500 503 default')
  assert.equal(statuses('documents_remove'), '204 400 401 403 404 406 412 413 414 415 429 431 500 503 default')
  assert.equal(statuses('capabilities_get'), '200 304 400 401 406 414 429 431 500 503 default')
})

test('headers whose invalid values are ignored have no limit below that of all headers', () => {
  const { Prefer, Range } = parameters

  assert.equal(Prefer.schema.maxLength, 16_384)
  assert.equal(Range.schema.maxLength, 16_384)
})

test('hoists a titled schema once, without internal keywords', () => {
  const printer = schemaPrinter()
  const size = { title: 'Size', type: 'string', 'x-extensible-enum': ['s', 'm'], 'x-comma-list': true }

  const printed = printer.print({
    type: 'object',
    properties: { title: { type: 'string' }, sizes: { type: 'array', items: size }, size },
  })

  const reference = { $ref: '#/components/schemas/Size' }
  assert.deepEqual(printed, {
    type: 'object',
    properties: { title: { type: 'string' }, sizes: { type: 'array', items: reference }, size: reference },
  })
  assert.deepEqual(printer.components(), { Size: { type: 'string', 'x-extensible-enum': ['s', 'm'] } })
})

test('rejects two schemas with the same title', () => {
  const printer = schemaPrinter()
  printer.print({ title: 'Size', type: 'string' })

  assert.throws(() => printer.print({ title: 'Size', type: 'integer' }), /'Size'/)
})

test('a union maps each discriminator value to its branch', () => {
  const { NewDocumentSource } = description.components.schemas

  assert.deepEqual(NewDocumentSource?.discriminator, {
    propertyName: 'type',
    mapping: {
      text: '#/components/schemas/TextSource',
      pages: '#/components/schemas/PagesSource',
      base64: '#/components/schemas/Base64Source',
      upload: '#/components/schemas/UploadSource',
      url: '#/components/schemas/UrlSource',
      file: '#/components/schemas/FileSource',
    },
  })
})

test('an operation for files takes only a form, with the bytes as binary', () => {
  const { requestBody } = operation('files_create')

  assert.deepEqual(requestBody, {
    required: true,
    content: { 'multipart/form-data': { schema: { $ref: '#/components/schemas/FileForm' } } },
  })
  const { FileForm } = description.components.schemas
  assert.match(JSON.stringify(FileForm), /"file":\{"type":"string","format":"binary"/)
})

test('describes a comma-separated list as an array in one parameter', () => {
  const parameters = operation('documents_list').parameters as {
    name?: string
    style?: string
    explode?: boolean
    schema?: unknown
  }[]
  const { style, explode, schema } = parameters.find(({ name }) => name === 'status') ?? {}

  const items = { type: 'string', enum: ['processing', 'ready', 'partially_ready', 'failed'] }
  assert.deepEqual(
    { style, explode, schema },
    { style: 'form', explode: false, schema: { type: 'array', minItems: 1, items } },
  )
})

test('examples contain ids, not placeholders', () => {
  assert.doesNotMatch(JSON.stringify(operation('documents_create').requestBody), /\{project_id\}/)
})

const referencesOf = (id: string) =>
  ((operation(id).parameters as { $ref?: string }[]) ?? []).flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? [])
const headersOf = (id: string, status: number) =>
  Object.keys((operation(id).responses[status]?.headers as object | undefined) ?? {})

test('an operation whose result may be unfinished documents waiting and Retry-After', () => {
  assert.ok(referencesOf('documents_create').includes('Prefer'))
  assert.ok(referencesOf('jobs_get').includes('Prefer'))
  assert.ok(!referencesOf('projects_create').includes('Prefer'))
  assert.ok(headersOf('documents_create', 201).includes('Preference-Applied'))
  assert.ok(!headersOf('documents_create', 201).includes('Retry-After'))
  assert.ok(headersOf('jobs_get', 200).includes('Preference-Applied'))
  assert.ok(headersOf('jobs_get', 200).includes('Retry-After'))
  assert.ok(!headersOf('projects_get', 200).includes('Retry-After'))
})

test('a stream is a second media type of the same list', () => {
  const { content } = operation('job_events_list').responses[200] as { content: object }

  assert.deepEqual(Object.keys(content), ['application/json', 'text/event-stream'])
  assert.ok(referencesOf('job_events_list').includes('LastEventId'))
  assert.ok(!referencesOf('events_list').includes('LastEventId'))
})

test('an operation lists the events it writes and those it may also write', () => {
  assert.match(
    String(operation('jobs_update').description),
    /Writes the event `job\.updated`\. May also write .*`job\.cancelled`, `job\.queued`/,
  )
  assert.match(
    String(operation('documents_remove').description),
    /Writes the events `document\.deleted`, `job\.queued`\./,
  )
})

test('describes form requests and binary responses', () => {
  const { requestBody } = operation('documents_create') as unknown as { requestBody: { content: object } }
  const { content } = operation('files_contents').responses[200] as { content: object }

  assert.deepEqual(Object.keys(requestBody.content), ['application/json', 'multipart/form-data'])
  assert.deepEqual(Object.keys(content), ['application/json', '*/*'])
})

test('every operation has a description', () => {
  const { paths } = describe({ version: '1.0.0' })
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !operation.description || !operation.summary)
      .map(([method]) => `${method} ${path}`),
  )

  assert.deepEqual(found, [])
})
