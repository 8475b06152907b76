// Changing and removing: tags, preconditions, the second DELETE.

import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '@octavo/contract'
import { exampleOf, findEndpoint, findReader, place } from './fixtures.ts'
import type { ContractAnswer } from './http.ts'
import type { ContractStage, Params } from './stage.ts'

/** The change shows in the answer, in the tag, and in the next GET. */
export async function bumpTag(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await place(stage, endpoint.path)
  const reader = findEndpoint('GET', endpoint.path)
  const before = reader && (await stage.send(reader, { params }))
  const parent = await readParent(stage, params)
  const answer = await stage.send(endpoint, { params, body: await exampleOf(stage, endpoint) })
  stage.expect('a change', answer, endpoint.status)
  await checkParent(stage, params, parent)
  if (!reader || !before || !endpoint.answer) return
  const { etag } = answer.headers
  stage.check('a change bumps the tag', etag !== undefined && etag !== before.headers.etag, [before.headers.etag, etag])
  stage.check('and the time', String(answer.body.updated_at) > String(before.body.updated_at), [
    before.body,
    answer.body,
  ])
  const after = await stage.send(reader, { params })
  stage.check('GET shows the tag of the change', after.headers.etag === etag, [etag, after.headers.etag])
  stage.check('GET shows what the change answered', isDeepStrictEqual(after.body, answer.body), [
    answer.body,
    after.body,
  ])
  const unchanged = await stage.send(reader, { params, headers: { 'if-none-match': etag } })
  stage.expect('If-None-Match with the tag of the change', unchanged, 304)
  stage.expect(
    'If-None-Match with the old tag',
    await stage.send(reader, { params, headers: { 'if-none-match': before.headers.etag } }),
    200,
  )
  if (endpoint.method === 'PATCH') await keepUnchanged(stage, params, reader, after)
}

async function keepUnchanged(
  stage: ContractStage,
  params: Params,
  reader: Endpoint,
  before: ContractAnswer,
): Promise<void> {
  const answer = await stage.send(stage.endpoint, { params, body: {}, is_unchanged: true })
  stage.check('an empty PATCH changes nothing', isDeepStrictEqual(answer.body, before.body), [before.body, answer.body])
  const after = await stage.send(reader, { params })
  stage.check(
    'nor the tag',
    answer.headers.etag === before.headers.etag && after.headers.etag === before.headers.etag,
    answer.headers,
  )
}

/** Reads the resource above the path, if it has a read endpoint. */
export async function readParent(stage: ContractStage, params: Params): Promise<ContractAnswer | null> {
  const { path } = stage.endpoint
  const reader = findReader(path.slice(0, path.lastIndexOf('/')))
  return reader && stage.send(reader, { params })
}

export async function checkParent(stage: ContractStage, params: Params, before: ContractAnswer | null): Promise<void> {
  const after = before && (await readParent(stage, params))
  if (!after) return
  const { bumps_parent } = stage.endpoint
  const [tags, times] = [before.headers.etag !== after.headers.etag, before.body.updated_at !== after.body.updated_at]
  stage.check(bumps_parent ? "the parent's tag moves" : "the parent's tag stays", tags === bumps_parent, [
    before.body,
    after.body,
  ])
  stage.check("the parent's time moves with its tag", times === tags, [before.body, after.body])
}

export async function obeyIfMatch(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const reader = findReader(endpoint.path)
  if (!reader) return
  const params = await place(stage, endpoint.path)
  const { headers, body: shown } = await stage.send(reader, { params })
  const tag = headers.etag ?? ''
  const send = async (header: Record<string, string>, at = params): Promise<ContractAnswer> =>
    stage.send(endpoint, { params: at, body: await exampleOf(stage, endpoint), headers: header })
  for (const header of [
    { 'if-match': '"stale"' },
    { 'if-match': 'W/"stale", "older"' },
    { 'if-none-match': '*' },
    { 'if-none-match': tag },
  ]) {
    stage.refused(JSON.stringify(header), await send(header), 'precondition_failed')
  }
  const after = await stage.send(reader, { params })
  stage.check('a refused change changes nothing', after.headers.etag === tag && isDeepStrictEqual(after.body, shown), [
    shown,
    after.body,
  ])
  stage.expect('If-Match with the tag of GET', await send({ 'if-match': tag }), endpoint.status)
  if (endpoint.method === 'PUT' || endpoint.method === 'PATCH')
    stage.refused('If-Match with the tag from before a change', await send({ 'if-match': tag }), 'precondition_failed')
  for (const weaken of [(text: string) => `W/${text}`, (text: string) => `"other", ${text}`, () => '*']) {
    const fresh = await place(stage, endpoint.path)
    const current = (await stage.send(reader, { params: fresh })).headers.etag ?? ''
    stage.expect(`If-Match: ${weaken('"tag"')}`, await send({ 'if-match': weaken(current) }, fresh), endpoint.status)
  }
}

export async function removeOnce(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await place(stage, endpoint.path)
  stage.expect('DELETE', await stage.send(endpoint, { params }), 204)
  stage.refused('the second DELETE', await stage.send(endpoint, { params }), 'not_found')
  for (const method of ['GET', 'PUT', 'PATCH'] as const) {
    const other = findEndpoint(method, endpoint.path)
    if (other)
      stage.refused(
        `${method} after DELETE`,
        await stage.send(other, { params, body: await exampleOf(stage, other) }),
        'not_found',
      )
  }
  const list = findEndpoint('GET', endpoint.path.slice(0, endpoint.path.lastIndexOf('/')))
  if (!list?.list) return
  const { body } = await stage.send(list, { params, search: 'limit=100' })
  const id = Object.values(params).at(-1)
  stage.check(
    'after DELETE it is not listed',
    !((body.data ?? []) as { id: string }[]).some((row) => row.id === id),
    body,
  )
}
