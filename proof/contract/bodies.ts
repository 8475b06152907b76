// Checks on request bodies: type, shape, values, and members that only the server sets.

import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '@octavo/contract'
import { exampleOf, findEndpoint, place } from './fixtures.ts'
import type { ContractJson } from './http.ts'
import { membersOf, requiredOf } from './schemas.ts'
import type { ContractStage } from './stage.ts'
import { wrongValues } from './wrong-values.ts'

export async function refuseTypes(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await place(stage, endpoint.path)
  const body = await exampleOf(stage, endpoint)
  const isPatch = endpoint.method === 'PATCH'
  const json = isPatch ? 'application/merge-patch+json, application/json' : 'application/json'
  const types = endpoint.form ? `${json}, multipart/form-data` : json
  const wrong = [
    'text/plain',
    'application/xml',
    'application/json; charset=latin1',
    'multipart/mixed; boundary=x',
    'nonsense',
    undefined,
  ]
  if (!endpoint.form) wrong.push('multipart/form-data; boundary=x')
  for (const type of [...wrong, ...(isPatch ? [] : ['application/merge-patch+json'])]) {
    const answer = await stage.send(endpoint, { params, body, headers: { 'content-type': type } })
    stage.refused(`Content-Type: ${type}`, answer, 'unsupported_media_type')
    const { accept, 'accept-patch': patches } = answer.headers
    stage.check(
      `Content-Type: ${type}: Accept names what is taken`,
      accept === types && (!isPatch || patches === types),
      answer.headers,
    )
  }
  for (const encoding of ['gzip', 'br', 'nonsense']) {
    const answer = await stage.send(endpoint, { params, body, headers: { 'content-encoding': encoding } })
    stage.refused(`Content-Encoding: ${encoding}`, answer, 'unsupported_media_type')
    stage.check('Accept-Encoding names what is taken', answer.headers['accept-encoding'] === 'identity', answer.headers)
  }
  const good = [
    ...(isPatch ? ['application/merge-patch+json'] : []),
    'Application/JSON',
    'application/json; charset=utf-8',
  ]
  for (const type of good) {
    const given = {
      params: await place(stage, endpoint.path),
      body: await exampleOf(stage, endpoint),
      headers: { 'content-type': type },
    }
    stage.expect(`Content-Type: ${type}`, await stage.send(endpoint, given), endpoint.status)
  }
}

const detailsOf = (body: ContractJson): ContractJson[] => (body.details ?? []) as ContractJson[]

export async function refuseShapes(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await place(stage, endpoint.path)
  const body = await exampleOf(stage, endpoint)
  const unknown = await stage.send(endpoint, { params, body: { ...body, no_such_member: 1 } })
  stage.refused('an unknown member', unknown, 'invalid_request')
  const is_named = detailsOf(unknown.body).some(
    ({ code, pointer }) => code === 'unknown_field' && pointer === '/no_such_member',
  )
  stage.check('an unknown member is named', is_named, unknown.body)
  for (const text of [
    '{',
    '{"a":}',
    'nonsense',
    '{}{}',
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    `${'['.repeat(33)}${']'.repeat(33)}`,
    '{"__proto__":{}}',
  ]) {
    stage.refused('a body that is not JSON', await stage.send(endpoint, { params, body: text }), 'invalid_json')
  }
  for (const value of ['[]', '"text"', '17', 'null', 'true']) {
    stage.refused(`a body that is ${value}`, await stage.send(endpoint, { params, body: value }), 'invalid_request')
  }
  const empty = await stage.send(endpoint, { params })
  if (endpoint.is_body_optional) stage.expect('no body', empty, endpoint.status)
  else stage.refused('no body', empty, 'invalid_json')
  for (const name of requiredOf(endpoint.body)) {
    const answer = await stage.send(endpoint, { params, body: { ...body, [name]: undefined } })
    stage.refused(`without ${name}`, answer, 'invalid_request')
    stage.check(
      `${name} is said to be required`,
      detailsOf(answer.body).some((detail) => detail.code === 'required' && detail.field === name),
      answer.body,
    )
  }
}

export async function refuseValues(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await place(stage, endpoint.path)
  const body = await exampleOf(stage, endpoint)
  for (const [name, schema] of Object.entries(membersOf(endpoint.body))) {
    for (const wrong of wrongValues(schema)) {
      const what = `${name} = ${JSON.stringify(wrong.value)?.slice(0, 40)}`
      const answer = await stage.send(endpoint, { params, body: { ...body, [name]: wrong.value } })
      stage.refused(what, answer, wrong.code)
      const is_named = detailsOf(answer.body).some(
        ({ code, location, pointer }) =>
          code === wrong.detail && location === 'body' && String(pointer).startsWith(`/${name}`),
      )
      stage.check(`${what} is said to be ${wrong.detail}`, is_named, answer.body)
    }
  }
}

/** Members that only the server sets may be sent, with any value, and are ignored. */
export async function ignoreReadOnly(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await place(stage, endpoint.path)
  for (const strange of ['a value from the caller', { a: 17 }, null]) {
    const sent = Object.fromEntries(endpoint.ignored.map((name) => [name, strange]))
    const answer = await stage.send(endpoint, { params, body: { ...(await exampleOf(stage, endpoint)), ...sent } })
    stage.expect(`read-only members as ${JSON.stringify(strange)}`, answer, endpoint.status)
    const taken = endpoint.ignored.find((name) => strange !== null && isDeepStrictEqual(answer.body[name], strange))
    stage.check('read-only members are ignored', taken === undefined, taken)
  }
}

const changed = (value: unknown): unknown => {
  if (typeof value === 'string') return `${value}x`
  if (typeof value === 'number') return value + 1
  return value === null
    ? 'something'
    : Array.isArray(value)
      ? [...(value as unknown[]), 'more']
      : { ...(value as ContractJson), more: 1 }
}

/** A state that only the server reaches cannot be asked for, although it is shown. */
function sendable(endpoint: Endpoint, shown: ContractJson): ContractJson {
  const members = membersOf(endpoint.body)
  return Object.fromEntries(
    Object.entries(shown).filter(([name, value]) => members[name]?.enum?.includes(String(value)) ?? true),
  )
}

/**
 * Creation-only members are accepted if unchanged and refused otherwise, so that the result of a GET can be sent back.
 */
export async function keepFixed(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const reader = findEndpoint('GET', endpoint.path)
  if (!reader) return
  const params = await place(stage, endpoint.path)
  const { body: shown } = await stage.send(reader, { params })
  const back = await stage.send(endpoint, { params, body: sendable(endpoint, shown) })
  stage.expect('what GET showed, sent back', back, endpoint.status)
  for (const name of endpoint.fixed) {
    const body = await exampleOf(stage, endpoint)
    stage.expect(
      `${name} as it is`,
      await stage.send(endpoint, { params, body: { ...body, [name]: shown[name] } }),
      endpoint.status,
    )
    const before = await stage.send(reader, { params })
    const answer = await stage.send(endpoint, { params, body: { ...body, [name]: changed(shown[name]) } })
    stage.refused(`${name} changed`, answer, 'validation_error')
    const [detail] = detailsOf(answer.body)
    stage.check(`${name} is said to be immutable`, detail?.code === 'immutable' && detail.field === name, answer.body)
    const after = await stage.send(reader, { params })
    stage.check('and nothing was changed', after.headers.etag === before.headers.etag, [
      before.headers.etag,
      after.headers.etag,
    ])
  }
}
