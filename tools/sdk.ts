// Writes the generated files of the SDK: its types and one class for each resource.

import { type Endpoint, operations } from '../contract/src/index.ts'
import type { Description } from '../contract/src/openapi.ts'
import type { Json } from '../contract/src/openapi-schemas.ts'
import { itemOf, pascal, queryParameters, titleOf } from './contract-names.ts'
import { comment, printQuery, printType } from './sdk-types.ts'

const heading = '// Written by `npm run openapi` from the contract. Changes made here are lost.\n\n'

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

interface SdkMethod {
  resource: string
  verb: string
  endpoint: Endpoint
  query: { name: string; parameters: Json[] } | null
}

function queryOf(name: string, endpoint: Endpoint, description: Description): SdkMethod['query'] {
  const parameters = queryParameters(endpoint, description)
  if (parameters.length === 0) return null
  const isPlain = parameters.length === 1 && parameters[0]?.name === 'fields'
  return { name: isPlain ? 'GetQuery' : `${pascal(name.replace('.', '_'))}Query`, parameters }
}

const methodsOf = (description: Description): SdkMethod[] =>
  operations.map(({ name, endpoint }) => {
    const [resource = '', verb = ''] = name.split('.')
    return { resource, verb, endpoint, query: queryOf(name, endpoint, description) }
  })

export function printTypes(description: Description): string {
  const methods = methodsOf(description)
  const envelopes = methods.filter(({ endpoint }) => endpoint.list).map(({ endpoint }) => titleOf(endpoint.answer))
  const schemas = Object.entries(description.components.schemas).filter(([name]) => !envelopes.includes(name))
  const queries = new Map(methods.flatMap(({ query }) => (query ? [[query.name, query.parameters]] : [])))
  const printed = [
    ...schemas.map(([name, schema]) => printType(name, schema)),
    ...[...queries].map(([name, parameters]) => printQuery(name, parameters)),
  ]
  return `${heading}export type OneOrMore<T> = T | readonly T[]\n\n${printed.join('\n')}`
}

function answerOf({ endpoint }: SdkMethod): string {
  if (endpoint.list) return `Listing<${itemOf(endpoint)}, O>`
  if (!endpoint.answer) return 'Call<void>'
  const title = titleOf(endpoint.answer)
  return endpoint.method === 'GET' ? `Call<Fresh<${title}, O>>` : `Call<${title}>`
}

function parametersOf({ endpoint, query }: SdkMethod): string[] {
  const ids = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`)
  return [
    ...ids,
    ...(endpoint.body ? [`body: ${titleOf(endpoint.body)}${endpoint.is_body_optional ? ' = {}' : ''}`] : []),
    ...(query ? [`query: ${query.name} = {}`] : []),
    endpoint.method === 'GET' ? 'options?: O' : 'options: CallOptions = {}',
  ]
}

function printMethod(method: SdkMethod): string {
  const { endpoint, query, verb } = method
  const isGet = endpoint.method === 'GET'
  const path = endpoint.path.includes('{')
    ? `\`${endpoint.path.replaceAll(/\{(\w+)\}/g, '${segment($1)}')}\``
    : `'${endpoint.path}'`
  const operation = `{ method: '${endpoint.method}', path: ${path}${endpoint.body ? ', body' : ''}${query ? ', query' : ''} }`
  const needs = endpoint.scope ? `Needs \`${endpoint.scope}\`.` : ''
  const words = [endpoint.successor ? '@deprecated' : '', `${endpoint.summary}.`, endpoint.description, needs]
  const call = endpoint.list ? `new Listing(this.#send, ${operation}, options)` : `this.#send(${operation}, options)`
  return [
    comment(words.filter((word) => word !== '').join(' '), '  '),
    `  ${camel(verb)}${isGet ? '<O extends CallOptions = object>' : ''}(${parametersOf(method).join(', ')}): ${answerOf(method)} {\n`,
    `    return ${call}\n`,
    '  }\n',
  ].join('')
}

/** A result that a job may make: its class can create it and wait. */
const isOutcome = ({ endpoint, verb }: SdkMethod): boolean => verb === 'create' && endpoint.waits?.job === 'job_id'

function printCreateAndWait(method: SdkMethod): string {
  const { endpoint } = method
  const ids = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const words = `${endpoint.summary}, and wait until it has ended: check its \`status\`. Needs \`${endpoint.scope}\`, and the scope to read it.`
  const [, ...parameters] = parametersOf(method).toReversed()
  return [
    comment(words, '  '),
    `  createAndWait(${[...parameters.toReversed(), 'options: OutcomeWaitOptions = {}'].join(', ')}): Promise<${titleOf(endpoint.answer)}> {\n`,
    '    return createOutcomeAndWait(\n      {\n        send: this.#send,\n',
    `        create: (asked) => this.create(${[...ids, 'body', 'asked'].join(', ')}),\n`,
    `        read: (id, asked) => this.get(${[...ids, 'id', '{}', 'asked'].join(', ')}).withResponse(),\n`,
    '      },\n      options,\n    )\n  }\n',
  ].join('')
}

function printClass(resource: string, methods: readonly SdkMethod[]): string {
  return [
    `export class ${pascal(resource)}Resource {\n`,
    '  readonly #send: Send\n\n  constructor(send: Send) {\n    this.#send = send\n  }\n',
    ...methods.map((method) => `\n${printMethod(method)}`),
    ...methods.filter(isOutcome).map((method) => `\n${printCreateAndWait(method)}`),
    '}\n',
  ].join('')
}

function importedTypes(code: string, description: Description): string[] {
  const names = [
    ...Object.keys(description.components.schemas),
    ...code.matchAll(/\b\w+Query\b/g).map(([name]) => name),
  ]
  return [...new Set(names)]
    .filter((name) => new RegExp(`\\b${name}\\b`).test(code))
    .toSorted()
    .map((name) => `  ${name},\n`)
}

export function printResources(description: Description): string {
  // Texts and files are streamed by hand-written methods.
  const methods = methodsOf(description).filter(({ endpoint }) => !endpoint.is_text && !endpoint.is_form_only)
  const resources = [...Map.groupBy(methods, ({ resource }) => resource)]
  const classes = resources.map(([resource, methods]) => printClass(resource, methods)).join('\n')
  const fields = resources.map(([resource]) => `  readonly ${camel(resource)}: ${pascal(resource)}Resource\n`)
  const assignments = resources.map(
    ([resource]) => `    this.${camel(resource)} = new ${pascal(resource)}Resource(send)\n`,
  )
  return [
    heading,
    "import { type Call, type CallOptions, type Fresh, type Send, segment } from '../call.ts'\n",
    "import { createOutcomeAndWait, type OutcomeWaitOptions } from '../outcomes.ts'\n",
    "import { Listing } from '../pagination.ts'\n",
    `import type {\n${importedTypes(classes, description).join('')}} from './types.ts'\n\n`,
    classes,
    `\n/** Every resource of the API. */\nexport class Resources {\n${fields.join('')}\n  constructor(send: Send) {\n${assignments.join('')}  }\n}\n`,
  ].join('')
}

export const printVersion = (version: string): string =>
  `${heading}/** The version of this client. It knows all fields of a server of the same version. */\nexport const VERSION = '${version}'\n`
