// Prints one Python class for each resource, with a method for each operation.

import { type Endpoint, operations } from '../../contract/src/index.ts'
import type { Description } from '../../contract/src/openapi.ts'
import { itemOf, pascal, queryParameters, titleOf } from '../contract-names.ts'
import { docstring, type PythonSchema, typeOf } from './types.ts'

/** Resources with hand-written methods: the client creates them itself. */
const EXTENDED = ['documents', 'jobs', 'uploads', 'files', 'answers']
/** Keyword arguments of every method, from `_options.py`. */
const OPTIONS = ['headers', 'timeout', 'max_retries', 'wait_seconds', 'idempotency_key', 'if_match', 'if_none_match']

interface PythonArgument {
  name: string
  type: string
  isRequired: boolean
}

/** Types of requests are in `params`, so that they cannot clash with those of responses. */
const qualify = (type: string): string =>
  type.replaceAll(/"[^"]*"|\b[A-Z]\w+/g, (word) => (isBuiltIn(word) ? word : `params.${word}`))
const isBuiltIn = (word: string): boolean =>
  word.startsWith('"') || ['Any', 'None', 'Literal', 'Mapping', 'Sequence', 'True', 'False'].includes(word)

function queryArguments(endpoint: Endpoint, description: Description): PythonArgument[] {
  return queryParameters(endpoint, description).map((parameter) => {
    const name = String(parameter.name)
    const schema = parameter.schema as PythonSchema
    const item = name === 'fields' ? 'str' : schema.items && typeOf(schema.items, 'param')
    const type = item === undefined ? typeOf(schema, 'param') : `${item} | Sequence[${item}]`
    return { name, type: qualify(type), isRequired: parameter.required === true }
  })
}

/** null: the body is one of several objects, and is passed whole. */
function bodyArguments(endpoint: Endpoint, description: Description): PythonArgument[] | null {
  if (!endpoint.body) return []
  const schema = description.components.schemas[titleOf(endpoint.body)] as PythonSchema
  if (!schema.properties) return null
  return Object.entries(schema.properties).map(([name, member]) => ({
    name,
    type: qualify(typeOf(member, 'param')),
    isRequired: schema.required?.includes(name) ?? false,
  }))
}

const keyword = ({ name, type, isRequired }: PythonArgument): string =>
  `${name}: ${type}${isRequired ? '' : ' | NotGiven = NOT_GIVEN'}`

const passed = (named: readonly PythonArgument[]): string => named.map(({ name }) => `${name}=${name}`).join(', ')

function assertFree(at: string, names: readonly string[]): void {
  const taken = names.filter((name, index) => OPTIONS.includes(name) || names.indexOf(name) !== index)
  if (taken.length) throw new Error(`${at} has arguments that clash with others: ${taken.join(', ')}`)
}

function printCall(endpoint: Endpoint, operation: string): string {
  if (endpoint.list) return `return AsyncListing(self._transport, ${operation}, models.${itemOf(endpoint)}, options)`
  if (!endpoint.answer) return `await self._transport.run(${operation}, options)`
  return `return await self._transport.send(${operation}, models.${titleOf(endpoint.answer)}, options)`
}

function resultOf(endpoint: Endpoint): string {
  if (endpoint.list) return `AsyncListing[models.${itemOf(endpoint)}]`
  return endpoint.answer ? `models.${titleOf(endpoint.answer)}` : 'None'
}

/** The parameters of a method: ids, the body or its members, and the query. */
function parametersOf(name: string, endpoint: Endpoint, description: Description) {
  const ids = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => id)
  const query = queryArguments(endpoint, description)
  const body = bodyArguments(endpoint, description)
  const named = [...(body ?? []), ...query].toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
  assertFree(name, [...ids, ...named.map((argument) => argument.name)])
  const positional = ['self', ...ids.map((id) => `${id}: str`)]
  if (body === null) positional.push(`body: params.${titleOf(endpoint.body)}`)
  return { ids, query, body, named, positional }
}

function printSignature(verb: string, positional: readonly string[], keywords: readonly string[]): string {
  const parameters = [...positional, ...(keywords.length ? ['*', ...keywords] : []), '**options: Unpack[CallOptions]']
  return `${verb}(\n${parameters.map((one) => `        ${one},\n`).join('')}    )`
}

