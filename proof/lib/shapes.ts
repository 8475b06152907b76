// Reads the contract's schemas: where a request names other resources, where it carries the caller's own words, and
// how a valid body is made from an endpoint's example.

import { type Endpoint, type IdMember, idMembers, type Prefix, prefixes } from '@octavo/contract'

export interface ShapesSchema {
  type?: string | string[]
  properties?: Record<string, ShapesSchema>
  required?: string[]
  items?: ShapesSchema
  oneOf?: ShapesSchema[]
  anyOf?: ShapesSchema[]
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  examples?: unknown[]
  minimum?: number
  minItems?: number
  writeOnly?: boolean
  'x-extensible-enum'?: unknown[]
}

interface Branch {
  path: readonly string[]
  schema: ShapesSchema
}

/** One member of a request. `0` in a path stands for an item of an array. */
export interface ShapesPlace {
  path: readonly string[]
  schema: ShapesSchema
  kind: 'id' | 'ids' | 'text' | 'map' | 'other'
  /** Id prefix of the resource that the member refers to. */
  prefix: Prefix | null
  /** Whether its parent object requires it. */
  is_required: boolean
  /** Members of its parent object. */
  siblings: Readonly<Record<string, ShapesSchema>>
  /** The branches of unions that the member belongs to, the outermost first. */
  branches: readonly Branch[]
}

/** The words and the ids that a body is filled with; null leaves a reference out, where it may be left out. */
export interface ShapesFillOptions {
  mark: string
  refs: Partial<Record<Prefix, string | null>>
  /** For references that may not be left out. */
  own?: Partial<Record<Prefix, string>>
}

const has = (schema: ShapesSchema, type: string): boolean => [schema.type].flat().includes(type)

function prefixOf(name: string, schema: ShapesSchema): Prefix | null {
  if (!has(schema, 'string')) return null
  const [, prefix = ''] = /^([a-z]+)_[0-9a-z]{26}$/.exec(String(schema.examples?.[0] ?? '')) ?? []
  if (prefixes.includes(prefix as Prefix)) return prefix as Prefix
  return name in idMembers ? idMembers[name as IdMember] : null
}

/** A free text of the caller's. Secrets are none: not every request that has the field accepts one. */
const isText = (schema: ShapesSchema): boolean =>
  has(schema, 'string') &&
  !schema.writeOnly &&
  !(schema.enum || schema.format || schema.pattern || 'const' in schema || schema['x-extensible-enum'])

type Around = Pick<ShapesPlace, 'path' | 'is_required' | 'siblings' | 'branches'>
const ROOT: Around = { path: [], is_required: true, siblings: {}, branches: [] }

export function* placesOf(schema: ShapesSchema, around: Around = ROOT): Generator<ShapesPlace> {
  const { path } = around
  const name = path.findLast((part) => part !== '0') ?? ''
  const prefix = prefixOf(name, schema)
  if (prefix) yield { ...around, schema, kind: 'id', prefix }
  else if (schema.oneOf)
    for (const option of schema.oneOf)
      yield* placesOf(option, { ...around, branches: [...around.branches, { path, schema: option }] })
  else if (schema.properties) {
    for (const [key, member] of Object.entries(schema.properties))
      yield* placesOf(member, {
        ...around,
        path: [...path, key],
        is_required: schema.required?.includes(key) ?? false,
        siblings: schema.properties,
      })
  } else if (schema.items) {
    const items = prefixOf(name.replace(/s$/, ''), schema.items)
    if (items) yield { ...around, schema, kind: 'ids', prefix: items }
    else yield* placesOf(schema.items, { ...around, path: [...path, '0'] })
  } else {
    const kind = isText(schema) ? 'text' : has(schema, 'object') ? 'map' : 'other'
    yield { ...around, schema, kind, prefix: null }
  }
}

export const idPlaces = (schema: unknown): ShapesPlace[] =>
  schema ? [...placesOf(schema as ShapesSchema)].filter((place) => place.prefix) : []

type ShapesJson = Record<string, unknown>

export function readAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as ShapesJson | null | undefined)?.[key], value)
}

