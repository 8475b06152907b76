// Provokes every error code over HTTP, so that no documented code is untested.

import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, errorCodes, statusOf } from '@octavo/contract'
import { newSecret } from '../../auth/credential.ts'
import { suspendTenant } from '../../tenants/tenants.service.ts'
import { startApi } from '../../testing/api.ts'
import { ask, errorOf, type TestAnswer, type TestRequest } from '../../testing/ask.ts'
import {
  createKeyLate,
  exceedConcurrency,
  exceedRequests,
  guessKeys,
  loseDatabase,
  loseTable,
  repeatTooSoon,
  writeToStandby,
} from '../../testing/failure-fixtures.ts'
import { exchange } from '../../testing/raw.ts'

const PROJECTS = '/api/v1/projects'
const DOCUMENTS = '/api/v1/documents'
const ABSENT = `${PROJECTS}/proj_01h455vb4pex5vsknk084sn02q`

const api = await startApi({ after })
const { owner, otherTenant } = api
const get = (path: string, asking: TestRequest = {}): Promise<TestAnswer> => ask(api, path, asking)
const post = (path: string, body: unknown, asking: TestRequest = {}): Promise<TestAnswer> =>
  ask(api, path, {
    method: 'POST',
    body: typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body),
    ...asking,
  })
const patch = (path: string, body: unknown, asking: TestRequest = {}): Promise<TestAnswer> =>
  post(path, body, { method: 'PATCH', ...asking })
const bearer = `Authorization: Bearer ${api.owner_key}\r\n`

type ErrorStory = (t: TestContext) => Promise<TestAnswer>

