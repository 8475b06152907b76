// Step 11: query and header syntax. Everything wrong here is 400, with the same detail codes as in bodies.

import { firstOf } from '@octavo/base/required.ts'
import type { Endpoint, ErrorDetail } from '@octavo/contract'
import { Failure } from '../../lib/failure.ts'
import { compileCheck, detailsOf, type SchemaCheck } from './validation.ts'

const MAX_PARAMETERS = 30

interface Parameter {
  is_integer: boolean
  is_list: boolean
  /** Given as `name[key]=value`. */
  is_map: boolean
}

export type QueryReader = (search: string) => Record<string, unknown>

export function invalidParameter(details: ErrorDetail[]): Failure {
  return new Failure('invalid_parameter', 'A query parameter or header is invalid.', { details })
}

const problem = (field: string, code: ErrorDetail['code'], message: string): ErrorDetail => ({
  field,
  location: 'query',
  code,
  message,
})

/** Reads and checks the query of one endpoint. A comma list becomes an array, whose items are checked one by one. */
export function compileQuery(endpoint: Endpoint): QueryReader {
  const properties = (endpoint.query?.properties ?? {}) as Record<string, { type?: string; 'x-comma-list'?: boolean }>
  const parameters = new Map<string, Parameter>()
  const checked: Record<string, object> = {}
  for (const [name, schema] of Object.entries(properties)) {
    const { 'x-comma-list': isList = false, ...rest } = schema
    parameters.set(name, { is_integer: schema.type === 'integer', is_list: isList, is_map: schema.type === 'object' })
    checked[name] = isList ? { type: 'array', items: rest, minItems: 1, maxItems: 100 } : rest
  }
  const check = compileCheck({ type: 'object', properties: checked })
  return (search) => readQuery(search, parameters, check)
}

function readQuery(search: string, parameters: Map<string, Parameter>, check: SchemaCheck): Record<string, unknown> {
  if (search === '') return {}
  const given = [...new URLSearchParams(search)]
  const details: ErrorDetail[] = []
  const values: Record<string, unknown> = {}
  const maps: Record<string, Map<string, string>> = {}
  if (given.length > MAX_PARAMETERS)
    details.push(problem('', 'too_many_items', `At most ${MAX_PARAMETERS} query parameters are allowed.`))
  if (!isUtf8(search)) details.push(problem('', 'invalid_format', 'Percent-encoded bytes must be valid UTF-8.'))
  for (const [name, text] of given.slice(0, MAX_PARAMETERS)) {
    const entry = readEntry(name, parameters)
    const parameter = parameters.get(name)
    if (entry) {
      const map = (maps[entry.name] ??= new Map())
      if (map.has(entry.key)) details.push(problem(name.slice(0, 100), 'repeated', 'May occur only once.'))
      else if (`${entry.key}${text}`.includes('\0'))
        details.push(problem(entry.name, 'invalid_format', 'Must not contain NUL characters.'))
      else map.set(entry.key, text)
    } else if (!parameter) details.push(problem(name.slice(0, 100), 'unknown_field', 'Unknown query parameter.'))
    else if (name in values) details.push(problem(name, 'repeated', 'May occur only once.'))
    else if (text.includes('\0')) details.push(problem(name, 'invalid_format', 'Must not contain NUL characters.'))
    else values[name] = convert(parameter, text)
  }
  for (const [name, map] of Object.entries(maps)) values[name] ??= Object.fromEntries(map)
  const errors = check(values)
  // An error in one item of a comma-separated list names the parameter.
  if (errors)
    details.push(
      ...detailsOf(errors, 'query').map(({ pointer: _, ...detail }) => ({
        ...detail,
        field: firstOf(detail.field.split(/[.[]/)),
      })),
    )
  if (details.length > 0) throw invalidParameter(details)
  return values
}

/** `metadata[kind]`: one entry of a parameter that is a map. */
function readEntry(name: string, parameters: Map<string, Parameter>): { name: string; key: string } | null {
  const at = name.indexOf('[')
  if (at < 1 || !name.endsWith(']') || !parameters.get(name.slice(0, at))?.is_map) return null
  return { name: name.slice(0, at), key: name.slice(at + 1, -1) }
}

/** URLSearchParams would replace invalid bytes by U+FFFD. */
function isUtf8(search: string): boolean {
  try {
    for (const [bytes] of search.matchAll(/(?:%[0-9a-f]{2})+/gi)) decodeURIComponent(bytes)
    return true
  } catch {
    return false
  }
}

function convert(parameter: Parameter, text: string): unknown {
  if (parameter.is_list) return text.split(',')
  // Number() would also take '1e1', ' 5' and '0x10'.
  return parameter.is_integer && /^-?\d{1,16}$/.test(text) ? Number(text) : text
}
