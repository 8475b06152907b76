// Authorization: no token, a bad one, the wrong scope, another tenant.

import { isDeepStrictEqual } from 'node:util'
import { scopeNames } from '@octavo/contract'
import {
  absentParams,
  exampleOf,
  findReader,
  itemPath,
  namesOwned,
  paramNames,
  place,
  placeholdersOf,
  reference,
} from './fixtures.ts'
import type { ContractAnswer, ContractJson } from './http.ts'
import type { ContractStage } from './stage.ts'

export async function refuseWithoutToken(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const request = { params: absentParams(endpoint.path), body: await exampleOf(stage, endpoint), as: null }
  const challenge = `Bearer realm="api", resource_metadata="${stage.url}/.well-known/oauth-protected-resource/api"`
  for (const authorization of [undefined, 'Basic b2N0YXZvOm9jdGF2bw==', 'oct_key_without_a_scheme']) {
    const answer = await stage.send(endpoint, { ...request, headers: { authorization } })
    stage.refused(`credential '${authorization}'`, answer, 'unauthenticated')
    stage.check(
      'the challenge has no error when nothing was sent',
      answer.headers['www-authenticate'] === challenge,
      answer.headers,
    )
  }
  for (const token of [
    '',
    'nonsense',
    `oct_key_${'0'.repeat(46)}`,
    `${stage.owner.secret}0`,
    stage.owner.secret.slice(0, -1),
  ]) {
    const answer = await stage.send(endpoint, { ...request, headers: { authorization: `Bearer ${token}` } })
    stage.refused('a bad token', answer, 'invalid_token')
    const expected = `${challenge}, error="invalid_token"`
    stage.check('the challenge says invalid_token', answer.headers['www-authenticate'] === expected, answer.headers)
  }
}

export async function refuseWrongScope(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const { scope } = endpoint
  const params = await place(stage, endpoint.path)
  const body = await exampleOf(stage, endpoint)
  for (const needed of scope === null ? [] : [scope, ...endpoint.also_needs]) {
    const narrow = await stage.newKey(scopeNames.filter((name) => name !== needed))
    for (const named of [params, absentParams(endpoint.path)]) {
      const answer = await stage.send(endpoint, { params: named, body, as: narrow })
      stage.refused('all scopes but the one', answer, 'insufficient_scope')
      const expected = `Bearer error="insufficient_scope", scope="${needed}"`
      stage.check('the challenge names the scope', answer.headers['www-authenticate'] === expected, answer.headers)
    }
  }
  const enough = await stage.newKey(
    scope === null ? [scopeNames[0]!] : [scope, ...endpoint.also_needs, ...endpoint.may_need],
  )
  const answer = await stage.send(endpoint, { params, body, as: enough })
  stage.check(
    'the scope alone is enough',
    answer.status !== 401 && answer.body.code !== 'insufficient_scope',
    answer.body,
  )
}

/** Equal in all that a caller can compare, but for what names the request. */
const areAlike = (one: ContractAnswer, other: ContractAnswer): boolean =>
  isDeepStrictEqual(comparable(one), comparable(other))
const comparable = ({ status, headers, body }: ContractAnswer): unknown => [
  status,
  Object.keys(headers).toSorted(),
  { ...body, request_id: '' },
]

export async function hideFromStrangers(stage: ContractStage): Promise<void> {
  const { endpoint, stranger: otherTenant } = stage
  const body = await exampleOf(stage, endpoint, otherTenant)
  if (namesOwned(endpoint.path)) {
    const params = await place(stage, endpoint.path)
    const before = await readBack(stage, params)
    const absent = await stage.send(endpoint, { params: absentParams(endpoint.path), body, as: otherTenant })
    stage.refused('an absent resource', absent, 'not_found')
    const foreign = await stage.send(endpoint, { params, body, as: otherTenant })
    stage.refused("another tenant's resource", foreign, 'not_found')
    stage.check("another tenant's looks like an absent one", areAlike(foreign, absent), { foreign, absent })
    for (const name of paramNames(endpoint.path).slice(1)) {
      const own = await place(stage, endpoint.path, otherTenant)
      const mixed = await stage.send(endpoint, { params: { ...own, [name]: params[name]! }, body, as: otherTenant })
      stage.check(`an own parent of another tenant's {${name}} looks like an absent one`, areAlike(mixed, absent), {
        mixed,
        absent,
      })
    }
    const after = await readBack(stage, params)
    stage.check('and nothing happened to it', isDeepStrictEqual(after, before), { before, after })
  }
  await hideReferences(stage, body)
}

async function readBack(stage: ContractStage, params: Record<string, string>): Promise<unknown> {
  const reader = findReader(stage.endpoint.path)
  if (!reader) return null
  const { status, headers, body } = await stage.send(reader, { params })
  return [status, headers.etag, body]
}

/** An id in a body: another tenant's is refused like an absent one. */
async function hideReferences(stage: ContractStage, body: ContractJson | undefined): Promise<void> {
  const { endpoint, stranger: otherTenant } = stage
  const params = await place(stage, endpoint.path, otherTenant)
  for (const path of placeholdersOf(endpoint.example)) {
    const placeholder = String(path.reduce((value: unknown, key) => (value as ContractJson)[key], endpoint.example))
    const name = placeholder.slice(1, -1).replace(/^new_/, '')
    const foreign = await stage.send(endpoint, {
      params,
      body: replaced(body, path, await reference(stage, name, stage.owner)),
      as: otherTenant,
    })
    const absent = await stage.send(endpoint, {
      params,
      body: replaced(body, path, absentParams(`/{${name}}`)[name]),
      as: otherTenant,
    })
    stage.refused(`another tenant's id in ${path.join('.')}`, foreign, 'validation_error')
    stage.check('is refused like an absent one', areAlike(foreign, absent), { foreign, absent })
    const [detail] = (foreign.body.details ?? []) as ContractJson[]
    stage.check('and said to be missing', detail?.code === 'reference_not_found', foreign.body)
  }
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by
  const copy = structuredClone(value) as ContractJson
  copy[key] = replaced(copy[key], rest, by)
  return copy
}

/** A list shows nothing of another tenant. */
export async function hideFromLists(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const item = itemPath(endpoint.path)
  if (!item || !namesOwned(item)) return
  const params = await place(stage, item)
  const own = paramNames(endpoint.path).length === 0 ? {} : await place(stage, endpoint.path, stage.stranger)
  const { body } = await stage.send(endpoint, { params: own, as: stage.stranger, search: 'limit=100' })
  const id = params[paramNames(item).at(-1)!]
  stage.check(
    "another tenant's item is not listed",
    !((body.data ?? []) as ContractJson[]).some((row) => row.id === id),
    body,
  )
}
