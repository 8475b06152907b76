// Creates the resources that a request needs from the contract alone: the `example` of each collection's POST.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Endpoint, type IdMember, idMembers, type Method, operations } from '@octavo/contract'
import { giveAccess } from '../lib/authorizations.ts'
import type { ContractJson } from './http.ts'
import { membersOf } from './schemas.ts'
import { type ContractStage, fillPath, type Params, type Party } from './stage.ts'

const PATIENCE_MS = 5_000

export const findEndpoint = (method: Method, path: string): Endpoint | null =>
  operations.find(({ endpoint }) => endpoint.method === method && endpoint.path === path)?.endpoint ?? null

export const paramNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const isIdMember = (name: string): name is IdMember => Object.hasOwn(idMembers, name)
/** Whether the path names something that belongs to a tenant. */
export const namesOwned = (path: string): boolean => paramNames(path).some(isIdMember)

const collectionOf = (path: string, name: string): string => path.slice(0, path.indexOf(`/{${name}}`))

/** `/documents` → `/documents/{document_id}`, where that is an address. */
export function itemPath(collection: string): string | null {
  const isItem = (path: string): boolean =>
    path.startsWith(`${collection}/{`) && path.endsWith('}') && !path.slice(collection.length + 1).includes('/')
  return operations.find(({ endpoint }) => isItem(endpoint.path))?.endpoint.path ?? null
}

/** The nearest thing above or at the path that can be read by itself. */
export function findReader(path: string): Endpoint | null {
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const reader = at.endsWith('}') ? findEndpoint('GET', at) : null
    if (reader && !reader.list) return reader
  }
  return null
}

/** An id of the right form that no row has; any word where the name is not one of an id. */
export const absentId = (name: string): string =>
  isIdMember(name) ? `${idMembers[name]}_01h455vb4pex5vsknk084sn02q` : 'absent'
export const absentParams = (path: string): Params =>
  Object.fromEntries(paramNames(path).map((name) => [name, absentId(name)]))

/** Ids for path parameters: creates each resource, or finds an existing one if the API cannot create it. */
export async function place(stage: ContractStage, path: string, as: Party = stage.owner): Promise<Params> {
  const params: Record<string, string> = {}
  for (const name of paramNames(path)) {
    const collection = collectionOf(path, name)
    const create = findEndpoint('POST', collection)
    if (name in companions) params[name] = await findCompanion(stage, name, as)
    else
      params[name] = create
        ? String((await make(stage, create, params, as)).id)
        : await findOne(stage, collection, params, as)
  }
  return params
}

const FILE = Buffer.from(
  'Lease between A and B, for the house at 12 Elm Street.\nRent: 1,200 a month, paid on the first day.\n',
)
const FILE_SOURCE = {
  type: 'base64',
  media_type: 'text/plain',
  data: FILE.toString('base64'),
  file_name: 'lease.txt',
}

/**
 * Resources without a create or list endpoint: they are created with another resource, whose answer contains their id.
 * They never change, so one is enough.
 */
const companions: Readonly<Record<string, { collection: string; body: ContractJson }>> = {
  file_id: { collection: '/documents', body: { source: FILE_SOURCE } },
}

async function findCompanion(stage: ContractStage, name: string, as: Party): Promise<string> {
  const key = `${as.tenant} ${name}`
  const known = stage.references.get(key)
  if (known) return known
  const { collection, body } = companions[name]!
  const create = findEndpoint('POST', collection)!
  const answer = await stage.send(create, { body: { ...(await exampleOf(stage, create, as)), ...body }, as })
  const id = String(answer.body[name])
  if (answer.status !== create.status)
    throw new Error(`no fixture: POST ${collection} answered ${answer.status} ${answer.text.slice(0, 300)}`)
  stage.references.set(key, id)
  return id
}

export async function make(
  stage: ContractStage,
  create: Endpoint,
  params: Params,
  as: Party = stage.owner,
): Promise<ContractJson> {
  const answer = await stage.send(create, { params, body: await exampleOf(stage, create, as), as })
  if (answer.status !== create.status)
    throw new Error(`no fixture: POST ${create.path} answered ${answer.status} ${answer.text.slice(0, 300)}`)
  return answer.body
}

/** A collection without POST: something of the others fills it, sooner or later. */
async function findOne(stage: ContractStage, collection: string, params: Params, as: Party): Promise<string> {
  const list = findEndpoint('GET', collection)
  if (!list) throw new Error(`no fixture: ${collection} has neither POST nor a list`)
  await populate(stage, as)
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(50)) {
    const { body } = await stage.send(list, { params, as })
    const [first] = (body.data ?? []) as ContractJson[]
    if (first) return String(first.id)
  }
  throw new Error(`no fixture: GET ${fillPath(collection, params)} stays empty`)
}

/** One of everything that can be made without a parent, and access for an application. */
export async function populate(stage: ContractStage, as: Party): Promise<void> {
  const ids = new Map<string, string>()
  for (const { endpoint } of operations) {
    if (endpoint.method === 'POST' && endpoint.example && paramNames(endpoint.path).length === 0)
      ids.set(endpoint.path, String((await make(stage, endpoint, {}, as)).id))
  }
  await giveAccess(stage.world.app, as.tenant, ids.get('/users') ?? '', ids.get('/oauth-clients') ?? '')
}

let words = 0

/**
 * The example with its placeholders filled in: `{project_id}` by an id, `{new_user_id}` by that of a new resource, `{unique}`
 * by a word that nothing else has.
 */
export async function exampleOf(
  stage: ContractStage,
  endpoint: Endpoint,
  as: Party = stage.owner,
): Promise<ContractJson | undefined> {
  if (!endpoint.body) return undefined
  if (!endpoint.example) throw new Error(`no fixture: ${endpoint.method} ${endpoint.path} has a body and no example`)
  const example = (await fill(stage, endpoint.example, as)) as ContractJson
  const isUpdate = endpoint.method === 'PUT' || endpoint.method === 'PATCH'
  if (!isUpdate || 'status' in example || !('metadata' in membersOf(endpoint.body))) return example
  // An update without a difference changes nothing, so each one brings a new word.
  return { ...example, metadata: { ...(example.metadata as object | undefined), word: `word${++words}` } }
}

async function fill(stage: ContractStage, value: unknown, as: Party): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => fill(stage, item, as)))
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).map(async ([key, entry]) => [key, await fill(stage, entry, as)] as const)
    return Object.fromEntries(await Promise.all(entries))
  }
  if (typeof value !== 'string') return value
  const [, isNew, name] = /^\{(new_)?(\w+_id)\}$/.exec(value) ?? []
  if (isNew && name) return placeNew(stage, name, as)
  return name ? reference(stage, name, as) : value.replaceAll('{unique}', `word${++words}`)
}

/** The placeholders of an example, as paths into it. */
export function placeholdersOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value === 'string') return /^\{\w+_id\}$/.test(value) ? [path] : []
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, entry]) => placeholdersOf(entry, [...path, key]))
}

export async function reference(stage: ContractStage, name: string, as: Party): Promise<string> {
  const key = `${as.tenant} ${name}`
  const known = stage.references.get(key)
  if (known) return known
  const id = await placeNew(stage, name, as)
  stage.references.set(key, id)
  return id
}

async function placeNew(stage: ContractStage, name: string, as: Party): Promise<string> {
  const item = operations.find(({ endpoint }) => endpoint.path.endsWith(`/{${name}}`))?.endpoint.path
  if (!item) throw new Error(`no fixture: nothing is called {${name}}`)
  return (await place(stage, item, as))[name]!
}
