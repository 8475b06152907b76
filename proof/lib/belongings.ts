// One resource of every kind for a party, created through the API from the contract's examples. New resources are
// included automatically: the create endpoint describes how to create one, and its path names the parent.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Endpoint,
  type IdMember,
  idMembers,
  type ObjectName,
  objectPrefixes,
  operations,
  type Prefix,
} from '@octavo/contract'
import { callPatiently as call, type ProofAnswer, type ProofCaller, parse } from './call.ts'
import { fillBody, idPlaces, type ShapesFillOptions, type ShapesSchema } from './shapes.ts'

export type BelongingsOperation = (typeof operations)[number]
/** By path parameter. */
export type Ids = Readonly<Record<string, string>>

export interface BelongingsItem {
  id: string
  etag: string | null
  row: Record<string, unknown>
}

/** A request that was sent with an Idempotency-Key. */
interface BelongingsKeyedRow {
  path: string
  body: string
  key: string
}

export interface Belongings {
  ids: Record<string, string>
  /** By object. */
  things: Record<string, BelongingsItem>
  /** By operation. */
  keyed: Record<string, BelongingsKeyedRow>
  /** Text of its file. */
  file_text: string
}

export const paramsOf = (endpoint: Endpoint): string[] =>
  [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)

/** Every parameter of the path is known. */
export const isReachable = (endpoint: Endpoint, ids: Ids): boolean => paramsOf(endpoint).every((name) => name in ids)

/** The parameters of a path that name a resource with an id of ours. */
export const idParamsOf = (endpoint: Endpoint): IdMember[] =>
  paramsOf(endpoint).filter((name): name is IdMember => name in idMembers)

export function fillPath(endpoint: Endpoint, ids: Ids): string {
  return `/api/v1${endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? `{${name}}`))}`
}

/** The object that an endpoint answers with or lists. */
export function objectOf(endpoint: Endpoint): ObjectName | null {
  const answer: ShapesSchema | null = endpoint.answer
  const item = endpoint.list ? answer?.properties?.data?.items : answer
  const name = item?.properties?.object?.const as string | undefined
  return name !== undefined && name in objectPrefixes ? (name as ObjectName) : null
}

const everyParam = [...new Set(operations.flatMap(({ endpoint }) => idParamsOf(endpoint)))]
export const paramOf = (object: ObjectName): IdMember | undefined =>
  everyParam.find((name) => idMembers[name] === objectPrefixes[object])

const findCreate = (object: ObjectName) =>
  operations.find(
    ({ endpoint }) =>
      endpoint.method === 'POST' &&
      objectOf(endpoint) === object &&
      !paramsOf(endpoint).includes(paramOf(object) ?? ''),
  )
export const canMake = (object: ObjectName): boolean => findCreate(object) !== undefined
const findList = (object: ObjectName) =>
  operations.find(({ endpoint }) => endpoint.list && objectOf(endpoint) === object)

export const refsOf = (ids: Ids): Partial<Record<Prefix, string>> =>
  Object.fromEntries(
    Object.entries(ids).flatMap(([name, id]) => (name in idMembers ? [[idMembers[name as IdMember], id]] : [])),
  )

/** A caller limited to projects cannot create users, and sees one only as a member of its projects. */
const TENANT_WIDE = new Set<ObjectName>(['user', 'member'])

/** The user that is a member of the project replaces the one that is not. */
async function keepUserOf(caller: ProofCaller, owned: Belongings, { row }: BelongingsItem): Promise<void> {
  const { headers, text } = await call(caller, { method: 'GET', path: `/api/v1/users/${String(row.user_id)}` })
  const user = JSON.parse(text) as Record<string, unknown>
  keep(owned, 'user', { id: String(user.id), etag: headers.get('etag'), row: user })
}

let newUsers = 0

/** References to resources that are created for one request: `{new_user_id}` in the example. */
export async function newRefs(caller: ProofCaller, { example }: Endpoint): Promise<Partial<Record<Prefix, string>>> {
  if (!JSON.stringify(example ?? {}).includes('{new_user_id}')) return {}
  const filling = { mark: `newuser${++newUsers}`, refs: {} }
  return { usr: (await makeThing(caller, 'user', { ids: {}, keyed: {} }, filling)).id }
}

interface BelongingsOptions {
  /** There already. */
  given?: Ids
  /** Creates what is not of a project. */
  maker?: ProofCaller
  /** Gives an application access to what a user sees: no request does that. */
  giveAccess?: (user_id: string, client_id: string) => Promise<unknown>
}

/** `refs` of the filling win over what was made. */
export async function makeBelongings(
  caller: ProofCaller,
  filling: ShapesFillOptions,
  { given = {}, maker = caller, giveAccess }: BelongingsOptions = {},
): Promise<Belongings> {
  const owned: Belongings = { ids: { ...given }, things: {}, keyed: {}, file_text: '' }
  const pending = new Set(
    (Object.keys(objectPrefixes) as ObjectName[]).filter((object) => !((paramOf(object) ?? '') in given)),
  )
  for (;;) {
    const next = chooseNext(pending, owned.ids)
    if (!next) break
    pending.delete(next)
    const thing = await makeThing(TENANT_WIDE.has(next) ? maker : caller, next, owned, filling)
    keep(owned, next, thing)
    if (next === 'member') await keepUserOf(caller, owned, thing)
  }
  await giveAccess?.(owned.ids.user_id ?? '', owned.ids.client_id ?? '')
  for (const object of pending) {
    const thing = await findThing(caller, object, owned.ids)
    if (thing) keep(owned, object, thing)
  }
  for (const { endpoint } of operations) await findWords(caller, endpoint, owned.ids)
  await keepFile(caller, owned, filling)
  return owned
}

