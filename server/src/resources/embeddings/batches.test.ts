import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { embedWhole } from './embeddings.batches.ts'

test('long inputs of white space do not block the process', async () => {
  const inputs = Array.from({ length: 15 }, () => `a${'\u00a0'.repeat(31_990)}b`)
  const embed = embedWhole((texts) => Promise.resolve(texts.map(() => new Float32Array([1]))), 256)
  let turns = 0
  const done = new AbortController()
  const others = (async () => {
    for (; !done.signal.aborted; turns++) await setImmediate()
  })()
  const start = process.cpuUsage()

  const vectors = await embed(inputs, 'text')

  const { user, system } = process.cpuUsage(start)
  done.abort()
  await others
  assert.equal(vectors.length, 15)
  assert.ok(turns >= 15, `other work had ${turns} turns`)
  assert.ok(user + system < 5_000_000, `${user + system} µs`)
})