/** Only where the object or array around it is there. */
function writeAt(value: ShapesJson, path: readonly string[], to: unknown): void {
  const around = readAt(value, path.slice(0, -1))
  if (around === null || typeof around !== 'object') return
  if (to === undefined) delete (around as ShapesJson)[path.at(-1)!]
  else (around as ShapesJson)[path.at(-1)!] = to
}

/** The least that a schema allows. */
function sample(schema: ShapesSchema, filling: ShapesFillOptions): unknown {
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.properties) {
    const members = Object.entries(schema.properties).filter(([name]) => schema.required?.includes(name))
    return Object.fromEntries(members.map(([name, member]) => [name, sample(member, filling)]))
  }
  if (schema.items) return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items!, filling))
  if (has(schema, 'string'))
    return schema.format === 'date-time' ? new Date(Date.now() + 86_400_000).toISOString() : filling.mark
  if (has(schema, 'integer') || has(schema, 'number')) return schema.minimum ?? 1
  return has(schema, 'boolean') ? true : {}
}

function isChosen(body: ShapesJson, branch: Branch): boolean {
  const there = readAt(body, branch.path)
  return Object.entries(branch.schema.properties ?? {}).every(
    ([name, member]) => !('const' in member) || readAt(there, [name]) === member.const,
  )
}

const withWords = (example: ShapesJson, mark: string): ShapesJson =>
  JSON.parse(JSON.stringify(example).replaceAll('{unique}', mark)) as ShapesJson

/** A valid body from the endpoint's example: every reference is one of `refs`, every free text and map carries the mark. */
export function fillBody(endpoint: Endpoint, filling: ShapesFillOptions): ShapesJson | null {
  if (!endpoint.body) return null
  const body = withWords(endpoint.example ?? {}, filling.mark)
  for (const place of placesOf(endpoint.body)) {
    if (!place.branches.every((branch) => isChosen(body, branch)) || !isWanted(endpoint, body, place)) continue
    if (place.prefix) writeAt(body, place.path, reference(place, filling))
    else if (place.kind === 'map') writeAt(body, place.path, { [filling.mark.slice(0, 40)]: filling.mark })
    else if (place.kind === 'text')
      writeAt(body, place.path, `${String(readAt(body, place.path) ?? '')} ${filling.mark}`.trim())
  }
  return body
}

/** A model request has many optional members that exclude each other, so only those of the example are used. */
const isWanted = ({ ai_base }: Endpoint, body: ShapesJson, { path }: ShapesPlace): boolean =>
  ai_base === 0 || path[0] === 'metadata' || readAt(body, path) !== undefined

function reference(place: ShapesPlace, { refs, own }: ShapesFillOptions): unknown {
  const mayBeNull = has(place.schema, 'null')
  const id = refs[place.prefix!] ?? (place.is_required && !mayBeNull ? own?.[place.prefix!] : undefined)
  if (id === undefined) return mayBeNull ? null : undefined
  return place.kind === 'ids' ? [id] : id
}

/** The same body with another reference in one place. */
export function referTo(body: ShapesJson, place: ShapesPlace, id: string, filling: ShapesFillOptions): ShapesJson {
  let changed = structuredClone(body)
  for (const branch of place.branches) {
    if (isChosen(changed, branch)) continue
    const least = sample(branch.schema, filling)
    if (branch.path.length === 0) changed = least as ShapesJson
    else writeAt(changed, branch.path, least)
  }
  writeAt(changed, place.path, place.kind === 'ids' ? [id] : id)
  settle(readAt(changed, place.path.slice(0, -1)) as ShapesJson | undefined, place, filling)
  return changed
}

/** Inline texts can replace a document: a request needs exactly one of the two. */
const INLINE = ['text', 'inputs'] as const

function settle(around: ShapesJson | undefined, { prefix, siblings }: ShapesPlace, { mark }: ShapesFillOptions): void {
  const inline = INLINE.find((name) => name in siblings && 'cache' in siblings)
  if (!around || inline === undefined) return
  const isOfDocument = Object.keys(around).some((name) => /^document_ids?$/.test(name))
  if (prefix === 'doc') delete around[inline]
  else if (!isOfDocument) around[inline] ??= inline === 'inputs' ? [mark] : mark
}
