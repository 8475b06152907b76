import assert from 'node:assert/strict'
import dns, { type LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { test } from 'node:test'
import { newLookup, shareLookups } from './lookup.ts'

const HOME: LookupAddress[] = [{ address: '192.0.2.1', family: 4 }]
const MOVED: LookupAddress[] = [{ address: '192.0.2.2', family: 4 }]

/** A resolver that answers on demand. */
function openResolver() {
  const waiting: ((error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void)[] = []
  const look = newLookup((_, __, answer) => void waiting.push(answer), 20)
  const find = () =>
    new Promise<string | LookupAddress[]>((resolve, reject) =>
      look('db', { all: true }, (error, found) => (error ? reject(error) : resolve(found))),
    )
  return { waiting, look, find }
}
const failing = (code: string) => Object.assign(new Error(code), { code })

test('concurrent lookups of a name share one query', async () => {
  const { waiting, find } = openResolver()
  const all = [find(), find(), find()]
  assert.equal(waiting.length, 1)
  waiting.pop()!(null, HOME)
  assert.deepEqual(await Promise.all(all), [HOME, HOME, HOME])
  const again = find()
  assert.equal(waiting.length, 1, 'what was answered is asked for anew')
  waiting.pop()!(null, MOVED)
  assert.deepEqual(await again, MOVED)
})

test('serves the last result while a lookup is pending or fails, then uses the next one', async () => {
  const { waiting, find } = openResolver()
  const first = find()
  waiting.pop()!(null, HOME)
  await first
  assert.deepEqual([await find(), await find()], [HOME, HOME])
  assert.equal(waiting.length, 1, 'the silent resolver is asked once')
  waiting.pop()!(failing('EAI_AGAIN'), [])
  const troubled = find()
  waiting.pop()!(failing('EAI_AGAIN'), [])
  assert.deepEqual(await troubled, HOME)
  const moved = find()
  waiting.pop()!(null, MOVED)
  assert.deepEqual(await moved, MOVED)
})

test('a name that no longer exists is an error, and its address is forgotten', async () => {
  const { waiting, find } = openResolver()
  const first = find()
  waiting.pop()!(null, HOME)
  await first
  const gone = find()
  waiting.pop()!(failing('ENOTFOUND'), [])
  await assert.rejects(gone, { code: 'ENOTFOUND' })
  const later = find()
  waiting.pop()!(failing('EAI_AGAIN'), [])
  await assert.rejects(later, { code: 'EAI_AGAIN' })
})

test('supports every call signature of dns.lookup', async () => {
  const { waiting, look } = openResolver()
  const answers: unknown[][] = []
  look('db', (...answer) => void answers.push(answer))
  look('db', 4, (...answer) => void answers.push(answer))
  look('db', { family: 4 }, (...answer) => void answers.push(answer))
  look('db', { family: 4, all: true }, (...answer) => void answers.push(answer))
  assert.equal(waiting.length, 2)
  for (const answer of waiting) answer(null, HOME)
  await new Promise(setImmediate)
  const one = [null, '192.0.2.1', 4]
  assert.deepEqual(answers, [one, one, one, [null, HOME]])
})

test('all connections of a process use this lookup', async (t) => {
  const system = dns.lookup
  t.after(() => {
    dns.lookup = system
  })
  const questions: string[] = []
  dns.lookup = ((name: string, _: object, answer: (error: null, addresses: LookupAddress[]) => void) => {
    questions.push(name)
    setTimeout(answer, 20, null, [{ address: '127.0.0.1', family: 4 }])
  }) as never
  shareLookups()
  const server = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const sockets = [1, 2, 3].map(() => connect(port, 'database.test'))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const socket of sockets) socket.destroy()

  assert.deepEqual(
    questions.filter((name) => name === 'database.test'),
    ['database.test'],
  )
})
