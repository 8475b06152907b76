import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { countingFetch } from './sending.ts'

const SIZE = 4_000_000

async function startServer(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/documents`
}

function newForm(): FormData {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(SIZE)]), 'zeros.bin')
  return form
}

test('bytes of failed attempts do not count as sent', async (t) => {
  const statuses = [503, 0, 201]
  const url = await startServer(t, (request, response) => {
    request.resume().once('end', () => {
      const status = statuses.shift()!
      if (status === 0) request.socket.destroy()
      else response.writeHead(status).end()
    })
  })
  const told: number[] = []
  const send = countingFetch((sent_bytes) => told.push(sent_bytes))

  for (const outcome of [503, 'lost', 201]) {
    told.length = 0
    const { status } = await send(url, { method: 'POST', body: newForm() }).catch(() => ({ status: 'lost' }))

    assert.equal(status, outcome)
    assert.equal(told[0], 0)
    assert.ok(Math.max(...told) > SIZE)
    assert.equal(told.at(-1)! > SIZE, outcome === 201)
  }
})

test('bytes that leave after a refusal do not count as sent', async (t) => {
  const url = await startServer(t, (request, response) => {
    response.writeHead(429).end()
    request.resume()
  })
  const told: number[] = []

  const { status } = await countingFetch((sent_bytes) => told.push(sent_bytes))(url, {
    method: 'POST',
    body: newForm(),
  })
  const count = told.length
  await new Promise((resolve) => setTimeout(resolve, 200))

  assert.deepEqual([status, told.at(-1), told.length], [429, 0, count])
})

test('encodes a form the way fetch does', async (t) => {
  const received: string[] = []
  const url = await startServer(t, (request, response) => {
    const type = request.headers['content-type']!
    let body = ''
    request.setEncoding('latin1').on('data', (chunk: string) => (body += chunk))
    request.once('end', () => {
      received.push(`${type}\n${body}`.replaceAll(type.split('boundary=')[1]!, 'BOUNDARY'))
      response.writeHead(201).end()
    })
  })
  const form = new FormData()
  form.set('title', 'Two\nlines, “quoted”')
  form.set('file', new Blob([new Uint8Array([0, 13, 10, 255])], { type: 'application/pdf' }), 'a "quoted"\nnäme.pdf')
  form.set('other', new Blob(['x']), 'x')

  await fetch(url, { method: 'POST', body: form })
  await countingFetch(() => {})(url, { method: 'POST', body: form })

  assert.match(received[0]!, /^multipart\/form-data; boundary=BOUNDARY\n--BOUNDARY\r\n/)
  assert.equal(received[1], received[0])
})
