// Creating: Location, and the Idempotency-Key.

import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { exampleOf, findEndpoint, place } from './fixtures.ts'
import type { ContractAnswer, ContractJson } from './http.ts'
import { membersOf } from './schemas.ts'
import { type ContractStage, fillPath, type Params, ROOT } from './stage.ts'
import { checkParent, readParent } from './writes.ts'

const REST_MS = 20_000
const newKey = (): string => crypto.randomUUID()

export async function locate(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await place(stage, endpoint.path)
  const sent = await exampleOf(stage, endpoint)
  const answer = await stage.send(endpoint, { params, body: sent })
  const { location = '', etag, 'cache-control': control } = answer.headers
  stage.check('Location is absolute', location.startsWith(`${stage.url}${ROOT}/`), location)
  stage.check('a secret is not kept', control === (endpoint.is_secret ? 'no-store' : 'private, no-cache'), control)
  const read = await stage.send(endpoint, { method: 'GET', path: location.slice(stage.url.length) })
  stage.expect('GET of Location', read, 200)
  stage.check('GET of Location shows the tag of the answer', read.headers.etag === etag && etag !== undefined, [
    etag,
    read.headers.etag,
  ])
  // A secret is shown only once: what GET does not show cannot be compared.
  const common = Object.fromEntries(Object.entries(answer.body).filter(([name]) => name in read.body))
  stage.check('GET of Location shows the answer', isDeepStrictEqual(read.body, common) && read.body.id !== undefined, [
    answer.body,
    read.body,
  ])
  const hidden = Object.keys(answer.body).filter((name) => !(name in read.body))
  stage.check('only a secret is shown once', endpoint.is_secret || hidden.length === 0, hidden)
  const lost = Object.keys(sent ?? {}).filter(
    (name) => name in membersOf(endpoint.answer) && name in read.body && isLost(sent![name], read.body[name]),
  )
  stage.check('what was sent is what is shown', lost.length === 0, lost)
}

/** Placeholders and nested objects (a source shows less than was sent, a label more) are not compared. */
const isNested = (value: unknown): boolean =>
  Array.isArray(value) && value.some((entry) => typeof entry === 'object' && entry !== null)
const isLost = (sent: unknown, shown: unknown): boolean =>
  isNested(sent) ? !Array.isArray(shown) || shown.length !== (sent as unknown[]).length : isOtherwise(sent, shown)
const isOtherwise = (sent: unknown, shown: unknown): boolean =>
  typeof sent === 'object' &&
  sent !== null &&
  !Array.isArray(sent) &&
  !Object.values(sent).every((entry) => typeof entry === 'string')
    ? false
    : !isDeepStrictEqual(sent, shown) && !(typeof sent === 'string' && /word\d+/.test(sent))

/** An older name says since when it is one, and where the newer is: there is also where what it makes is found. */
export async function nameSuccessor(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await place(stage, endpoint.path)
  const there = `${stage.url}${ROOT}${fillPath(endpoint.successor!, params)}`
  const answer = await stage.send(endpoint, { params, body: await exampleOf(stage, endpoint) })
  const { deprecation = '', link, location } = answer.headers
  stage.check('Deprecation is a time', /^@\d{10}$/.test(deprecation), deprecation)
  stage.check('Link names the successor', link === `<${there}>; rel="successor-version"`, link)
  stage.check('Location is below the successor', location === `${there}/${String(answer.body.id)}`, location)
  const refused = await stage.send(endpoint, { params, body: { no_such_member: 1 } })
  stage.check('a refusal says so too', refused.headers.deprecation === deprecation, refused.headers)
}

/** Creating a child updates its parent if the contract says so, or if the endpoint returns the parent itself. */
export async function bumpParent(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await place(stage, endpoint.path)
  const before = await readParent(stage, params)
  const answer = await stage.send(endpoint, { params, body: await exampleOf(stage, endpoint) })
  if (!before || answer.body.id !== before.body.id) return checkParent(stage, params, before)
  const after = await readParent(stage, params)
  const tags = [before.headers.etag, answer.headers.etag, after?.headers.etag]
  stage.check('a renewal bumps the tag', tags[0] !== tags[1] && tags[1] === tags[2], tags)
}

const storedOf = ({ status, headers, text }: ContractAnswer): unknown => [
  status,
  text,
  headers.location,
  headers.etag,
  headers['cache-control'],
]

export async function replay(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await place(stage, endpoint.path)
  const body = await exampleOf(stage, endpoint)
  const key = newKey()
  const first = await stage.send(endpoint, { params, body, headers: { 'idempotency-key': key } })
  stage.expect('the first of a key', first, endpoint.status)
  stage.check('the first is no replay', first.headers['idempotent-replayed'] === undefined, first.headers)
  for (const spelling of [key, `"${key}"`]) {
    const again = await stage.send(endpoint, { params, body, headers: { 'idempotency-key': spelling } })
    stage.check('a repeat gets the same answer', isDeepStrictEqual(storedOf(again), storedOf(first)), [first, again])
    stage.check('a repeat is said to be one', again.headers['idempotent-replayed'] === 'true', again.headers)
  }
  await refuseReuse(stage, params, { key, body })
  const other = await stage.send(endpoint, {
    params,
    body: await exampleOf(stage, endpoint),
    headers: { 'idempotency-key': newKey() },
  })
  stage.check(
    'another key is another request',
    other.headers['idempotent-replayed'] === undefined && other.text !== first.text,
    other.text,
  )
  await keepApart(stage, { params, body, key })
  await replayAfterParent(stage, { params, body, key, first })
}

