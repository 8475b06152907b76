import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256 } from './digest.ts'
import { exactly, measured, watched } from './streams.ts'

const refuse = (): Error => new Error('refused')
const pieces = (...texts: string[]): Readable => Readable.from(texts.map((text) => Buffer.from(text)))

test('a late reader loses no data', async () => {
  const passed = measured(watched(exactly(pieces('one', 'two'), 6, refuse), 5_000, refuse))
  await sleep(20)

  assert.equal((await buffer(passed.bytes)).toString(), 'onetwo')
  assert.deepEqual(passed.read(), { size_bytes: 6, sha256: sha256('onetwo') })
})

test('refuses too many and too few bytes', async () => {
  await assert.rejects(buffer(exactly(pieces('one', 'two'), 5, refuse)), /refused/)
  await assert.rejects(buffer(exactly(pieces('one', 'two'), 7, refuse)), /refused/)
  await assert.rejects(buffer(measured(pieces('one', 'two'), { bytes: 5, refuse }).bytes), /refused/)
  assert.equal((await buffer(measured(pieces('one', 'two'), { bytes: 6, refuse }).bytes)).length, 6)
})

test('closes a source that is no longer read, but leaves a request open', async () => {
  const [file, part, body, sent] = [1, 2, 3, 4].map(() => new PassThrough()) as [
    PassThrough,
    PassThrough,
    PassThrough,
    PassThrough,
  ]
  const readers = [
    measured(file).bytes,
    measured(part, { bytes: 5, refuse }).bytes,
    exactly(body, 5, refuse),
    watched(sent, 5_000, refuse),
  ]

  for (const reader of readers) reader.destroy()
  await sleep(20)

  assert.deepEqual(
    [file, part, body, sent].map(({ destroyed }) => destroyed),
    [true, false, false, false],
  )
})

test('a source that breaks off is an error, not an end', async () => {
  const broken = new PassThrough()
  const reading = buffer(measured(broken).bytes)
  broken.write('one')
  broken.destroy()

  await assert.rejects(reading, /disconnected/)
})

test('refuses a silent sender, but not a slow one', async () => {
  const slow = new PassThrough()
  const reading = buffer(watched(slow, 60, refuse))
  for (let i = 0; i < 5; i++) {
    slow.write('x')
    await sleep(20)
  }
  slow.end()
  assert.equal((await reading).length, 5)

  await assert.rejects(buffer(watched(new PassThrough(), 30, refuse)), /refused/)

  const waiting = new PassThrough()
  waiting.end('Lease')
  const late = watched(waiting, 30, refuse)
  await sleep(100)
  assert.equal((await buffer(late)).toString(), 'Lease')
})
