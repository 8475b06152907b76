// S3 only: signed requests, and a server that may be slow, silent, wrong or gone.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  assertNothing,
  bytesOf,
  listBegunOf,
  MiB,
  newKey,
  openStores,
  PDF,
  s3Config,
  sourceOf,
  streamOf,
  streamText,
} from '../testing/files.ts'
import { openS3 } from './s3.ts'
import { type FileStore, StorageUnavailable } from './store.ts'

const { files } = openStores()[1]!
const send = (url: string, body: Buffer, headers: Record<string, string>): Promise<Response> =>
  fetch(url, { method: 'PUT', body: new Uint8Array(body), headers })

describe('signed requests', () => {
  const given = { media_type: 'application/pdf', size_bytes: 100, seconds: 60 }

  test('one PUT stores the bytes', async () => {
    const key = newKey()
    const { url, headers } = (await files.signPut(key, given))!
    assert.deepEqual(headers, { 'content-type': 'application/pdf' })

    const answer = await send(url, bytesOf(100), headers)

    assert.equal(answer.status, 200)
    assert.ok((await buffer((await files.get(key))!)).equals(bytesOf(100)))
  })

  test('refuses another length, type or key', async () => {
    const key = newKey()
    const other = newKey()
    const { url, headers } = (await files.signPut(key, given))!

    for (const size of [99, 101, 0, MiB])
      assert.equal((await send(url, bytesOf(size), headers)).status, 403, `${size} bytes`)
    assert.equal((await send(url, bytesOf(100), { 'content-type': 'text/html' })).status, 403)
    assert.equal((await send(url, bytesOf(100), {})).status, 403)
    assert.equal((await send(url.replace(key, other), bytesOf(100), headers)).status, 403)
    assert.equal((await fetch(url, { method: 'GET' })).status, 403)
    await assertNothing(files, key)
    await assertNothing(files, other)
  })

  test('refuses a part of another length or number', async () => {
    const key = newKey()
    const upload = await files.beginParts(key, 'application/pdf')
    const { url, headers } = (await files.signPart(key, upload, { number: 2, size_bytes: 100, seconds: 60 }))!
    assert.deepEqual(headers, {})

    assert.equal((await send(url, bytesOf(101), headers)).status, 403)
    assert.equal((await send(url.replace('partNumber=2', 'partNumber=3'), bytesOf(100), headers)).status, 403)
    assert.deepEqual(await files.listParts(key, upload), [])
    assert.equal((await send(url, bytesOf(100), headers)).status, 200)
    assert.deepEqual(await files.listParts(key, upload), [{ number: 2, size_bytes: 100 }])
  })

  test('refuses an expired request', async () => {
    const { url, headers } = (await files.signPut(newKey(), { ...given, seconds: 1 }))!
    await sleep(2_100)

    assert.equal((await send(url, bytesOf(100), headers)).status, 403)
  })

  test('signed URLs contain no checksum that clients would have to know', async () => {
    const key = newKey()
    const upload = await files.beginParts(key, 'application/pdf')
    const urls = [
      (await files.signPut(key, given))!.url,
      (await files.signPart(key, upload, { ...given, number: 1 }))!.url,
    ]

    for (const url of urls) {
      assert.doesNotMatch(url, /checksum|crc|sha1|md5/i)
      assert.match(url, /X-Amz-SignedHeaders=content-length%3B(content-type%3B)?host/)
    }
  })

  test('signed URLs use the public endpoint', async (t) => {
    const apart = openS3(s3Config({ public_endpoint: 'https://files.example.com' }))
    t.after(() => apart.close())

    const { url } = (await apart.signPut(newKey(), given))!

    assert.ok(url.startsWith(`https://files.example.com/${process.env.S3_BUCKET}/`))
  })
})

/** Patience of 300 ms, so that the test has some too. */
function openAt(t: TestContext, extra: Parameters<typeof s3Config>[0]): FileStore {
  const store = openS3(s3Config({ timeout_ms: 300, ...extra }))
  t.after(() => store.close())
  return store
}