/** Cases per error code: a title from the caller's point of view, and a request that provokes the error. */
const stories: Partial<Record<ErrorCode, Record<string, ErrorStory>>> = {
  invalid_json: {
    'half an object': () => post(PROJECTS, '{"name":'),
    'nothing at all': () => post(PROJECTS, ''),
    'bytes that are not UTF-8': () => post(PROJECTS, Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d])),
    '33 levels of nesting': () => post(PROJECTS, `${'['.repeat(33)}${']'.repeat(33)}`),
    'a member __proto__': () => post(PROJECTS, '{"name":"x","__proto__":{"is_admin":true}}'),
    'a member __proto__, escaped, deep inside': () =>
      post(PROJECTS, '{"name":"x","metadata":{"a":{"\\u005f_proto__":1}}}'),
    'a prototype of a constructor': () => post(PROJECTS, '{"name":"x","constructor":{"prototype":{}}}'),
  },
  invalid_request: {
    'an unknown member': () => post(PROJECTS, { name: 'Leases', colour: 'red' }),
    'a missing member': () => post(PROJECTS, { description: 'No name' }),
    '1.5 for an integer': async () => {
      const { id } = await owner.documents.create({ title: 'Lease' })
      return post(`${DOCUMENTS}/${id}/pages`, { text: 'Annex', number: 1.5 })
    },
    'null where a value is needed': () => post(PROJECTS, { name: null }),
    'a list instead of an object': () => post(PROJECTS, '[]'),
    'a bad shape and a bad value together': () => post(PROJECTS, { name: '', colour: 'red' }),
  },
  validation_error: {
    'an empty name': () => post(PROJECTS, { name: '' }),
    'a NUL character': () => post(PROJECTS, '{"name":"a\\u0000b"}'),
    'half a surrogate pair': () => post(PROJECTS, '{"name":"\\ud800"}'),
    'a NUL character in a key': () => post(PROJECTS, '{"name":"x","metadata":{"\\u0000":"y"}}'),
    'an integer that JSON cannot hold': async () => {
      const { id } = await owner.documents.create({ title: 'Lease' })
      return post(`${DOCUMENTS}/${id}/pages`, '{"text":"Annex","number":9007199254740993}')
    },
    'an unknown kind of source': () => post(DOCUMENTS, { title: 'Lease', source: { type: 'fax' } }),
    'a project of another tenant': async () => {
      const { id } = await otherTenant.projects.create({ name: 'Theirs' })
      return post(DOCUMENTS, { title: 'Lease', project_id: id })
    },
    'a member that is set at creation only': async () => {
      const { id } = await owner.documents.create({ title: 'Lease' })
      return patch(`${DOCUMENTS}/${id}`, { project_id: 'proj_01h455vb4pex5vsknk084sn02q' })
    },
  },
  invalid_parameter: {
    'an unknown query parameter': () => get(`${PROJECTS}?colour=red`),
    'a parameter twice': () => get(`${PROJECTS}?limit=1&limit=2`),
    'a page of 0 items': () => get(`${PROJECTS}?limit=0`),
    'both ways of paging': () => get(`${PROJECTS}?limit=1&page=1`),
    'a NUL character in a filter': () => get(`${DOCUMENTS}?external_id=%00`),
    'an Idempotency-Key with spaces': () => post(PROJECTS, { name: 'x' }, { headers: { 'idempotency-key': 'a b' } }),
    'an If-Match without quotes': () => patch(ABSENT, { name: 'x' }, { headers: { 'if-match': 'abc' } }),
    'a request without a Host': () =>
      exchange(api.url, `GET ${PROJECTS} HTTP/1.1\r\n${bearer}Connection: close\r\n\r\n`),
    'bytes that are not HTTP': () => exchange(api.url, 'how do you do\r\n\r\n'),
    'two lengths of one body': () =>
      exchange(api.url, `POST ${PROJECTS} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`),
  },
  range_not_satisfiable: {
    'a range behind the end of a file': async () => {
      const { file_id } = await owner.documents.createFromFile(new File(['Lease'], 'lease.txt'))
      return get(`/api/v1/files/${file_id}/contents`, { headers: { range: 'bytes=5-' } })
    },
  },
  invalid_cursor: {
    'a cursor that was altered': async () => {
      await owner.projects.create({ name: 'One' })
      await owner.projects.create({ name: 'Two' })
      const { cursor } = JSON.parse((await get(`${PROJECTS}?limit=1`)).text) as { cursor: string }
      return get(`${PROJECTS}?cursor=${cursor.slice(0, -2)}`)
    },
    'a cursor that was made up': () => get(`${PROJECTS}?cursor=eyJpZCI6MX0`),
  },
  unauthenticated: {
    'no credential': () => get(PROJECTS, { key: null }),
    'another scheme': () => get(PROJECTS, { key: null, headers: { authorization: 'Basic b2N0YXZvOm9jdGF2bw==' } }),
    'an unknown address, without a credential': () => get('/api/v1/nothing', { key: null }),
  },
  invalid_token: {
    'a key that is cut off': () => get(PROJECTS, { key: api.owner_key.slice(0, -1) }),
    'a key that nobody has': () => get(PROJECTS, { key: newSecret('key') }),
    'a key that was revoked': async () => {
      const key = await api.newKey(api.owner_tenant)
      await owner.apiKeys.remove(key.id)
      return get(PROJECTS, { key: key.secret })
    },
    'a key that has expired': async () => {
      const key = await api.newKey(api.owner_tenant, { expires_at: new Date(Date.now() + 300).toISOString() })
      await sleep(350)
      return get(PROJECTS, { key: key.secret })
    },
    'a tenant that is suspended': async () => {
      const { tenant, secret } = await api.newTenant()
      await suspendTenant(api.app.system, tenant, true)
      return get(PROJECTS, { key: secret })
    },
  },
  insufficient_user_authentication: { 'a new key, an hour after the sign-in': () => createKeyLate(api) },
  insufficient_scope: {
    'a key that may only read': async () => {
      const { secret } = await api.newKey(api.owner_tenant, { scopes: ['projects:read'] })
      return post(PROJECTS, { name: 'x' }, { key: secret })
    },
  },
  permission_denied: {
    'a key of one project creates another': async () => {
      const { id } = await owner.projects.create({ name: 'Mine' })
      const { secret } = await api.newKey(api.owner_tenant, { project_ids: [id] })
      return post(PROJECTS, { name: 'x' }, { key: secret })
    },
    'a key gives a right that it does not have': async () => {
      const { secret } = await api.newKey(api.owner_tenant, { scopes: ['api_keys:manage'] })
      return post('/api/v1/api-keys', { name: 'x', scopes: ['documents:read'] }, { key: secret })
    },
  },
  not_found: {
    'an id that nothing has': () => get(ABSENT),
    'an id that cannot be one': () => get(`${PROJECTS}/abc`),
    'a project of another tenant': async () =>
      get(`${PROJECTS}/${(await otherTenant.projects.create({ name: 'Theirs' })).id}`),
    'a path that cannot be decoded': () => get(`${PROJECTS}/%E0%A4%A`),
    'an absent resource, before a bad body': () => patch(ABSENT, '{'),
    'an unknown path': () => get('/api/v1/nothing'),
    'an unknown path outside the API': () => get('/nothing', { key: null }),
    'an unknown version': () => get('/api/v2/projects'),
    'a slash too many': () => get(`${PROJECTS}/`),
  },
  method_not_allowed: {
    'DELETE of a collection': () => get(PROJECTS, { method: 'DELETE' }),
    'a method of WebDAV': () => get(PROJECTS, { method: 'PROPFIND' }),
  },
  not_acceptable: { 'only HTML is wanted': () => get(PROJECTS, { headers: { accept: 'text/html' } }) },
  conflict: {
    'an external_id that is taken': async () => {
      await owner.documents.create({ title: 'Lease', external_id: 'lease-1' })
      return post(DOCUMENTS, { title: 'Lease', external_id: 'lease-1' })
    },
    'a page number that is taken': async () => {
      const { id } = await owner.documents.create({ title: 'Lease', source: { type: 'text', text: 'One page' } })
      return post(`${DOCUMENTS}/${id}/pages`, { text: 'Another', number: 1 })
    },
  },
  resource_in_use: {
    'a project that has documents': async () => {
      const { id } = await owner.projects.create({ name: 'Leases' })
      await owner.documents.create({ title: 'Lease', project_id: id })
      return get(`${PROJECTS}/${id}`, { method: 'DELETE' })
    },
  },
  precondition_failed: {
    'a change of what somebody else has changed': async () => {
      const { id } = await owner.projects.create({ name: 'Leases' })
      const { etag = '' } = (await get(`${PROJECTS}/${id}`)).headers
      await owner.projects.update(id, { name: 'Rents' })
      return patch(`${PROJECTS}/${id}`, { name: 'Leases, old' }, { headers: { 'if-match': etag } })
    },
  },
  payload_too_large: {
    'a length over the bound': () =>
      get(PROJECTS, { method: 'POST', headers: { 'content-type': 'application/json', 'content-length': '1048577' } }),
    'a body that grows over the bound while it comes': () => {
      const chunk = Buffer.alloc(256 * 1024, ' ')
      const head = `POST ${PROJECTS} HTTP/1.1\r\nHost: x\r\n${bearer}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
      const chunks = Array.from({ length: 5 }, () => ['40000\r\n', chunk, '\r\n']).flat()
      return exchange(api.url, head, ...chunks)
    },
  },
  uri_too_long: { 'a query of 9,000 characters': () => get(`${PROJECTS}?limit=${'1'.repeat(9_000)}`) },
  headers_too_large: {
    'a header of 17 KiB': () => get(PROJECTS, { headers: { 'x-much': 'x'.repeat(17 * 1024) } }),
    'a header that the parser itself refuses': () =>
      exchange(api.url, `GET ${PROJECTS} HTTP/1.1\r\nHost: x\r\nX-Much: ${'x'.repeat(70 * 1024)}\r\n\r\n`),
  },
  unsupported_media_type: {
    'a form': () => post(PROJECTS, 'name=x', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    'JSON in another encoding': () =>
      post(PROJECTS, '{}', { headers: { 'content-type': 'application/json; charset=utf-16' } }),
    'a compressed body': () => post(PROJECTS, '{}', { headers: { 'content-encoding': 'gzip' } }),
    'no type at all': () =>
      exchange(
        api.url,
        `POST ${PROJECTS} HTTP/1.1\r\nHost: x\r\n${bearer}Connection: close\r\nContent-Length: 2\r\n\r\n{}`,
      ),
  },
  idempotency_key_reused: {
    'a key with another body': async () => {
      const headers = { 'idempotency-key': crypto.randomUUID() }
      await post(PROJECTS, { name: 'One' }, { headers })
      return post(PROJECTS, { name: 'Two' }, { headers })
    },
  },
  idempotency_in_progress: { 'a key whose first request is not done': repeatTooSoon },
  rate_limit_exceeded: {
    'more requests than the tier allows': exceedRequests,
    'more at once than the tier allows': exceedConcurrency,
    'too many unknown keys': guessKeys,
  },
  internal_error: { 'a bug: a table that is not there': loseTable },
  service_unavailable: {
    'the database is gone': (t) => loseDatabase(t, true),
    'the database is gone, and the key is not remembered': (t) => loseDatabase(t, false),
    'a write reaches a database that has become a standby': writeToStandby,
  },
}

/** Codes that nothing can provoke yet, with the reason. Remove the entry when the reason no longer holds. */
const cannotOccur: Partial<Record<ErrorCode, string>> = {
  version_retired: 'v1 is the first version',
  invalid_state: 'no resource has states that a request can change',
}

for (const [code, titles] of Object.entries(stories) as [ErrorCode, Record<string, ErrorStory>][]) {
  for (const [title, story] of Object.entries(titles)) {
    test(`${code}: ${title}`, async (t) => {
      const answer = await story(t)

      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
      const body = errorOf(answer)
      assert.deepEqual([answer.status, body.code], [statusOf(code), code], answer.text)
      assert.deepEqual(Object.keys(body), ['code', 'message', 'details', 'request_id', 'doc_url'])
      assert.equal(body.request_id, answer.headers['request-id'])
      assert.match(body.doc_url, new RegExp(`^http://127\\.0\\.0\\.1:\\d+/errors#${code}$`))
      assert.equal(answer.headers['cache-control'], 'no-store')
    })
  }
}

test('distinguishes an unknown path from a missing resource', async () => {
  const messageOf = async (path: string): Promise<string> => errorOf(await get(path)).message

  for (const path of ['/api/v1/nothing', '/api/v2/projects', '/nothing'])
    assert.equal(await messageOf(path), 'No such endpoint.', path)
  const theirs = await otherTenant.projects.create({ name: 'Theirs' })
  for (const path of [ABSENT, `${PROJECTS}/abc`, `${PROJECTS}/${theirs.id}`])
    assert.equal(await messageOf(path), 'Not found, or your credentials do not give access.', path)
})

test('every error code has a scenario or a reason why it cannot occur', () => {
  for (const code of Object.keys(errorCodes) as ErrorCode[]) {
    const has_story = Object.keys(stories[code] ?? {}).length > 0
    assert.notEqual(has_story, code in cannotOccur, `'${code}' needs either a story or a reason in cannotOccur`)
  }
})
