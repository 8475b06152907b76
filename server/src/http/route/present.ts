// Only declared members leave: a column that the contract does not name stays inside.

import { firstOf, required } from '@octavo/base/required.ts'
import { recordOf } from '@octavo/base/unknown.ts'
import type { Endpoint } from '@octavo/contract'
import { compileBuilder } from '../../lib/object-builder.ts'

type TSchema = NonNullable<Endpoint['answer']>
type Filter = (value: unknown) => unknown
interface ResponseSchema {
  type?: string | string[]
  properties?: Record<string, ResponseSchema>
  items?: ResponseSchema
  anyOf?: ResponseSchema[]
  additionalProperties?: unknown
}

/** null: the value passes as it is. */
function compile(schema: ResponseSchema): Filter | null {
  if (schema.anyOf) return compileNullable(schema.anyOf)
  if (schema.properties) return compileObject(schema.properties)
  if (schema.items) {
    const item = compile(schema.items)
    return item && ((value) => (Array.isArray(value) ? value.map(item) : value))
  }
  return null
}

function compileNullable(options: ResponseSchema[]): Filter | null {
  const inner = compile(firstOf(options))
  return inner && ((value) => (value === null ? null : inner(value)))
}

function compileObject(properties: Record<string, ResponseSchema>): Filter {
  const members = Object.entries(properties).map(([name, schema]) => ({ name, key: name, convert: compile(schema) }))
  const build = compileBuilder<unknown>(members)
  return (value) => build(recordOf(required(value, 'object of the answer')))
}

export type Presenter = (row: unknown, fields: ReadonlySet<string> | null) => unknown

export function compilePresenter(schema: TSchema | null): Presenter {
  const filter = (schema ? compile(schema) : null) ?? ((value: unknown) => value)
  return (row, fields) => {
    const shown = filter(row)
    if (!fields) return shown
    return Object.fromEntries(Object.entries(recordOf(shown)).filter(([name]) => fields.has(name)))
  }
}

const propertiesOf = ({ properties = {} }: ResponseSchema) => properties
export const itemOf = (list: TSchema): TSchema => required(propertiesOf(list).data?.items, 'schema of the items')
export const membersOf = (schema: TSchema | null): string[] => Object.keys(schema ? propertiesOf(schema) : {})