async function listen(t: TestContext, server: Pick<Server, 'listen' | 'close' | 'address'>): Promise<string> {
  server.listen(0, '127.0.0.1')
  t.after(() => void server.close())
  await once(server as Server, 'listening')
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

async function assertAllFail(store: FileStore): Promise<void> {
  const key = newKey()
  const asked: [string, () => Promise<unknown>][] = [
    ['find', () => store.find(key)],
    ['get', () => store.get(key)],
    ['remove', () => store.remove(key)],
    ['list', () => store.list('', null)],
    ['listBegun', () => store.listBegun(null)],
    ['listParts', () => store.listParts(key, 'x')],
    ['endParts', () => store.endParts(key, 'x')],
    ['abortParts', () => store.abortParts(key, 'x')],
    ['beginParts', () => store.beginParts(key, 'a/b')],
    ['put', () => store.put(key, streamOf(bytesOf(100)), PDF)],
    ['putPart', () => store.putPart(key, 'x', { number: 1, size_bytes: 100, bytes: streamOf(bytesOf(100)) })],
  ]
  await Promise.all(asked.map(([what, ask]) => assert.rejects(ask(), StorageUnavailable, what)))
}

describe('a failing server', () => {
  test('fails if the server accepts connections and never responds', { timeout: 10_000 }, async (t) => {
    const sockets = new Set<{ destroy(): unknown }>()
    const endpoint = await listen(
      t,
      createSocketServer((socket) => void sockets.add(socket.on('error', () => {}))) as never,
    )
    t.after(() => void [...sockets].map((socket) => socket.destroy()))

    await assertAllFail(openAt(t, { endpoint }))
  })

  test('fails if the server is unreachable', { timeout: 10_000 }, (t) =>
    assertAllFail(openAt(t, { endpoint: 'http://127.0.0.1:1' })),
  )

  test('a wrong secret, key or bucket is an error, not an empty store', { timeout: 20_000 }, async (t) => {
    await assertAllFail(openAt(t, { timeout_ms: 5_000, secret_access_key: 'wrong' }))
    await assertAllFail(openAt(t, { timeout_ms: 5_000, access_key_id: 'nobody' }))
    await assertAllFail(openAt(t, { timeout_ms: 5_000, bucket: 'octavo-no-such-bucket' }))
  })

  test('a stalled body fails the reader, but a slow reader does not', async (t) => {
    const whole = bytesOf(4 * MiB)
    const server = createServer((request, answer) => {
      const isStalled = request.url!.includes('stalled')
      answer.writeHead(200, { 'content-length': whole.length })
      answer.write(whole.subarray(0, isStalled ? MiB : whole.length))
      if (!isStalled) answer.end()
    })
    t.after(() => server.closeAllConnections())
    const endpoint = await listen(t, server)
    const slow = (await openAt(t, { endpoint }).get(newKey()))!
    const stalled = (await openAt(t, { endpoint, prefix: 'stalled/' }).get(newKey()))!

    await assert.rejects(buffer(stalled), StorageUnavailable)
    await once(slow, 'readable')
    await sleep(900)
    assert.equal((await buffer(slow)).length, whole.length)
  })

  test('a body that breaks off fails the reader', async (t) => {
    const server = createServer((_request, answer) => {
      answer.writeHead(200, { 'content-length': 100 })
      answer.write('half', () => answer.destroy())
    })
    const reader = (await openAt(t, { endpoint: await listen(t, server) }).get(newKey())) as Readable

    await assert.rejects(buffer(reader), StorageUnavailable)
  })

  test('retries a request that fails at first', async (t) => {
    let asked = 0
    const server = createServer((_request, answer) => {
      asked++
      answer.writeHead(asked < 3 ? 503 : 200, { 'content-length': 0, 'last-modified': new Date().toUTCString() }).end()
    })
    const store = openAt(t, { endpoint: await listen(t, server), timeout_ms: 5_000 })

    assert.equal((await store.find(newKey()))?.size_bytes, 0)
    assert.equal(asked, 3)
  })

  test('stops reading the source if a part cannot be stored', { timeout: 10_000 }, async (t) => {
    const server = createServer((request, answer) => {
      request.resume()
      const isBegin = request.method === 'POST' && request.url!.includes('uploads')
      const begun = '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>'
      answer.writeHead(isBegin ? 200 : 400, { 'content-type': 'application/xml' }).end(isBegin ? begun : '')
    })
    const store = openAt(t, { endpoint: await listen(t, server), timeout_ms: 3_000 })
    async function* source(): AsyncGenerator<Buffer> {
      for (let i = 0; i < 9; i++) yield bytesOf(MiB)
      await sleep(60_000, undefined, { ref: false })
    }

    await assert.rejects(store.put(newKey(), sourceOf(source()), PDF), StorageUnavailable)
  })
})

test('stores with different prefixes in one bucket are separate', async (t) => {
  const [one, two] = [openAt(t, { timeout_ms: 5_000 }), openAt(t, { timeout_ms: 5_000 })]
  const key = newKey()
  await one.put(key, streamOf(Buffer.from('one')), PDF)
  const upload = await one.beginParts(key, 'a/b')
  t.after(async () => {
    await one.remove(key)
    await one.abortParts(key, upload)
  })

  assert.equal(await streamText(await one.get(key)), 'one')
  assert.equal((await listBegunOf(one, key)).length, 1)
  assert.equal(await two.find(key), null)
  assert.deepEqual(await two.list('', null), [])
  assert.deepEqual(await two.listBegun(null), [])
})