/** A result that a job may make: its class can create it and wait. */
const isOutcome = (verb: string, { waits }: Endpoint): boolean => verb === 'create' && waits?.job === 'job_id'

function printCreateAndWait(name: string, endpoint: Endpoint, description: Description): string {
  const { ids, named, positional } = parametersOf(name, endpoint, description)
  const keywords = [...named.map(keyword), 'wait_timeout: float | None = None']
  const values = [...ids, ...named.map((one) => `${one.name}=${one.name}`), '**options']
  const path = `f"${endpoint.path.replaceAll(/\{(\w+)\}/g, '{segment($1)}')}/{segment(created.id)}"`
  const text = `${endpoint.summary}, and wait until it has ended: check its \`status\`. \`wait_timeout\` limits the wait in seconds. Needs \`${endpoint.scope}\`, and the scope to read it.`
  return [
    `    async def ${printSignature('create_and_wait', positional, keywords)} -> ${resultOf(endpoint)}:\n`,
    docstring(text, '        '),
    `        created = await self.create(${values.join(', ')})\n`,
    `        return await async_wait_for_outcome(self._transport, ${path}, created, wait_timeout)\n`,
  ].join('')
}

function printMethod(name: string, verb: string, endpoint: Endpoint, description: Description): string {
  const { ids, query, body, named, positional } = parametersOf(name, endpoint, description)
  const path = `${ids.length ? 'f' : ''}"${endpoint.path.replaceAll(/\{(\w+)\}/g, '{segment($1)}')}"`
  const operation = [
    `Operation("${endpoint.method}", ${path}`,
    ...(query.length ? [`query=given(${passed(query)})`] : []),
    ...(endpoint.body ? [body === null ? 'body=body' : `body=given(${passed(body)})`] : []),
  ].join(', ')
  const needs = endpoint.scope ? `Needs \`${endpoint.scope}\`.` : ''
  const text = [endpoint.successor ? 'Deprecated.' : '', `${endpoint.summary}.`, endpoint.description, needs]
  return [
    `    ${endpoint.list ? 'def' : 'async def'} ${printSignature(verb, positional, named.map(keyword))} -> ${resultOf(endpoint)}:\n`,
    docstring(text.filter((part) => part !== '').join(' '), '        '),
    `        ${printCall(endpoint, `${operation})`)}\n`,
  ].join('')
}

/** The asynchronous classes; the others are derived from them. */
export function printPythonResources(heading: string, description: Description): string {
  // Hand-written methods read texts and bytes, and send files.
  const methods = operations
    .filter(({ endpoint }) => !endpoint.is_text && !endpoint.is_form_only)
    .map(({ name, endpoint }) => ({
      name,
      endpoint,
      resource: name.split('.')[0] ?? '',
      verb: name.split('.')[1] ?? '',
    }))
  const resources = [...Map.groupBy(methods, ({ resource }) => resource)]
  const classes = resources.map(([resource, of]) =>
    [
      `class Async${pascal(resource)}Resource:\n`,
      '    def __init__(self, transport: AsyncTransport) -> None:\n        self._transport = transport\n',
      ...of.map(({ name, verb, endpoint }) => `\n${printMethod(name, verb, endpoint, description)}`),
      ...of
        .filter(({ verb, endpoint }) => isOutcome(verb, endpoint))
        .map(({ name, endpoint }) => `\n${printCreateAndWait(name, endpoint, description)}`),
    ].join(''),
  )
  const plain = resources.map(([resource]) => resource).filter((resource) => !EXTENDED.includes(resource))
  const fields = plain.map((resource) => `        self.${resource} = Async${pascal(resource)}Resource(transport)\n`)
  return [
    heading,
    'from __future__ import annotations\n\n',
    'from collections.abc import Mapping, Sequence\nfrom datetime import datetime\nfrom typing import Literal, Unpack\n\n',
    'from .. import models, params\n',
    'from .._options import NOT_GIVEN, CallOptions, NotGiven, given\n',
    'from .._request import Operation, segment\n',
    'from .pagination import AsyncListing\n',
    'from .transport import AsyncTransport\nfrom .waiting import async_wait_for_outcome\n\n\n',
    classes.join('\n\n'),
    '\n\nclass AsyncResources:\n    """Resources without hand-written methods."""\n\n',
    `    def __init__(self, transport: AsyncTransport) -> None:\n${fields.join('')}`,
  ].join('')
}
