// Which addresses exist, for whom, and how they are written.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newSecret } from '../auth/credential.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import { ask, errorOf, type TestAnswer } from '../testing/ask.ts'

const BASE = 'https://docs.example.com/octavo'
const api = await startApi({ after })
const installed = await startApi({ after }, { BASE_URL: BASE, TRUSTED_PROXIES: '127.0.0.1/32, ::1' })

/** The paths of a router's printed tree. */
function pathsOf(tree: string): string[] {
  const parts: string[] = []
  const paths: string[] = []
  for (const line of tree.split('\n')) {
    const [, indent = '', rest = ''] = /^([│ ]*)[├└]── (.*)$/.exec(line) ?? []
    if (rest === '') continue
    const depth = indent.length / 4
    parts.length = depth
    parts[depth] = rest.replace(/ \([A-Z, ]+\)$/, '')
    if (/ \([A-Z, ]+\)$/.test(rest)) paths.push(parts.join(''))
  }
  return paths
}

const OPEN = [/^\/errors$/, /^\/openapi\.json$/, /^\/\.well-known\//, /^\/oauth\//, /^\/signed\//, /^\/sign-in(\/|$)/]

const isProtected = (path: string): boolean => path.startsWith('/api/') || path === '/mcp'

test('only a short fixed list of paths is public', async () => {
  const paths = pathsOf(api.server.printRoutes({ commonPrefix: false }))

  assert.ok(paths.includes('/api/v1/documents/:document_id/pages/:page_id'))
  assert.deepEqual(
    paths.filter((path) => !isProtected(path) && !OPEN.some((pattern) => pattern.test(path))),
    [],
  )
  for (const path of paths.filter(isProtected)) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      assert.equal(
        (await ask(api, path.replaceAll(/:\w+/g, 'x'), { method, key: null })).status,
        401,
        `${method} ${path}`,
      )
  }
})

test('no spelling of a path bypasses the key', async () => {
  for (const path of [
    '/%61pi/v1/capabilities',
    '/api/%761/capabilities',
    '/%61%70%69/v1/openapi.json',
    '/api/v1/%63apabilities',
    '/%6dcp',
    '/mcp?x=1',
  ])
    assert.equal((await ask(api, path, { key: null })).status, 401, path)
  for (const path of [
    '//api/v1/capabilities',
    '/API/v1/capabilities',
    '/api%2Fv1/capabilities',
    '/x/../api/v1/capabilities',
    '/./api/v1/capabilities',
  ])
    assert.equal((await ask(api, path, { key: null })).status, 404, path)
  assert.equal((await ask(api, 'http://evil.example/api/v1/capabilities', { key: null })).status, 401)
})

test('paths match exactly', async () => {
  const { id } = await api.owner.documents.create({ title: 'Lease' })
  const wrong = [
    '/documents',
    '/api/documents',
    '/api/v2/documents',
    '/api/v1/documents/',
    '/api/v1/Documents',
    '/api/v1/documents//',
    '/api',
    '/api/',
  ]

  for (const path of [
    ...wrong,
    `/api/v1/documents/${id}/`,
    `/api/v1/documents/${id.toUpperCase()}`,
    `/api/v1/documents/${id}x`,
  ]) {
    const answer = await ask(api, path)
    assert.deepEqual([answer.status, errorOf(answer).code], [404, 'not_found'], path)
  }
})

test('refuses an unsupported method and lists the supported ones', async () => {
  const answer = await ask(api, '/api/v1/events', { method: 'POST', body: '{}' })

  assert.deepEqual(
    [answer.status, answer.headers.allow, errorOf(answer).code],
    [405, 'GET, HEAD, OPTIONS', 'method_not_allowed'],
  )
  const override = { 'x-http-method-override': 'DELETE' }
  assert.equal((await ask(api, '/api/v1/capabilities', { method: 'POST', body: '{}', headers: override })).status, 405)
})

