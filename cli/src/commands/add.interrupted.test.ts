import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { after, test } from 'node:test'
import type { Octavo } from '@octavo/sdk'
import { startApi } from '../../../server/src/testing/api.ts'
import { until } from '../../../server/src/testing/jobs.ts'
import { Person, tableRows } from '../testing/run.ts'

/** A server without a worker: files that are sent are never read. */
const idle = await startApi({ after }, {}, undefined, false)
const WORDS = 'Rent is 1,200 a month. It is due on the third day of each month.'

async function enter(): Promise<{ person: Person; client: Octavo }> {
  const { secret, client } = await idle.newTenant()
  const person = new Person({ OCTAVO_URL: idle.url, OCTAVO_API_KEY: secret })
  after(() => person.leave())
  return { person, client }
}

async function interrupted(
  more: string[],
  has_reader = true,
): Promise<{ exit: number | null; out: string; err: string; statuses: string[] }> {
  const { person, client } = await enter()
  for (const name of ['1.txt', '2.txt', '3.txt']) person.file(name, `${WORDS} ${name}`)
  const started = person.start(['documents', 'add', '1.txt', '2.txt', '3.txt', '--concurrency', '2', ...more])
  await until(async () => (await client.jobs.list()).data.length === 2)

  if (!has_reader) started.hangUp()
  started.signal('SIGINT')
  const ended = await started.ended
  return { ...ended, statuses: (await client.jobs.list()).data.map(({ status }) => status) }
}

test('Ctrl-C stops sending and cancels the jobs it started', async () => {
  const { exit, out, err, statuses } = await interrupted([])

  assert.deepEqual([exit, statuses], [130, ['cancelled', 'cancelled']])
  assert.deepEqual(Object.fromEntries(tableRows(out)), {
    '1.txt': 'cancelled',
    '2.txt': 'cancelled',
    '3.txt': 'not sent',
  })
  assert.match(err, /^Canceled on the server too.*octavo documents delete doc_\w+ doc_\w+$/m)
})

test('Ctrl-C cancels jobs even if the pipe reader exits first', async () => {
  const { exit, statuses } = await interrupted([], false)

  assert.deepEqual([exit, statuses], [130, ['cancelled', 'cancelled']])
})

test('Ctrl-C does not cancel documents that another client sent', async (t) => {
  const { person, client } = await enter()
  person.file('notes.txt', WORDS)
  await person.run(['documents', 'add', 'notes.txt', '--no-wait'])
  const { id, document_id } = (await client.jobs.list()).data[0]!
  const asked: string[] = []
  const listen = ({ url }: { url?: string }): void => void asked.push(url!)
  idle.server.server.on('request', listen)
  t.after(() => idle.server.server.off('request', listen))

  const started = person.start(['documents', 'add', 'notes.txt', '--on-duplicate', 'return_existing'])
  await until(async () => asked.some((url) => url.includes(id)))
  started.signal('SIGINT')
  const { exit, out, err } = await started.ended

  assert.deepEqual([exit, tableRows(out)[0]], [130, ['notes.txt', 'sent', '', document_id, '']])
  assert.equal(err, `\n1 file: 1 sent\nStill processing: ${document_id}\n`)
  assert.equal((await client.jobs.get(id)).status, 'queued')
})

test('Ctrl-C stops waiting for input on an idle pipe', { timeout: 20_000 }, async () => {
  const { person } = await enter()
  const started = person.start(['documents', 'add', '-', '--name', 'piped.txt'], { stdin: null })
  await started.flood()

  started.signal('SIGINT')
  const { exit, out } = await started.ended

  assert.deepEqual([exit, tableRows(out)[0]?.slice(0, 2)], [130, ['piped.txt', 'not sent']])
})

