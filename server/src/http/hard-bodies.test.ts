// Bodies and connections that are made to hurt.

import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApi } from '../testing/api.ts'
import { openTunnel } from '../testing/tunnel.ts'

const api = await startApi({ after })

async function post(body: string): Promise<{ status: number; code: string; took_ms: number }> {
  const started = performance.now()
  const answer = await fetch(`${api.url}/api/v1/documents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.owner_key}`, 'content-type': 'application/json' },
    body,
  })
  const { code } = (await answer.json()) as { code: string }
  return { status: answer.status, code, took_ms: performance.now() - started }
}

test('refuses an array of a million numbers with an escape quickly', async () => {
  const { status, code, took_ms } = await post(`{"title":"\\ud83d\\ude00","metadata":[${'0,'.repeat(2_000_000)}0]}`)

  assert.deepEqual([status, code], [400, 'invalid_json'])
  assert.ok(took_ms < 2_000, `took ${took_ms} ms`)
})

test('a deeply nested body does not exhaust the stack', async () => {
  const { status, code } = await post(`{"title":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)

  assert.deepEqual([status, code], [400, 'invalid_json'])
})

test('an object with very many fields is refused', async () => {
  const fields = Array.from({ length: 10_001 }, (_, i) => `"\\"${i}":"{"`)
  const { status, code } = await post(`{"title":"Fields","metadata":{${fields.join(',')}}}`)

  assert.deepEqual([status, code], [400, 'invalid_json'])
})

test('brackets, commas and colons inside strings are not counted', async () => {
  const { status } = await post(JSON.stringify({ title: '[{"\\'.repeat(40), metadata: { a: ',:'.repeat(200) } }))

  assert.equal(status, 201)
})

/** Announces 32 MiB and sends one byte. */
function declareLarge(secret: string): Socket {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `POST /api/v1/documents HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${secret}\r\ncontent-type: application/json\r\ncontent-length: 33554432\r\n\r\n{`,
  )
  return socket
}

test('slow uploads of one key do not block writes by others', async () => {
  const sockets = Array.from({ length: 8 }, () => declareLarge(api.owner_key))
  await sleep(200)
  const title = 'x'.repeat(200)
  const text = 'a'.repeat(2 * 1024 * 1024)

  const { id } = await api.otherTenant.documents.create({
    title,
    source: { type: 'pages', pages: [{ text: text.slice(0, 900_000) }, { text: text.slice(0, 900_000) }] },
  })
  const small = await api.owner.documents.create({ title })

  assert.match(id, /^doc_/)
  assert.match(small.id, /^doc_/)
  for (const socket of sockets) socket.destroy()
})

test('idle uploads with many keys of a tenant do not block large bodies of others', async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, () => api.newKey(api.owner_tenant)))
  const sockets = keys.flatMap(({ secret }) => [declareLarge(secret), declareLarge(secret)])
  await sleep(200)
  const pages = [{ text: 'a'.repeat(900_000) }, { text: 'b'.repeat(900_000) }]

  const { id } = await api.otherTenant.documents.create({ title: 'Large', source: { type: 'pages', pages } })

  assert.match(id, /^doc_/)
  for (const socket of sockets) socket.destroy()
})

test('a reset database connection is a server error, not a bad request', async (t) => {
  let cut = (): void => {}
  const { owner } = await startApi(t, async (database) => {
    const tunnel = await openTunnel(database.app_url)
    cut = () => tunnel.cut()
    return { DATABASE_URL: tunnel.url, DATABASE_DIRECT_URL: database.app_url }
  })
  await owner.projects.list()
  cut()

  await assert.rejects(Promise.resolve(owner.projects.list()), { status: 503, code: 'service_unavailable' })
})
