// Checks of path, method, query and headers, and the precedence among several errors.

import { isDeepStrictEqual } from 'node:util'
import { type Endpoint, type ErrorCode, operations, scopeNames } from '@octavo/contract'
import { absentId, absentParams, exampleOf, paramNames, place } from './fixtures.ts'
import type { ContractJson } from './http.ts'
import { type ContractInput, type ContractStage, contentTypeOf, fillPath, ROOT } from './stage.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'PURGE', 'QUERY', 'M-SEARCH']

const detailOf = (body: ContractJson): ContractJson => ((body.details ?? []) as ContractJson[])[0] ?? {}

function allowedAt(path: string): string[] {
  const methods: string[] = operations
    .filter(({ endpoint }) => endpoint.path === path)
    .map(({ endpoint }) => endpoint.method)
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted()
}

const isListed = (header: string | undefined, names: string[]): boolean =>
  isDeepStrictEqual((header ?? '').split(', ').toSorted(), names)

export async function refuseOtherMethods(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const allowed = allowedAt(endpoint.path)
  const params = await place(stage, endpoint.path)
  for (const method of METHODS.filter((name) => !allowed.includes(name))) {
    const answer = await stage.send(endpoint, { params, method })
    if (method === 'HEAD') stage.expect('HEAD where there is no GET', answer, 405)
    else stage.refused(method, answer, 'method_not_allowed')
    stage.check(`${method}: Allow names what is offered`, isListed(answer.headers.allow, allowed), answer.headers.allow)
  }
  const options = await stage.send(endpoint, { params, method: 'OPTIONS' })
  stage.expect('OPTIONS', options, 204)
  stage.check('OPTIONS names what is offered', isListed(options.headers.allow, allowed) && options.text === '', options)
  stage.refused(
    'OPTIONS without a token',
    await stage.send(endpoint, { params, method: 'OPTIONS', as: null }),
    'unauthenticated',
  )
  const headers = { origin: 'https://example.com', 'access-control-request-method': endpoint.method }
  stage.expect(
    'a preflight needs no token',
    await stage.send(endpoint, { params, method: 'OPTIONS', as: null, headers }),
    204,
  )
}

/** The address is exact, and an id that cannot be one is like one that is not there. */
export async function refuseOtherAddresses(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const body = await exampleOf(stage, endpoint)
  const params = await place(stage, endpoint.path)
  const path = ROOT + fillPath(endpoint.path, params)
  for (const other of [
    `${path}/`,
    `${path}/nothing/here`,
    path.replace('/v1/', '/v2/'),
    path.replace('/v1/', '/V1/'),
    path.replace('/v1/', '/v1//'),
  ]) {
    stage.refused(other, await stage.send(endpoint, { path: other, body }), 'not_found')
    stage.refused(
      `${other} without a token`,
      await stage.send(endpoint, { path: other, body, as: null }),
      'unauthenticated',
    )
  }
  for (const name of paramNames(endpoint.path)) {
    for (const id of [
      absentId(name),
      'abc',
      '%20',
      '%00',
      '%ZZ',
      '%E0%A4%A',
      '..%2f..',
      'x'.repeat(600),
      "'",
      'ten_01h455vb4pex5vsknk084sn02q',
    ]) {
      const answer = await stage.send(endpoint, { params: { ...params, [name]: id }, body })
      stage.refused(`{${name}} = ${id.slice(0, 40)}`, answer, 'not_found')
    }
  }
}

export async function refuseQueries(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await place(stage, endpoint.path)
  const body = await exampleOf(stage, endpoint)
  for (const search of [
    'no_such_parameter=1',
    'expand=all',
    '__proto__=1',
    'constructor=1',
    'toString=1',
    '=',
    '%ZZ=1',
  ]) {
    const answer = await stage.send(endpoint, { params, body, search })
    stage.refused(`?${search}`, answer, 'invalid_parameter')
    const { code, location } = detailOf(answer.body)
    stage.check(`?${search} is said to be unknown`, code === 'unknown_field' && location === 'query', answer.body)
  }
  const [known] = Object.keys(endpoint.query?.properties ?? {})
  if (known) {
    const answer = await stage.send(endpoint, { params, body, search: `${known}=1&${known}=1` })
    stage.refused(`?${known} twice`, answer, 'invalid_parameter')
  }
}

