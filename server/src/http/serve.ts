// One function serves every endpoint: steps 11 to 17 of the pipeline, from the contract's table.

import {
  type AnswerOf,
  type BodyOf,
  type Endpoint,
  MAX_BODY_BYTES,
  operations,
  type ParamsOf,
  type QueryOf,
} from '@octavo/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { Db, Tx } from '../db/database.ts'
import { discard } from '../files/keys.ts'
import { Failure } from '../lib/failure.ts'
import { etagOf, isValidTagList, Precondition } from '../lib/precondition.ts'
import { errorFields } from '../telemetry/log.ts'
import { type Replay, runBeforeTransaction } from './before-transaction.ts'
import { type Body, compileBody } from './body.ts'
import { replyWithBytes, wantsLink } from './bytes.ts'
import type { Context } from './context.ts'
import { announceSuccessor, fillPath } from './deprecation.ts'
import { Form, type ReceivedFile } from './form.ts'
import { claimKey, findAnswer, forgetKey, type Key, readKey, type StoredAnswer, storeAnswer } from './idempotency.ts'
import { type ListRequest, readFields, readListRequest } from './lists.ts'
import { compilePresenter, itemOf, membersOf } from './present.ts'
import { compileQuery, invalidParameter } from './query.ts'
import { replyWithList, replyWithResource, replyWithStored } from './reply.ts'
import type { Loader, Route } from './route.ts'
import { API_ROOT, routePath } from './routing.ts'
import { countStream, stream, wantsStream } from './stream.ts'
import { streamMade } from './stream-made.ts'
import { suggestPoll, waitForRow } from './waiting.ts'

interface EndpointRequest<E extends Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  context: Context
}
interface ReadRequest<E extends Endpoint> extends EndpointRequest<E> {
  db: Db
  /** The requested page of a list. */
  page: ListRequest
}
interface WriteRequest<E extends Endpoint, P> extends EndpointRequest<E> {
  tx: Tx
  body: BodyOf<E>
  prepared: P
  /** The answer is wanted as it comes. */
  is_streamed: boolean
  /** Creation-only members of the body. */
  fixed: Record<string, unknown>
}

type ItemOf<E> = AnswerOf<E> extends { data: (infer T)[] } ? T : never
/** A list's handler gives up to `limit + 1` rows; the pipeline makes the page. */
type HandlerResult<E extends Endpoint> =
  AnswerOf<E> extends { data: unknown[]; has_next_page: boolean } ? ItemOf<E>[] : AnswerOf<E>
type EndpointHandler<E extends Endpoint, P = null> = (
  request: E extends Endpoint<'GET'> ? ReadRequest<E> : WriteRequest<E, P>,
) => Promise<HandlerResult<E>> | HandlerResult<E>
/** Storage work before the transaction begins; `discard` undoes it if the transaction did not use it. */
type BeforeTransaction<E extends Endpoint, P> = (request: {
  db: Db
  body: BodyOf<E>
  file: ReceivedFile | null
  params: ParamsOf<E>
}) => Promise<{ value: P; discard?: () => Promise<void> }>

type WriteAnswer = StoredAnswer & { is_replayed: boolean; is_unchanged: boolean; row: Record<string, unknown> | null }

const names = new Map(operations.map(({ name, endpoint }) => [endpoint, name]))

export function serve<E extends Endpoint, P = null>(
  server: FastifyInstance,
  app: App,
  endpoint: E,
  handler:
    | EndpointHandler<E, P>
    | {
        beforeTransaction: BeforeTransaction<E, P>
        handle: EndpointHandler<E, P>
        draft?: NonNullable<Route['readDraft']>
      },
): void {
  const handle = typeof handler === 'function' ? handler : handler.handle
  const shown = endpoint.list && endpoint.answer ? itemOf(endpoint.answer) : endpoint.answer
  const route: Route = {
    app,
    endpoint,
    readQuery: compileQuery(endpoint),
    readBody: compileBody(endpoint),
    beforeTransaction:
      typeof handler === 'function' ? null : (handler.beforeTransaction as unknown as Route['beforeTransaction']),
    readDraft: typeof handler === 'function' ? null : (handler.draft ?? null),
    present: compilePresenter(shown),
    members: membersOf(shown),
    findLoader: () => readersOf(server).get(itemPath(endpoint.path)) ?? null,
    findItemLoader: () => findItemLoader(server, endpoint.successor ?? endpoint.path),
  }
  const isRead = endpoint.method === 'GET'
  if (isRead && !endpoint.list)
    readersOf(server).set(endpoint.path, (db, params) =>
      Promise.resolve(handle({ db, params, query: {}, context: null } as never)),
    )
  server.route({
    method: endpoint.method,
    url: routePath(endpoint.path),
    bodyLimit: endpoint.is_large ? app.config.max_json_bytes : MAX_BODY_BYTES,
    config: { endpoint, operation: names.get(endpoint) ?? endpoint.path },
    handler: isRead
      ? (request, reply) => read(route, handle as unknown as EndpointHandler<Endpoint<'GET'>>, request, reply)
      : (request, reply) => write(route, handle as unknown as EndpointHandler<Endpoint<'POST'>>, request, reply),
  })
}

