// The contract as an OpenAPI 3.1 description.

import { type Endpoint, ErrorResponse, operations } from './index.ts'
import { type ExamplePrinter, exampleId, examplePrinter, fillIn, isIdMember } from './openapi-examples.ts'
import { failureName, failuresOf, printFailure, takesIfMatch } from './openapi-failures.ts'
import { about, headers, parameters, securitySchemes } from './openapi-fixed.ts'
import { type Json, type SchemaPrinter, schemaPrinter } from './openapi-schemas.ts'

export interface DescribedOperation extends Json {
  operationId: string
  summary: string
  security: Record<string, string[]>[]
  responses: Record<string, Json>
}
export interface Description {
  openapi: string
  info: Json
  servers: Json[]
  tags: Json[]
  paths: Record<string, Record<string, DescribedOperation>>
  components: Record<
    'schemas' | 'examples' | 'responses' | 'parameters' | 'headers' | 'securitySchemes',
    Record<string, Json>
  >
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', maxLength: 64, ...(isIdMember(name) ? { examples: [exampleId(name)] } : {}) },
  }))
}

function queryParameter(name: string, member: Json, isRequired: boolean): Json {
  const { description, 'x-comma-list': isCommaList, ...schema } = member
  const words = isCommaList
    ? ['Comma-separated list; matches any of the values.', description].filter(Boolean).join(' ')
    : description
  return {
    name,
    in: 'query',
    ...(words === undefined ? {} : { description: words }),
    ...(isRequired ? { required: true } : {}),
    ...(isCommaList ? { style: 'form', explode: false } : {}),
    ...(schema.type === 'object' ? { style: 'deepObject', explode: true } : {}),
    schema: isCommaList ? { type: 'array', minItems: 1, items: schema } : schema,
  }
}

function queryParameters(endpoint: Endpoint, printer: SchemaPrinter): Json[] {
  const { properties = {}, required = [] } = (endpoint.query ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, member]) => {
    const parameter = queryParameter(name, member, required.includes(name))
    return { ...parameter, schema: printer.print(parameter.schema) }
  })
}

const parameterReference = (name: keyof typeof parameters): Json => ({ $ref: `#/components/parameters/${name}` })

function headerParameters(endpoint: Endpoint): Json[] {
  return [
    ...(endpoint.method === 'GET' ? [parameterReference('IfNoneMatch')] : []),
    ...(endpoint.method === 'POST' ? [parameterReference('IdempotencyKey')] : []),
    ...(takesIfMatch(endpoint) ? [parameterReference('IfMatch')] : []),
    ...(endpoint.waits ? [parameterReference('Prefer')] : []),
    ...(endpoint.is_stream ? [parameterReference('LastEventId')] : []),
    ...(endpoint.is_bytes ? [parameterReference('Range')] : []),
  ]
}

function jsonContent(endpoint: Endpoint, printer: SchemaPrinter): Json {
  const media = {
    schema: printer.print(endpoint.body),
    ...(endpoint.example ? { example: fillIn(endpoint.example) } : {}),
  }
  return {
    'application/json': media,
    ...(endpoint.method === 'PATCH' ? { 'application/merge-patch+json': media } : {}),
  }
}

function requestBody(endpoint: Endpoint, printer: SchemaPrinter): Json {
  if (!endpoint.body) return {}
  const content = {
    ...(endpoint.is_form_only ? {} : jsonContent(endpoint, printer)),
    ...(endpoint.form ? { 'multipart/form-data': { schema: printer.print(endpoint.form) } } : {}),
  }
  return { requestBody: { required: !endpoint.is_body_optional, content } }
}

const textTypes = ['text/markdown', 'text/plain'] as const

const statusWords: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  204: 'Done; no body',
  206: 'Part of the bytes',
  304: 'Not modified',
}

