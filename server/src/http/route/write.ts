// Steps 11 to 17 of a write, in one transaction: key, path, body, handler, events, stored answer.

import type { Row } from '@octavo/base/unknown.ts'
import type { Endpoint } from '@octavo/contract'
import type { FastifyReply } from 'fastify'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/database.ts'
import { discard } from '../../files/keys.ts'
import { Failure } from '../../lib/failure.ts'
import { etagOf, Precondition } from '../../lib/precondition.ts'
import { errorFields } from '../../telemetry/log.ts'
import type { Context } from '../preflight/context.ts'
import { Form } from '../streaming/form.ts'
import { countStream, wantsStream } from '../streaming/stream.ts'
import { streamMade } from '../streaming/stream-made.ts'
import { findReplay, type Replay, runBeforeTransaction } from './before-transaction.ts'
import type { Body } from './body.ts'
import { checkTags } from './conditional.ts'
import { announceSuccessor, fillPath } from './deprecation.ts'
import { claimKey, findAnswer, forgetKey, type Key, readKey, type StoredAnswer, storeAnswer } from './idempotency.ts'
import { readMade, replyWithStored } from './reply.ts'
import { type ApiRequest, itemPath, type Params, type PrepareWrite, type Route, splitUrl, type Write } from './route.ts'
import { API_ROOT } from './routing.ts'
import { waitForRow } from './waiting.ts'

type WriteAnswer = StoredAnswer & { is_replayed: boolean; is_unchanged: boolean; row: Row | null }

export async function answerWrite(
  route: Route,
  request: ApiRequest,
  reply: FastifyReply,
  plan: Write | PrepareWrite,
): Promise<FastifyReply> {
  const { app, endpoint } = route
  const { context, params } = request
  const caller = context.caller
  announceSuccessor(route, request, reply)
  const { query, key } = await readAsked(route, request)
  const body = await readBodyOrFail(route, request, key)
  if ('replayed' in body) return replyWithStored(route, request, reply, body.replayed)
  const is_streamed = endpoint.is_stream && wantsStream(request)
  if (is_streamed) countStream(route, request)
  const fail = async (error: unknown): Promise<never> => {
    await returnQuota(app, context)
    throw error
  }
  const write = 'prepare' in plan ? await runBeforeTransaction(route, request, { key, body, plan }).catch(fail) : plan
  if ('replayed' in write) return replyWithStored(route, request, reply, write.replayed)

  const precondition = new Precondition(request.headers['if-match'] ?? null, request.headers['if-none-match'] ?? null)
  const charged = context.taken.length
  const work = async (tx: Tx): Promise<WriteAnswer> => {
    // The second run charges the quota again.
    if (!tx.may_assume) await returnQuota(app, context, charged)
    const stored = key && (await claimKey(tx, key, app.config.keyring))
    if (stored) return { ...stored, is_replayed: true, is_unchanged: true, row: null }
    const row = await write.handle({
      tx,
      context,
      params,
      query,
      body: body.value,
      fixed: body.fixed,
      is_streamed,
    })
    checkDuties(endpoint, tx)
    const { is_unchanged } = tx
    const fresh = { ...answerOf(route, params, row, is_unchanged), is_replayed: false, is_unchanged, row }
    if (key && tx.replay === 'run') forgetKey(tx, key)
    else if (key) {
      const answer = tx.replay === 'copy' ? fresh : { ...fresh, body: null }
      storeAnswer(tx, key, answer, { keyring: app.config.keyring, is_secret: endpoint.is_secret })
    }
    return fresh
  }
  const transact = (): Promise<WriteAnswer> =>
    app.db.transaction(caller, work, precondition).catch(async (error: unknown) => {
      // Only a refusal is known to have left nothing; after anything else the sweeper looks.
      if (error instanceof Failure) await write.discard?.()
      return fail(error)
    })
  const answer = await completeReplay(route, request, { key, answer: await transact(), transact })
  if (answer.is_unchanged) await write.discard?.()
  if (answer.is_replayed) await returnQuota(app, context)
  const { row } = answer
  if (is_streamed && row)
    return streamMade(route, request, reply, { row, readAgain: () => readMade(route, request, String(row.id)) })
  return replyWithStored(route, request, reply, await waitForAnswer(route, request, reply, answer))
}

/** A replay without a copy of its body is read from the resource. If that was deleted, the request runs again. */
async function completeReplay(
  route: Route,
  request: ApiRequest,
  { key, answer, transact }: { key: Key | null; answer: WriteAnswer; transact: () => Promise<WriteAnswer> },
): Promise<WriteAnswer> {
  if (!key || !answer.is_replayed || answer.body !== null || answer.location === null) return answer
  const replay = await findReplay(route, request, key)
  return replay ? { ...answer, ...replay } : transact()
}

/** Best effort: a limiter that is down must not replace the answer. */
async function returnQuota({ limiter }: App, { taken }: Context, kept = 0): Promise<void> {
  for (const policy of taken.splice(kept)) await limiter.giveBack(policy).catch(() => {})
}

/** Checks that run before the body is parsed; if one fails, an uploaded file is discarded. */
async function readAsked(route: Route, request: ApiRequest): Promise<{ query: Row; key: Key | null }> {
  const { caller } = request.context
  const sent = request.body
  const form = sent instanceof Form ? sent : null
  try {
    const [path, search] = splitUrl(request.url)
    const query = route.readQuery(search)
    checkTags(request, ['if-match', 'if-none-match'])
    if (route.endpoint.method !== 'POST') return { query, key: null }
    const body = sent instanceof Form ? sent.fingerprint() : (sent ?? Buffer.alloc(0))
    return {
      query,
      key: readKey(oneHeader(request, 'idempotency-key'), { principal: caller.actor.id ?? '', path, search, body }),
    }
  } catch (error) {
    if (form?.file) await discard(route.app.files, caller.tenant, form.file.object_id)
    throw error
  }
}

/** The committed resource may settle while its caller waits. Waiting never fails the answer: a caller that repeats the
 * request would create the resource twice. A replay stays as it was stored. */
async function waitForAnswer(
  route: Route,
  request: ApiRequest,
  reply: FastifyReply,
  answer: WriteAnswer,
): Promise<WriteAnswer> {
  if (!route.endpoint.waits || answer.is_replayed || answer.row === null) return answer
  const created = answer.row
  let row = created
  const readAgain = async (): Promise<Row> => (row = await readMade(route, request, String(created.id)))
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
  return row === created ? answer : { ...answer, ...answerOf(route, request.params, row, answer.is_unchanged) }
}

/** Step 14 comes after 12 and 13: a bad body is held back while the key and the path are looked at. */
async function readBodyOrFail(route: Route, request: ApiRequest, key: Key | null): Promise<Body | Replay> {
  try {
    return route.readBody(request.body)
  } catch (failure) {
    if (request.body instanceof Form && request.body.file)
      await discard(route.app.files, request.context.caller.tenant, request.body.file.object_id)
    const db = route.app.db.for(request.context.caller)
    const stored = key && (await findAnswer(db, key, route.app.config.keyring))
    if (stored) return { replayed: { ...stored, is_replayed: true } }
    await route.findLoader()?.(db, request.params, request.context)
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

function answerOf(route: Route, params: Params, row: Row | null, is_unchanged = false): StoredAnswer {
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
    etag: typeof row.version === 'number' ? etagOf({ id, version: row.version }) : null,
    body: JSON.stringify(route.present(row, null)),
  }
}

function oneHeader(request: ApiRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(',') : value
}
