import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Finding } from './finding.ts'
import { providerChecks } from './providers.ts'
import { readSettings } from './settings.ts'

const needed = {
  BASE_URL: 'http://a',
  DATABASE_URL: 'postgres://a',
  DATABASE_SYSTEM_URL: 'postgres://a',
  OCTAVO_SECRETS: `1:${'0'.repeat(64)}`,
}

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function look(env: Record<string, string>): Promise<Finding> {
  const [check] = providerChecks(readSettings({ ...needed, ...env }, (given) => given))
  return check!.run()
}
const chat = (url: string, more: Record<string, string> = {}) =>
  look({ CHAT_BASE_URL: url, CHAT_MODEL: 'writer', ...more })
const answer =
  (status: number, body: unknown = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, { location: '/' }).end(JSON.stringify(body))

test('a model that responds is ok, even if it rejects the test parameters', async (t) => {
  const well = await serve(t, answer(200))
  const particular = await serve(t, ({ method }, response) =>
    response.writeHead(method === 'POST' ? 400 : 200).end('{"data":[{"id":"writer"}]}'),
  )

  assert.equal((await chat(well)).says, `${well} responds (writer).`)
  assert.equal((await chat(particular)).status, 'ok')
})

test('names an unknown model and the models that the server has', async (t) => {
  const url = await serve(t, ({ method }, response) =>
    response.writeHead(method === 'POST' ? 404 : 200).end('{"data":[{"id":"one"},{"id":"two"}]}'),
  )
  const bare = await serve(t, answer(404))

  const found = await chat(url)
  assert.deepEqual([found.status, found.says], ['failed', `${url} has no model 'writer'.`])
  assert.match(found.remedy!, /CHAT_MODEL to one of its models: one, two\./)
  assert.match((await chat(bare)).says, /no model 'writer', or it is not the URL/)
})

test('names the variable of a missing or rejected key, never its value', async (t) => {
  const url = await serve(t, answer(403))
  const dir = mkdtempSync(join(tmpdir(), 'octavo-doctor-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const MODELS_FILE = join(dir, 'models.json')
  const model = { id: 'm', provider: 'hosted', model: 'm', kind: 'embedder', context_tokens: 9, dimensions: 8 }
  writeFileSync(
    MODELS_FILE,
    JSON.stringify({
      providers: [{ id: 'hosted', base_url: url, locality: 'remote', api_key_env: 'HOSTED' }],
      models: [model],
    }),
  )

  const [none, wrong, listed] = await Promise.all([
    chat(url),
    chat(url, { CHAT_API_KEY: 'sk-hidden' }),
    look({ MODELS_FILE, HOSTED: 'sk-hidden' }),
  ])
  assert.match(none.says, /refuses \(403\): it needs a key, and none is set/)
  assert.match(wrong.says, /does not accept the key in CHAT_API_KEY/)
  assert.match(listed.says, /does not accept the key in HOSTED/)
  assert.doesNotMatch(JSON.stringify([none, wrong, listed]), /hidden/)
})

test('explains errors, redirects, payment and rate limit responses', async (t) => {
  const says = async (status: number) => (await chat(await serve(t, answer(status)))).says

  assert.match(await says(500), /internal error: it returns 500/)
  assert.match(await says(302), /redirect \(302\)/)
  assert.match(await says(402), /requires payment/)
  assert.match(await says(429), /too many requests/)
  assert.match((await chat('http://127.0.0.1:9')).says, /cannot be reached: /)
})

test('reports Tika with its version and does not mistake another server for it', async (t) => {
  const tika = await serve(t, (_, response) => response.end('Apache Tika 3.3.2'))

  assert.match((await look({ TIKA_URL: tika })).says, /^Apache Tika 3\.3\.2 at .* responds/)
  assert.match((await look({ TIKA_URL: await serve(t, answer(200, 'hello')) })).says, /is not Apache Tika/)
  assert.match((await look({ TIKA_URL: 'http://127.0.0.1:9' })).says, /cannot be reached/)
})

test('reports a docling server that rejects the key', async (t) => {
  const url = await serve(t, answer(401))

  assert.equal((await look({ DOCLING_URL: await serve(t, answer(200)) })).status, 'ok')
  assert.match(
    (await look({ DOCLING_URL: url, DOCLING_API_KEY: 'x' })).says,
    /rejects the key in DOCLING_API_KEY \(401\)/,
  )
})