function refusedTypes({ is_bytes, is_text }: Endpoint): string[] {
  // Stored bytes can have any type.
  if (is_bytes) return []
  if (is_text) return ['text/html', 'application/json', 'text/*;q=0', 'nonsense']
  return ['text/html', 'application/xml, text/*', 'application/json;q=0', 'nonsense']
}

export async function refuseHeaders(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await place(stage, endpoint.path)
  const body = await exampleOf(stage, endpoint)
  for (const accept of refusedTypes(endpoint)) {
    stage.refused(
      `Accept: ${accept}`,
      await stage.send(endpoint, { params, body, headers: { accept } }),
      'not_acceptable',
    )
  }
  const conditions = endpoint.method === 'GET' ? ['if-none-match'] : ['if-match', 'if-none-match']
  for (const name of conditions) {
    const answer = await stage.send(endpoint, { params, body, headers: { [name]: 'without quotes' } })
    stage.refused(`${name} without quotes`, answer, 'invalid_parameter')
    stage.check(`${name} is named`, detailOf(answer.body).location === 'header', answer.body)
  }
  const accepted = endpoint.is_text
    ? ['*/*', 'text/*', 'text/html, text/plain;q=0.1']
    : ['*/*', 'application/*', 'text/html, application/json;q=0.1']
  for (const accept of accepted) {
    const fresh = await place(stage, endpoint.path)
    const answer = await stage.send(endpoint, {
      params: fresh,
      body: await exampleOf(stage, endpoint),
      headers: { accept },
    })
    stage.expect(`Accept: ${accept}`, answer, endpoint.status)
  }
}

/**
 * Sends a request with every possible error and fixes them one at a time: the pipeline's order decides which is
 * reported.
 */
export async function refuseInOrder(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await place(stage, endpoint.path)
  const body = await exampleOf(stage, endpoint)
  const hasParams = paramNames(endpoint.path).length > 0
  const isChange = endpoint.method !== 'GET' && hasParams
  const narrow = await stage.newKey(scopeNames.filter((name) => name !== endpoint.scope))
  const steps: [applies: boolean, code: ErrorCode, repair: ContractInput][] = [
    [true, 'unauthenticated', { as: narrow }],
    [
      !endpoint.is_bytes,
      'not_acceptable',
      { headers: { accept: endpoint.is_text ? 'text/plain' : 'application/json' } },
    ],
    [endpoint.scope !== null, 'insufficient_scope', { as: stage.owner }],
    [endpoint.body !== null, 'unsupported_media_type', { headers: { 'content-type': contentTypeOf(endpoint) } }],
    [true, 'invalid_parameter', { search: '' }],
    [hasParams, 'not_found', { params }],
    [endpoint.body !== null, 'invalid_request', { body }],
    [isChange, 'precondition_failed', { headers: { 'if-match': undefined } }],
  ]
  let given: ContractInput = {
    as: null,
    search: 'no_such_parameter=1',
    params: absentParams(endpoint.path),
    headers: {
      accept: 'text/html',
      ...(endpoint.body ? { 'content-type': 'text/plain' } : {}),
      ...(isChange ? { 'if-match': '"stale"' } : {}),
    },
    ...(endpoint.body ? { body: { no_such_member: 1 } } : {}),
  }
  for (const [applies, code, repair] of steps) {
    if (applies) stage.refused('of several faults the first', await stage.send(endpoint, given), code)
    given = { ...given, ...repair, headers: { ...given.headers, ...repair.headers } }
  }
  stage.expect('with every fault fixed', await stage.send(endpoint, given), endpoint.status)
}
