import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { type Listeners, listen } from './listeners.ts'

async function start(name: string, port = 0): Promise<{ server: FastifyInstance; listeners: Listeners; port: number }> {
  const server = fastify({ forceCloseConnections: 'idle' })
  server.get('/', async () => {
    await sleep(300)
    return name
  })
  const listeners = await listen(server, port, '127.0.0.1')
  return { server, listeners, port: (server.server.address() as AddressInfo).port }
}

/** Uses a separate connection for each call. */
const ask = async (port: number): Promise<string> =>
  (await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } })).text()

test('serves many concurrent connections, and two processes can share the port', async (t) => {
  const first = await start('first')
  const second = await start('second', first.port)
  t.after(() => Promise.all([first.listeners.close(), second.listeners.close()]))

  const answers = await Promise.all(Array.from({ length: 200 }, () => ask(first.port)))

  assert.equal(answers.length, 200)
  assert.deepEqual(new Set(answers), new Set(['first', 'second']))
})

test('answers requests in progress before closing, then frees the port', async () => {
  const { listeners, port } = await start('first')
  const asked = Array.from({ length: 20 }, () => ask(port))
  await sleep(150)

  await listeners.close()

  assert.deepEqual(new Set(await Promise.all(asked)), new Set(['first']))
  await assert.rejects(ask(port))
})