async function refuseReuse(
  stage: ContractStage,
  params: Params,
  used: { key: string; body: ContractJson | undefined },
): Promise<void> {
  const { endpoint } = stage
  const headers = { 'idempotency-key': used.key }
  const spaced = JSON.stringify(used.body ?? {}, null, 2)
  // The order and the boundary of a form do not matter, so only its parts make it another one.
  const others = endpoint.is_form_only ? [] : [spaced, '{', '']
  for (const body of [...others, { ...used.body, no_such_member: 1 }]) {
    stage.refused(
      'the key with another body',
      await stage.send(endpoint, { params, body, headers }),
      'idempotency_key_reused',
    )
  }
  for (const key of ['', ' ', 'a b', 'ü', 'x'.repeat(256), '""']) {
    const answer = await stage.send(endpoint, { params, body: used.body, headers: { 'idempotency-key': key } })
    stage.refused(`the key '${key.slice(0, 10)}'`, answer, 'invalid_parameter')
  }
  // A failed attempt changed nothing and may be repeated with the same key.
  const retried = { 'idempotency-key': newKey() }
  stage.refused(
    'a failure with a key',
    await stage.send(endpoint, { params, body: { no_such_member: 1 }, headers: retried }),
    'invalid_request',
  )
  const good = await stage.send(endpoint, { params, body: await exampleOf(stage, endpoint), headers: retried })
  stage.check(
    'is not kept',
    good.status === endpoint.status && good.headers['idempotent-replayed'] === undefined,
    good.body,
  )
}

/** Another key of the same tenant never sees the answer. */
async function keepApart(
  stage: ContractStage,
  used: { params: Params; body: ContractJson | undefined; key: string },
): Promise<void> {
  const { endpoint } = stage
  const colleague = await stage.newKey([
    ...new Set([
      'projects:read' as const,
      ...(endpoint.scope ? [endpoint.scope, ...endpoint.also_needs, ...endpoint.may_need] : []),
    ]),
  ])
  const headers = { 'idempotency-key': used.key }
  const answer = await stage.send(endpoint, { params: used.params, body: used.body, headers, as: colleague })
  stage.check("another principal's key is its own", answer.headers['idempotent-replayed'] === undefined, answer.headers)
}

/** A lost answer is given again, also when what it was made in is gone by now. */
async function replayAfterParent(
  stage: ContractStage,
  used: { params: Params; body: ContractJson | undefined; key: string; first: ContractAnswer },
): Promise<void> {
  const { endpoint } = stage
  const parent = endpoint.path.slice(0, endpoint.path.lastIndexOf('/'))
  const remove = parent.endsWith('}') ? findEndpoint('DELETE', parent) : null
  if (!remove) return
  if (endpoint.waits) await comeToRest(stage, used.params)
  stage.expect('DELETE of the parent', await stage.send(remove, { params: used.params }), remove.status)
  const again = await stage.send(endpoint, {
    params: used.params,
    body: used.body,
    headers: { 'idempotency-key': used.key },
  })
  stage.check('a repeat after the parent is gone', isDeepStrictEqual(storedOf(again), storedOf(used.first)), again)
  const fresh = await stage.send(endpoint, {
    params: used.params,
    body: used.body,
    headers: { 'idempotency-key': newKey() },
  })
  stage.refused('a new key after the parent is gone', fresh, 'not_found')
}

/** A deletion ends the jobs that are still at work, and writes that too. */
async function comeToRest(stage: ContractStage, { document_id }: Params): Promise<void> {
  const list = findEndpoint('GET', '/jobs')!
  for (const deadline = Date.now() + REST_MS; Date.now() < deadline; await sleep(50)) {
    const { body } = await stage.send(list, { search: `document_id=${document_id}&status=queued,running` })
    if ((body.data as unknown[]).length === 0) return
  }
}

/** Only POST needs it: elsewhere the header means nothing. */
export async function ignoreKey(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const reader = findEndpoint('GET', endpoint.path)
  const params = await place(stage, endpoint.path)
  const headers = { 'idempotency-key': newKey() }
  const first = await stage.send(endpoint, { params, body: await exampleOf(stage, endpoint), headers })
  const again = await stage.send(endpoint, { params, body: await exampleOf(stage, endpoint), headers })
  stage.expect('the first with a key', first, endpoint.status)
  const is_executed = endpoint.method === 'DELETE' ? again.status === 404 : again.headers.etag !== first.headers.etag
  stage.check(
    'a repeat is executed',
    again.headers['idempotent-replayed'] === undefined && (is_executed || !reader),
    again.headers,
  )
}