/** How the resource at each path is read: an absent one is answered before a bad body is. */
const readers = new WeakMap<FastifyInstance, Map<string, Loader>>()

function readersOf(server: FastifyInstance): Map<string, Loader> {
  let known = readers.get(server)
  if (!known) readers.set(server, (known = new Map<string, Loader>()))
  return known
}

/** How what a collection makes is read. */
function findItemLoader(server: FastifyInstance, collection: string): { read: Loader; param: string } | null {
  for (const [path, read] of readersOf(server)) {
    const [, param] = path.startsWith(`${collection}/`)
      ? (/^\{(\w+)\}$/.exec(path.slice(collection.length + 1)) ?? [])
      : []
    if (param) return { read, param }
  }
  return null
}

/** The path that a write refers to: the item itself, or the parent of the collection. */
const itemPath = (path: string): string => (path.endsWith('}') ? path : path.slice(0, path.lastIndexOf('/')))

function splitUrl(url: string): [path: string, search: string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

async function read(
  route: Route,
  handle: EndpointHandler<Endpoint<'GET'>>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { app, endpoint } = route
  const { context } = request
  const [path, search] = splitUrl(request.url)
  const query = route.readQuery(search)
  const fields = readFields(query.fields, route.members)
  checkTags(request, ['if-none-match'])
  const caller = context.caller
  const db = app.db.for(caller)
  const asked = { db, context, params: request.params as never, query: query as never }
  if (!endpoint.list) {
    const readRow = async (): Promise<Record<string, unknown>> =>
      (await handle({ ...asked, page: undefined as never })) as never
    const now = await readRow()
    if (endpoint.is_bytes && !wantsLink(request)) return replyWithBytes(request, reply, now as never)
    const row =
      request.headers.prefer === undefined
        ? now
        : await waitForRow(route, request, reply, { row: now, readAgain: readRow })
    suggestPoll(route, reply, row)
    return replyWithResource(route, request, reply, { row, fields })
  }
  if (endpoint.is_stream && wantsStream(request))
    return stream(route, request, reply, {
      load: route.findLoader()!,
      read: async (page) => (await handle({ ...asked, page })) as never,
    })
  const page = readListRequest(endpoint, path, query, caller.tenant, app.config.keyring)
  const rows = await handle({ ...asked, page })
  return replyWithList(route, request, reply, { rows: rows as never, page, query, path, fields })
}

async function write(
  route: Route,
  handle: EndpointHandler<Endpoint<'POST'>>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { app, endpoint } = route
  const { context } = request
  const caller = context.caller
  announceSuccessor(route, request, reply)
  const { query, key } = await readAsked(route, request)
  const params = request.params as Record<string, string>
  const body = await readBodyOrFail(route, request, key)
  if ('replayed' in body) return replyWithStored(route, request, reply, body.replayed)
  const is_streamed = endpoint.is_stream && wantsStream(request)
  if (is_streamed) countStream(route, request)
  const fail = async (error: unknown): Promise<never> => {
    await returnQuota(app, context)
    throw error
  }
  const prepared = route.beforeTransaction
    ? await runBeforeTransaction(route, request, key, body).catch(fail)
    : { value: null }
  if ('replayed' in prepared) return replyWithStored(route, request, reply, prepared.replayed)

  const precondition = new Precondition(request.headers['if-match'] ?? null, request.headers['if-none-match'] ?? null)
  const work = async (tx: Tx): Promise<WriteAnswer> => {
    const stored = key && (await claimKey(tx, key, app.config.keyring))
    if (stored) return { ...stored, is_replayed: true, is_unchanged: true, row: null }
    const row = (await handle({
      tx,
      context,
      params: params as never,
      query: query as never,
      body: body.value as never,
      fixed: body.fixed,
      prepared: prepared.value as never,
      is_streamed,
    })) as Record<string, unknown> | null
    checkDuties(endpoint, tx)
    const { is_unchanged } = tx
    const fresh = { ...answerOf(route, params, row, is_unchanged), is_replayed: false, is_unchanged, row }
    if (key && !tx.is_response_stored) forgetKey(tx, key)
    else if (key) storeAnswer(tx, key, fresh, { keyring: app.config.keyring, is_secret: endpoint.is_secret })
    return fresh
  }
  const answer = await app.db.transaction(caller, work, precondition).catch(async (error: unknown) => {
    // Only a refusal is known to have left nothing; after anything else the sweeper looks.
    if (error instanceof Failure) await prepared.discard?.()
    return fail(error)
  })
  if (answer.is_unchanged) await prepared.discard?.()
  if (answer.is_replayed) await returnQuota(app, context)
  if (is_streamed && answer.row)
    return streamMade(route, request, reply, {
      row: answer.row,
      readAgain: () => readMade(route, request, answer.row!),
    })
  return replyWithStored(route, request, reply, await waitForAnswer(route, request, reply, answer))
}

/** Best effort: a limiter that is down must not replace the answer. */
async function returnQuota({ limiter }: App, { taken }: Context): Promise<void> {
  for (const policy of taken.splice(0)) await limiter.giveBack(policy).catch(() => {})
}

/** Checks that run before the body is parsed; if one fails, an uploaded file is discarded. */
async function readAsked(
  route: Route,
  request: FastifyRequest,
): Promise<{ query: Record<string, unknown>; key: Key | null }> {
  const { caller } = request.context
  const form = request.body instanceof Form ? request.body : null
  try {
    const [path, search] = splitUrl(request.url)
    const query = route.readQuery(search)
    checkTags(request, ['if-match', 'if-none-match'])
    if (route.endpoint.method !== 'POST') return { query, key: null }
    const body = form ? form.fingerprint() : ((request.body as Buffer | undefined) ?? Buffer.alloc(0))
    return {
      query,
      key: readKey(oneHeader(request, 'idempotency-key'), { principal: caller.actor.id ?? '', path, search, body }),
    }
  } catch (error) {
    if (form?.file) await discard(route.app.files, caller.tenant, form.file.object_id)
    throw error
  }
}

/** Reads the current state of a created resource. */
async function readMade(
  route: Route,
  request: FastifyRequest,
  { id }: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const load = route.findItemLoader()!
  const params = { ...(request.params as Record<string, string>), [load.param]: String(id) }
  return (await load.read(route.app.db.for(request.context.caller), params)) as never
}

/** The committed resource may settle while its caller waits. Waiting never fails the answer: a caller that repeats the
 * request would create the resource twice. A replay stays as it was stored. */
async function waitForAnswer(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: WriteAnswer,
): Promise<WriteAnswer> {
  if (!route.endpoint.waits || answer.is_replayed || answer.row === null) return answer
  const created = answer.row
  let row = created
  const readAgain = async (): Promise<Record<string, unknown>> => (row = await readMade(route, request, created))
  try {
    await waitForRow(route, request, reply, { row, readAgain })
  } catch (error) {
    // A resource that was deleted while its creator waited is no fault.
    if (!(error instanceof Failure && error.code === 'not_found'))
      route.app.log.warn('waiting for a created resource failed', {
        request_id: request.context.request_id,
        ...errorFields(error),
      })
  }
  return row === created
    ? answer
    : { ...answer, ...answerOf(route, request.params as Record<string, string>, row, answer.is_unchanged) }
}

/** Step 14 comes after 12 and 13: a bad body is held back while the key and the path are looked at. */
async function readBodyOrFail(route: Route, request: FastifyRequest, key: Key | null): Promise<Body | Replay> {
  try {
    return route.readBody(request.body as Buffer | Form | undefined)
  } catch (failure) {
    if (request.body instanceof Form && request.body.file)
      await discard(route.app.files, request.context.caller.tenant, request.body.file.object_id)
    const db = route.app.db.for(request.context.caller)
    const stored = key && (await findAnswer(db, key, route.app.config.keyring))
    if (stored) return { replayed: { ...stored, is_replayed: true } }
    await route.findLoader()?.(db, request.params as Record<string, string>)
    throw failure
  }
}

/** A write that forgot its event, or did not look at the precondition, is a bug and must not commit. */
function checkDuties(endpoint: Endpoint, tx: Tx): void {
  const named: readonly string[] = [...endpoint.events, ...endpoint.may_record]
  const strange = tx.recorded.find((type) => !named.includes(type))
  if (strange)
    throw new Error(`${endpoint.method} ${endpoint.path} recorded '${strange}', which its contract does not name`)
  if (endpoint.events.length > 0 && tx.recorded.length === 0 && !tx.is_unchanged)
    throw new Error(`${endpoint.method} ${endpoint.path} recorded no event`)
  if (tx.precondition.is_set && !tx.precondition.is_checked && endpoint.path.includes('{'))
    throw new Error(`${endpoint.method} ${endpoint.path} did not look at its precondition`)
}

function answerOf(
  route: Route,
  params: Record<string, string>,
  row: Record<string, unknown> | null,
  is_unchanged = false,
): StoredAnswer {
  const { endpoint, app } = route
  const status = is_unchanged ? endpoint.unchanged_status : endpoint.status
  if (row === null) return { status, location: null, etag: null, body: null }
  const id = String(row.id)
  const path = endpoint.successor ?? endpoint.path
  // A created resource is below the path, unless the path already names it (a new secret of a key).
  const place = Object.values(params).includes(id) ? itemPath(path) : `${path}/${id}`
  return {
    status,
    location: status === 201 ? `${app.config.base_url}${API_ROOT}${fillPath(place, params)}` : null,
    etag: typeof row.version === 'number' ? etagOf(row as { id: string; version: number }) : null,
    body: JSON.stringify(route.present(row, null)),
  }
}

function oneHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(',') : value
}

function checkTags(request: FastifyRequest, headers: readonly ('if-match' | 'if-none-match')[]): void {
  for (const name of headers) {
    const value = request.headers[name]
    if (value === undefined || isValidTagList(value)) continue
    throw invalidParameter([
      {
        field: name === 'if-match' ? 'If-Match' : 'If-None-Match',
        location: 'header',
        code: 'invalid_format',
        message: 'Must be * or a list of entity tags in double quotes.',
      },
    ])
  }
}