const headersOf = (names: readonly (keyof typeof headers)[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

interface Printers {
  printer: SchemaPrinter
  examples: ExamplePrinter
}

function contentOf(endpoint: Endpoint, { printer, examples }: Printers, others: Json): Json {
  if (endpoint.is_text) return Object.fromEntries(textTypes.map((type) => [type, { schema: { type: 'string' } }]))
  return {
    'application/json': { schema: printer.print(endpoint.answer), ...examples.print(endpoint.answer) },
    ...others,
  }
}

function successes(endpoint: Endpoint, printers: Printers): Record<string, Json> {
  const common = ['Request-Id', 'RateLimit', 'RateLimit-Policy'] as const
  const answered = endpoint.answer ? (['ETag'] as const) : []
  const created = endpoint.status === 201 ? (['Location', 'Idempotent-Replayed'] as const) : []
  const listed = endpoint.list ? (['Link'] as const) : []
  const succeeded = endpoint.successor ? (['Deprecation', 'Link'] as const) : []
  const waited = endpoint.waits
    ? (['Preference-Applied', ...(endpoint.method === 'GET' ? (['Retry-After'] as const) : [])] as const)
    : []
  const stream = endpoint.is_stream ? { 'text/event-stream': { schema: { type: 'string' } } } : {}
  // Stored bytes can have any media type.
  const bytes = endpoint.is_bytes
    ? { '*/*': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } }
    : {}
  const success = {
    description: statusWords[endpoint.status] ?? 'Success',
    headers: headersOf([...created, ...answered, ...listed, ...succeeded, ...waited, ...common]),
    ...(endpoint.answer ? { content: contentOf(endpoint, printers, { ...stream, ...bytes }) } : {}),
  }
  const unchanged = { description: statusWords[304], headers: headersOf(['ETag', ...common]) }
  const there = {
    ...success,
    description: 'The document already exists',
    headers: headersOf(['Idempotent-Replayed', ...answered, ...waited, ...common]),
  }
  const part = {
    description: statusWords[206],
    headers: headersOf(['ETag', 'Content-Range', ...common]),
    content: bytes,
  }
  return {
    [endpoint.status]: success,
    ...(endpoint.unchanged_status === endpoint.status ? {} : { [endpoint.unchanged_status]: there }),
    ...(endpoint.is_bytes ? { 206: part } : {}),
    ...(endpoint.method === 'GET' ? { 304: unchanged } : {}),
  }
}

function failures(endpoint: Endpoint, responses: Map<string, Json>, schema: Json): Record<string, Json> {
  const printed: Record<string, Json> = {}
  for (const [status, codes] of failuresOf(endpoint)) {
    responses.set(failureName(codes), printFailure(codes, schema))
    printed[status] = { $ref: `#/components/responses/${failureName(codes)}` }
  }
  return { ...printed, default: { $ref: '#/components/responses/Failure' } }
}

const quoted = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ')

function descriptionOf(endpoint: Endpoint): { description: string } {
  const sentences = [
    endpoint.description,
    endpoint.fixed.length > 0 ? `Can be set only at creation: ${quoted(endpoint.fixed)}.` : '',
    endpoint.may_need.length > 0
      ? `Depending on the body, you may need more scopes: ${quoted(endpoint.may_need)}.`
      : '',
    endpoint.events.length > 0
      ? `Writes the ${endpoint.events.length > 1 ? 'events' : 'event'} ${quoted(endpoint.events)}.`
      : '',
    endpoint.may_record.length > 0 ? `May also write ${quoted(endpoint.may_record)}.` : '',
  ].filter((sentence) => sentence !== '')
  return { description: (sentences.length > 0 ? sentences : describeRead(endpoint)).join(' ') }
}

/** For reads that need no other explanation. */
function describeRead({ list, waits }: Endpoint): string[] {
  if (list === null)
    return [
      ...(waits ? ['With `Prefer: wait`, the response waits until the work has ended.'] : []),
      'Send its `ETag` as `If-None-Match` to get 304 if nothing has changed.',
    ]
  return [
    `Returns one page, sorted by \`${list.sorts[0]}\` unless you set \`sort\`; send \`cursor\` back to get the next page.`,
    ...(list.filters.length > 0 ? [`Filters: ${quoted(list.filters)}.`] : []),
  ]
}

/** One tag for each resource, in the words of what it answers. */
function tagsOf(): Json[] {
  const resources = Map.groupBy(operations, ({ name }) => name.split('.')[0])
  return [...resources].flatMap(([name, members]) => {
    const { endpoint } = members.find((member) => member.name === `${name}.get`) ?? members[0] ?? {}
    if (!endpoint) return []
    const { description = endpoint.summary } = (endpoint.answer ?? {}) as { description?: string }
    return { name, description }
  })
}

/** `server_url` is the root of the server; without it the addresses are relative to wherever the description is served. */
export function describe(options: { version: string; server_url?: string }): Description {
  const printer = schemaPrinter()
  const examples = examplePrinter()
  const failure = printer.print(ErrorResponse)
  const responses = new Map<string, Json>([
    ['Failure', { ...printFailure([], failure), description: 'Any other error, with the same body.' }],
  ])
  const paths: Description['paths'] = {}
  for (const { name, endpoint } of operations) {
    const path = (paths[endpoint.path] ??= {})
    path[endpoint.method.toLowerCase()] = {
      operationId: name.replace('.', '_'),
      tags: [name.split('.')[0]],
      summary: endpoint.summary,
      ...descriptionOf(endpoint),
      ...(endpoint.successor ? { deprecated: true } : {}),
      security: [
        { bearer: [...(endpoint.scope ? [endpoint.scope] : []), ...endpoint.also_needs] },
        ...(endpoint.own_scope ? [{ bearer: [endpoint.own_scope] }] : []),
      ],
      parameters: [
        ...pathParameters(endpoint.path),
        ...queryParameters(endpoint, printer),
        ...headerParameters(endpoint),
      ],
      ...requestBody(endpoint, printer),
      responses: { ...successes(endpoint, { printer, examples }), ...failures(endpoint, responses, failure) },
    }
  }
  const sorted = Object.fromEntries([...responses].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return {
    openapi: '3.1.1',
    info: {
      title: 'Octavo',
      version: options.version,
      description: about,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${options.server_url ?? ''}/api/v1` }],
    tags: tagsOf(),
    paths,
    components: {
      schemas: printer.components(),
      examples: examples.components(),
      responses: sorted,
      parameters,
      headers,
      securitySchemes,
    },
  }
}