test('an installation under a path serves there, and all its URLs start with BASE_URL', async () => {
  const created = await ask(installed, '/octavo/api/v1/documents', {
    method: 'POST',
    body: '{"title":"Lease"}',
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  })
  await installed.owner.documents.create({ title: 'Another' })
  const { location } = created.headers
  const list = await ask(installed, '/octavo/api/v1/documents?limit=1', { headers: { host: 'evil.example' } })
  const absent = await ask(installed, '/octavo/api/v1/documents/x')
  const refused = await ask(installed, '/octavo/api/v1/documents', { key: null })

  assert.equal(created.status, 201)
  assert.match(location!, /^https:\/\/docs\.example\.com\/octavo\/api\/v1\/documents\/doc_\w+$/)
  assert.equal((await ask(installed, new URL(location!).pathname)).status, 200)
  assert.ok(String(list.headers.link).startsWith(`<${BASE}/api/v1/documents?limit=1&cursor=`))
  assert.equal(errorOf(absent).doc_url, `${BASE}/errors#not_found`)
  assert.equal((await ask(installed, '/octavo/errors', { key: null })).status, 200)
  assert.equal(
    refused.headers['www-authenticate'],
    `Bearer realm="api", resource_metadata="${BASE}/.well-known/oauth-protected-resource/api"`,
  )
  assert.match(String(created.headers['strict-transport-security']), /max-age=\d+/)
  for (const path of ['/octavoapi/v1/documents', '/octavo/octavo/api/v1/documents', '/octavo', '/octavo/'])
    assert.equal((await ask(installed, path)).status, 404, path)
})

test('replays a large page under a path prefix', async () => {
  const { id } = await installed.owner.documents.create({ title: 'Lease' })
  const body = JSON.stringify({ text: 'x\n'.repeat(450_000) })
  const create = () =>
    ask(installed, `/octavo/api/v1/documents/${id}/pages`, {
      method: 'POST',
      body,
      headers: { 'idempotency-key': 'large' },
    })

  const [first, second] = [await create(), await create()]

  assert.deepEqual([first.status, second.status, second.headers['idempotent-replayed']], [201, 201, 'true'])
  assert.equal(second.text, first.text)
})

/** A guess at a key that comes from an address. */
const guess = (at: TestApi, from: string): Promise<TestAnswer> =>
  ask(at, '/api/v1/capabilities', { key: newSecret('key'), headers: { 'x-forwarded-for': from } })

/** Guesses until one gets 429. While a slow machine guesses, the limit admits one more each second. */
async function guessUntilLimited(at: TestApi, from: (i: number) => string): Promise<TestAnswer[]> {
  const answers: TestAnswer[] = []
  while (answers.at(-1)?.status !== 429 && answers.length < 1_000) answers.push(await guess(at, from(answers.length)))
  return answers
}

test('behind a trusted proxy, each address has its own limit of failed attempts', async () => {
  const answers = await guessUntilLimited(installed, () => '203.0.113.7')
  const spoofed = await guessUntilLimited(installed, () => 'spoofed, 203.0.113.7')
  const other = await guess(installed, '203.0.113.8')
  const [valid, short] = await Promise.all(
    [undefined, 'short'].map((key) =>
      ask(installed, '/api/v1/capabilities', { ...(key && { key }), headers: { 'x-forwarded-for': '203.0.113.7' } }),
    ),
  )

  const [last] = answers.slice(-1)
  assert.ok(last)
  assert.deepEqual([answers.slice(0, 60).every(({ status }) => status === 401), last.status], [true, 429])
  assert.equal(errorOf(last).details[0]?.field, 'failed_logins')
  assert.ok(Number(last.headers['retry-after']) >= 1)
  assert.ok(spoofed.length < 60, `${spoofed.length} more guesses with a spoofed address`)
  assert.deepEqual([other.status, valid?.status, short?.status], [401, 200, 401])
})

test('without a trusted proxy, a client cannot choose its address', async () => {
  const answers = await guessUntilLimited(api, (i) => `203.0.113.${i % 250}`)

  assert.equal(answers.at(-1)?.status, 429)
})

test('serves the OpenAPI description outside /api without a key, and 304 if unchanged', async () => {
  const open = await ask(api, '/openapi.json', { key: null })
  const guarded = await ask(api, '/api/v1/openapi.json')
  const { etag = '' } = open.headers

  const again = await ask(api, '/openapi.json', { key: null, headers: { 'if-none-match': etag } })

  assert.equal(open.status, 200)
  assert.deepEqual(JSON.parse(open.text), JSON.parse(guarded.text))
  assert.deepEqual([again.status, again.text], [304, ''])
  assert.equal((await ask(api, '/api/v1/openapi.json', { key: null })).status, 401)
})