test('exits with code 1 if another client cancels the ingestion', async () => {
  const { person, client } = await enter()
  person.file('notes.txt', WORDS)
  const started = person.start(['documents', 'add', 'notes.txt'])
  const jobs = async () => (await client.jobs.list()).data
  await until(async () => (await jobs()).length === 1)

  await client.jobs.update((await jobs())[0]!.id, { status: 'cancelled' })
  const { exit, out } = await started.ended

  assert.deepEqual([exit, tableRows(out)[0]?.slice(0, 2)], [1, ['notes.txt', 'cancelled']])
})

test('--detach leaves the sent files ingesting after Ctrl-C', async () => {
  const { exit, err, statuses } = await interrupted(['--detach'])

  assert.deepEqual([exit, statuses], [130, ['queued', 'queued']])
  assert.match(err, /^Still processing: doc_\w+ doc_\w+$/m)
})

test('reports a file as sent, not failed, if the server goes away after receiving it', async (t) => {
  const { tenant, client } = await idle.newTenant()
  // It does not follow the job, so it gives up sooner.
  const { secret } = await idle.newKey(tenant, { scopes: ['documents:read', 'documents:write'] })
  const person = new Person({ OCTAVO_API_KEY: secret })
  t.after(() => person.leave())
  person.file('notes.txt', WORDS)
  const through: Socket[] = []
  const line = createServer((near) => {
    const far = connect(Number(new URL(idle.url).port), '127.0.0.1')
    pipeline(near, far, near, () => {})
    through.push(near)
  }).listen(0, '127.0.0.1')
  t.after(() => line.close())
  await once(line, 'listening')
  const OCTAVO_URL = `http://127.0.0.1:${(line.address() as AddressInfo).port}`
  const add = (...more: string[]) => person.start(['documents', 'add', 'notes.txt', ...more], { env: { OCTAVO_URL } })

  const [plain, json] = [add(), add('--json')]
  await until(async () => (await client.jobs.list()).data.length === 2)
  line.close()
  for (const socket of through) socket.destroy()
  const [{ exit, out, err }, other] = await Promise.all([plain.ended, json.ended])

  assert.deepEqual([exit, other.exit, tableRows(out)[0]?.slice(0, 3)], [5, 5, ['notes.txt', 'sent', '']])
  assert.match(err, /^notes\.txt was uploaded, but the result is not known:\n {2}The server at \S+ cannot be reached:/m)
  assert.match(err, /^1 file: 1 sent$/m)
  const { status, error } = JSON.parse(other.out) as { status: string; error: { code: string } }
  assert.deepEqual([status, error.code], ['sent', 'connection_failed'])
})

test('--no-wait exits as soon as every file is sent', async () => {
  const { person } = await enter()
  person.file('notes.txt', WORDS)

  const { exit, out } = await person.run(['documents', 'add', 'notes.txt', '--no-wait'])

  assert.deepEqual([exit, tableRows(out)[0]?.[1]], [0, 'sent'])
})

test('Ctrl-C exits at once while files wait for a server that does not accept connections', {
  timeout: 8000,
}, async (t) => {
  const person = new Person({ OCTAVO_API_KEY: `oct_key_${'0'.repeat(46)}` })
  t.after(() => person.leave())
  const files = ['1.bin', '2.bin', '3.bin', '4.bin']
  for (const name of files) person.file(name, new Uint8Array(30_000_000))
  const held: Socket[] = []
  // It never answers the greeting of TLS.
  const mute = createServer((socket) => held.push(socket)).listen(0, '127.0.0.1')
  t.after(() => {
    mute.close()
    for (const socket of held) socket.destroy()
  })
  await once(mute, 'listening')

  const OCTAVO_URL = `https://127.0.0.1:${(mute.address() as AddressInfo).port}`
  const started = person.start(['documents', 'add', ...files], { env: { OCTAVO_URL } })
  await once(mute, 'connection')
  started.signal('SIGINT')
  const { exit, out, err } = await started.ended

  assert.deepEqual(
    [exit, tableRows(out).map(([, status]) => status), err],
    [130, Array(4).fill('not sent'), '\n4 files: 4 not sent\n'],
  )
})
