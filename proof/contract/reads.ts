// Reading: tags and 304, HEAD, `fields`.

import { isDeepStrictEqual } from 'node:util'
import { place } from './fixtures.ts'
import type { ContractAnswer, ContractJson } from './http.ts'
import { filledList } from './lists.ts'
import { isStored, membersOf, shownBy } from './schemas.ts'
import type { ContractStage, Params } from './stage.ts'

/** These differ with every request. */
const VOLATILE = ['date', 'request-id', 'ratelimit', 'link']

function headersOf({ headers }: ContractAnswer, is_stored: boolean): unknown {
  // A response without a body has no transfer encoding (RFC 9112, 6.1).
  const names = Object.keys(headers)
    .filter((name) => name !== 'transfer-encoding')
    .toSorted()
  return is_stored ? names.map((name) => [name, VOLATILE.includes(name) ? '' : headers[name]]) : names
}

/** The resource must exist and must not change during the check. */
const placeToRead = (stage: ContractStage): Promise<Params> =>
  stage.endpoint.list ? filledList(stage) : place(stage, stage.endpoint.path)

export async function answerHead(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await placeToRead(stage)
  const is_stored = isStored(endpoint)
  const get = await stage.send(endpoint, { params })
  const head = await stage.send(endpoint, { params, method: 'HEAD' })
  stage.expect('HEAD', head, get.status)
  stage.check('HEAD has no body', head.text === '', head.text)
  const [expected, seen] = [headersOf(get, is_stored), headersOf(head, is_stored)]
  stage.check('HEAD has the headers of GET', isDeepStrictEqual(seen, expected), { expected, seen })
  stage.expect('HEAD without a token', await stage.send(endpoint, { params, method: 'HEAD', as: null }), 401)
  stage.expect(
    'HEAD with a bad query',
    await stage.send(endpoint, { params, method: 'HEAD', search: 'no_such_parameter=1' }),
    400,
  )
}

export async function answerUnchanged(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await placeToRead(stage)
  const get = await stage.send(endpoint, { params })
  const tag = get.headers.etag ?? ''
  const isList = endpoint.list !== null
  const isTag = isList || !isStored(endpoint) ? /^W\/"[^"]+"$/.test(tag) : /^"[\w-]{22}"$/.test(tag)
  stage.check('GET has an ETag', isTag, get.headers)
  stage.check(
    'GET is kept privately and asked again',
    get.headers['cache-control'] === 'private, no-cache',
    get.headers,
  )
  const other = await stage.send(endpoint, { params, headers: { 'if-none-match': '"something-else"' } })
  stage.expect('If-None-Match with another tag', other, 200)
  stage.expect('If-None-Match: *', await stage.send(endpoint, { params, headers: { 'if-none-match': '*' } }), 304)
  if (!isStored(endpoint)) return
  const bare = tag.replace('W/', '')
  for (const header of [tag, bare, `W/${bare}`, `"something-else", ${tag}`]) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await stage.send(endpoint, { params, method, headers: { 'if-none-match': header } })
      stage.expect(`${method} with If-None-Match`, answer, 304)
      const { etag, 'cache-control': control } = answer.headers
      stage.check(
        '304 has the tag and no body',
        etag === tag && control === 'private, no-cache' && answer.text === '',
        answer,
      )
    }
  }
}

export async function answerFields(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await placeToRead(stage)
  const names = Object.keys(membersOf(shownBy(endpoint)))
  const always = ['id', 'object'].filter((name) => names.includes(name))
  for (const name of names) {
    const answer = await stage.send(endpoint, { params, search: `fields=${name}` })
    stage.expect(`fields=${name}`, answer, 200)
    const items = endpoint.list ? ((answer.body.data ?? []) as ContractJson[]) : [answer.body]
    const expected = [...new Set([...always, name])].toSorted()
    const odd = items.find((item) => !isDeepStrictEqual(Object.keys(item).toSorted(), expected))
    stage.check(`fields=${name} gives these members`, odd === undefined && items.length > 0, odd ?? items)
    stage.check('a part has no ETag', answer.headers.etag === undefined, answer.headers)
  }
  const many = await stage.send(endpoint, { params, search: `fields=${names.join(',')}` })
  stage.expect('fields with every member', many, 200)
  const unknown = ['no_such_member', 'version', 'tenant_id', '__proto__', ''].filter((name) => !names.includes(name))
  for (const search of [...unknown, `${names[0]},`].map((value) => `fields=${value}`)) {
    stage.refused(search, await stage.send(endpoint, { params, search }), 'invalid_parameter')
  }
}