/** A file is made and listed nowhere by itself: it comes with its document. */
async function keepFile(caller: ProofCaller, owned: Belongings, filling: ShapesFillOptions): Promise<void> {
  const { endpoint } = operations.find(({ name }) => name === 'documents.create')!
  const own = refsOf(owned.ids)
  owned.file_text = `The file of ${filling.mark}.`
  const source = {
    type: 'base64',
    media_type: 'text/plain',
    data: Buffer.from(owned.file_text).toString('base64'),
    file_name: filling.mark,
  }
  const body = fillBody(endpoint, { mark: `${filling.mark}f`, own, refs: { ...own, ...filling.refs } })
  const made = await call(caller, {
    method: 'POST',
    path: fillPath(endpoint, {}),
    headers: { prefer: 'wait=20' },
    body: JSON.stringify({ ...body, source }),
  })
  const { file_id, status } = await untilRead(caller, made)
  if (file_id === undefined || status !== 'ready')
    throw new Error(`a document of a file was answered ${made.status}: ${made.text}`)
  const { headers, text } = await call(caller, { method: 'GET', path: `/api/v1/files/${file_id}` })
  owned.ids.file_id = file_id
  owned.things.file = { id: file_id, etag: headers.get('etag'), row: JSON.parse(text) as Record<string, unknown> }
}

const READ_WITHIN_MS = 120_000

/** On a busy machine a document takes longer than one request waits. */
export async function untilRead(
  caller: ProofCaller,
  made: ProofAnswer,
): Promise<{ id?: string; file_id?: string; status?: string }> {
  let document = parse<{ id?: string; file_id?: string; status?: string }>(made)
  for (const deadline = Date.now() + READ_WITHIN_MS; document.status === 'processing' && Date.now() < deadline; )
    document = parse(
      await call(caller, {
        method: 'GET',
        path: `/api/v1/documents/${document.id}`,
        headers: { prefer: 'wait=20' },
      }),
    )
  return document
}

const isMade = (name: string): boolean =>
  name in idMembers && Object.values<Prefix>(objectPrefixes).includes(idMembers[name as IdMember])

/** A parameter that no request creates, such as the name of a limit or a chunk, is the id of the first item of its list. */
async function findWords(caller: ProofCaller, endpoint: Endpoint, ids: Record<string, string>): Promise<void> {
  const name = paramsOf(endpoint).at(-1)
  if (name === undefined || isMade(name) || name in ids || !endpoint.path.endsWith(`/{${name}}`)) return
  const path = fillPath(endpoint, ids).split('/').slice(0, -1).join('/')
  // A document has chunks once it has been read.
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(50)) {
    const answer = await call(caller, { method: 'GET', path })
    if (answer.status === 404) return
    const id = parse<{ data?: { id: string }[] }>(answer).data?.[0]?.id
    if (id === undefined) continue
    ids[name] = id
    return
  }
}

function keep(owned: Belongings, object: ObjectName, thing: BelongingsItem): void {
  owned.things[object] = thing
  const param = paramOf(object)
  if (param) owned.ids[param] = thing.id
}

/** Resources come after those that they refer to. */
function chooseNext(pending: ReadonlySet<ObjectName>, ids: Ids): ObjectName | undefined {
  const ready = [...pending].filter((object) => {
    const create = findCreate(object)
    return create && paramsOf(create.endpoint).every((name) => name in ids)
  })
  const refs = refsOf(ids)
  return (
    ready.find((object) =>
      idPlaces(findCreate(object)!.endpoint.body).every((place) => (place.prefix ?? '') in refs),
    ) ?? ready[0]
  )
}

export async function makeThing(
  caller: ProofCaller,
  object: ObjectName,
  owned: Pick<Belongings, 'ids' | 'keyed'>,
  filling: ShapesFillOptions,
): Promise<BelongingsItem> {
  const answer = await post(caller, findCreate(object)!, owned, filling)
  const row = parse(answer)
  return { id: String(row.id), etag: answer.headers.get('etag'), row }
}

/** Sends the example of an operation with a key, and remembers the request. */
export async function post(
  caller: ProofCaller,
  operation: BelongingsOperation,
  owned: Pick<Belongings, 'ids' | 'keyed'>,
  filling: ShapesFillOptions,
): Promise<ProofAnswer> {
  const { name, endpoint } = operation
  const own = refsOf(owned.ids)
  const refs = { ...own, ...filling.refs, ...(await newRefs(caller, endpoint)) }
  const body = JSON.stringify(fillBody(endpoint, { ...filling, own, refs }) ?? {})
  const keyed = { path: fillPath(endpoint, owned.ids), body, key: randomUUID() }
  const answer = await call(caller, {
    method: 'POST',
    path: keyed.path,
    headers: { 'idempotency-key': keyed.key, prefer: 'wait=20' },
    body,
  })
  if (answer.status !== endpoint.status)
    throw new Error(`${name} of the contract's example was answered ${answer.status}: ${answer.text}`)
  owned.keyed[name] = keyed
  return answer
}

/**
 * For resources without a create endpoint, such as events: the first in the list that refers to something of the
 * party's.
 */
async function findThing(caller: ProofCaller, object: ObjectName, ids: Ids): Promise<BelongingsItem | null> {
  const list = findList(object)
  if (!list || !paramsOf(list.endpoint).every((name) => name in ids)) return null
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(50)) {
    const answer = await call(caller, { method: 'GET', path: `${fillPath(list.endpoint, ids)}?limit=100` })
    const { data } = parse<{ data?: Record<string, unknown>[] }>(answer)
    const row = data?.find((item) => Object.values(ids).some((id) => JSON.stringify(item).includes(id)))
    if (row) return { id: String(row.id), etag: null, row }
  }
  return null
}
