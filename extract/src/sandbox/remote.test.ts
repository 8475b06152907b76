import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { openExtract } from '../extract.ts'
import { openSandbox } from './launch.ts'
import { encodeJson, encodeMessage, InvalidMessage, MAX_MESSAGE_BYTES, MessageReader } from './messages.ts'
import { connectSandbox, readRemoteLevel } from './remote.ts'
import { serveSandbox } from './server.ts'

const LIMITS = {
  max_read_bytes: 1e7,
  max_pages: 10,
  max_inflated_bytes: 1e7,
  max_pixels: 1e6,
  parser_heap_mb: 256,
  parser_resident_mb: 500,
  parser_open_seconds: 20,
  parser_page_seconds: 20,
}
const node = (script: string) => ({
  program: process.execPath,
  args: ['-e', script],
  reads: [],
  data_bytes: 2 ** 30,
  cpu_seconds: 60,
})

function newSocket(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-extract-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'extract.sock')
}

async function serve(t: TestContext, level = 'process'): Promise<{ path: string; server: Server }> {
  const path = newSocket(t)
  const server = await serveSandbox(path, openSandbox('process'), level)
  t.after(() => server.close())
  return { path, server }
}

test('an extract process reads a file for another process', async (t) => {
  const { path } = await serve(t)
  const extract = openExtract(LIMITS, undefined, connectSandbox(path))
  t.after(() => extract.close())
  // Longer than a message.
  const bytes = Buffer.from(`First paragraph.\n\n${'word '.repeat(500_000)}`)
  const claims = { media_type: 'text/plain', file_name: 'a.txt', size_bytes: bytes.length }
  const { signal } = new AbortController()

  const reading = await extract.open(async () => Readable.from([bytes]), { ...claims, signal })

  assert.equal((await reading.page(1)).blocks[0]?.text, 'First paragraph.')
  await reading.close()
})

test('input, output, errors and the exit code pass through the socket', async (t) => {
  const { path } = await serve(t)
  const script = `process.stdin.pipe(process.stdout); console.error('a complaint'); process.stdin.on('end', () => process.exitCode = 3)`
  const child = connectSandbox(path).launch(node(script))
  const long = 'x'.repeat(3 * MAX_MESSAGE_BYTES + 1)

  child.stdin.end(long)
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), child.ended])

  assert.equal(output.length, long.length)
  assert.match(errors, /a complaint/)
  assert.equal(code, 3)
  assert.equal(child.used(), null)
})

test('a killed program ends, and its resource usage was reported', async (t) => {
  const { path } = await serve(t)
  const child = connectSandbox(path).launch(node('console.log(process.pid); setInterval(() => {}, 1000)'))
  const [line] = (await child.stdout.take(1).toArray()) as [Buffer]
  const pid = Number(line.toString())
  while (child.used() === null) await new Promise((resolve) => setTimeout(resolve, 10))

  assert.ok((child.used()?.resident_bytes ?? 0) > 0)
  child.kill()
  assert.equal(await child.ended, null)
  const isAlive = (): boolean => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  for (let i = 0; i < 1000 && isAlive(); i++) await new Promise((resolve) => setTimeout(resolve, 10))
  assert.equal(isAlive(), false)
})

test('a lost connection and a missing extract process are not an exit of the program', async (t) => {
  const path = newSocket(t)
  await assert.rejects(connectSandbox(`${path}.none`).launch(node('')).ended, /ENOENT/)

  const lost = newSocket(t)
  const server = createServer((socket) => socket.destroy()).listen(lost)
  t.after(() => server.close())
  await assert.rejects(connectSandbox(lost).launch(node('')).ended, /closed the connection|ECONNRESET|EPIPE/)
})

test('an invalid message of a hostile extract process ends the connection', async (t) => {
  const path = newSocket(t)
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(encodeJson('hello', { level: 'landlock' }))
    socket.write(Buffer.from([4, 255, 255, 255, 255]))
  }).listen(path)
  t.after(() => server.close())

  await assert.rejects(connectSandbox(path).launch(node('')).ended, InvalidMessage)
})

test('an extract process with Landlock counts as a container, a weaker one as what it is', async (t) => {
  const { path: strong } = await serve(t, 'landlock')
  const { path: weak } = await serve(t, 'seccomp')
  const { path: unknown } = await serve(t, 'magic')

  assert.equal((await readRemoteLevel(strong)).level, 'container')
  assert.deepEqual(await readRemoteLevel(weak), {
    level: 'seccomp',
    because: 'the extract process offers only seccomp',
  })
  await assert.rejects(readRemoteLevel(unknown), /unknown sandbox level/)
})

test('messages arrive whole, however they are cut', () => {
  const sent = Buffer.concat([encodeMessage('output', Buffer.from('abc')), encodeMessage('end')])
  const reader = new MessageReader()

  const found = [...sent].flatMap((byte) => [...reader.push(Buffer.from([byte]))])

  assert.deepEqual(
    found.map(({ kind, bytes }) => [kind, bytes.toString()]),
    [
      ['output', 'abc'],
      ['end', ''],
    ],
  )
})
