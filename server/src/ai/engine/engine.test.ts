import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findUsed } from '@octavo/extract/meter.ts'
import { cosine, never, sentenceOf, testEmbedder } from '../../testing/embedders.ts'
import { weightsDir } from '../../testing/weights.ts'
import { ModelUnavailable } from '../model.ts'
import { BuiltInEmbedder } from './embedder.ts'
import { EngineHost, type HostOptions } from './host.ts'
import { bge, minilm, WEIGHTS } from './specs.ts'

const models_dir = weightsDir()
const shared = new EngineHost({ models_dir, threads: 2 })
after(() => shared.close())

function openEngine(t: TestContext, more: Partial<HostOptions> = {}) {
  const host = new EngineHost({ models_dir, threads: 2, ...more })
  t.after(() => host.close())
  return { host, embedder: new BuiltInEmbedder(minilm, host) }
}

const chunksOf = (count: number) => Array.from({ length: count }, (_, index) => sentenceOf(index).repeat(12))
const isDown = (error: unknown) => error instanceof ModelUnavailable && error.why === 'down'

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

for (const spec of [minilm, bge]) testEmbedder(spec.id, () => new BuiltInEmbedder(spec, shared))

test('both models in one process use little memory, even after the longest texts', async (t) => {
  for (const spec of [minilm, bge])
    await new BuiltInEmbedder(spec, shared).embed(Array<string>(16).fill('word '.repeat(2_000)), {
      as: 'passage',
      signal: never(),
    })

  const used = findUsed(shared.pid ?? 0)
  if (!used) return t.skip('nobody tells here how much memory a process has')
  const resident_mb = Math.round(used.resident_bytes / 1024 / 1024)
  t.diagnostic(`resident: ${resident_mb} MB`)
  assert.ok(resident_mb > 50 && resident_mb < 450, `${resident_mb} MB`)
})

test('the weights directory may be relative to the working directory', async (t) => {
  const { embedder } = openEngine(t, { models_dir: relative(process.cwd(), models_dir) })

  const { vectors } = await embedder.embed(['One.'], { as: 'text', signal: never() })

  assert.equal(vectors.length, 1)
})

test('starts no process before the first text and stops it after an idle period', async (t) => {
  const { host, embedder } = openEngine(t, { idle_ms: 100 })
  assert.equal(host.pid, null)
  await embedder.embed([], { as: 'text', signal: never() })
  assert.equal(host.pid, null)

  await embedder.embed(['One.'], { as: 'text', signal: never() })
  const first = host.pid
  assert.ok(first !== null && isAlive(first))
  await sleep(400)
  assert.equal(host.pid, null)
  assert.ok(!isAlive(first))

  assert.equal((await embedder.embed(['Two.'], { as: 'text', signal: never() })).vectors.length, 1)
})

test('queries run at normal priority in a persistent process, and bulk embedding below it', async (t) => {
  const bulk = openEngine(t)
  const queries = openEngine(t, { idle_ms: 50 })
  queries.host.serveQueries()
  for (const { embedder } of [bulk, queries]) await embedder.embed(['One.'], { as: 'query', signal: never() })
  const { pid } = queries.host
  await sleep(200)

  assert.ok(pid !== null && pid === queries.host.pid && isAlive(pid))
  assert.equal(getPriority(pid), getPriority())
  assert.ok(getPriority(bulk.host.pid ?? 0) > getPriority())
})

test('replaces a process that is killed mid-batch and answers every text', async (t) => {
  const { host, embedder } = openEngine(t)
  const texts = chunksOf(120)
  const asked = embedder.embed(texts, { as: 'passage', signal: never() })
  await sleep(700)
  const killed = host.pid
  assert.ok(killed !== null)
  process.kill(killed, 'SIGKILL')

  const { vectors } = await asked
  assert.notEqual(host.pid, killed)
  const [last] = (await embedder.embed([texts[119] ?? ''], { as: 'passage', signal: never() })).vectors
  assert.ok(cosine(last, vectors[119]) > 0.98)
})

test('gives up texts that crash two processes', async (t) => {
  const { host, embedder } = openEngine(t, { batch_ms: 1 })

  await assert.rejects(embedder.embed(chunksOf(20), { as: 'passage', signal: never() }), isDown)
  assert.equal(host.pid, null)
})

test('refuses unknown weights with a readable reason', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'weights-'))
  t.after(() => rmSync(dir, { recursive: true }))
  cpSync(join(models_dir, minilm.folder), join(dir, minilm.folder), { recursive: true })
  writeFileSync(join(dir, minilm.folder, WEIGHTS), 'something else')
  const { embedder } = openEngine(t, { models_dir: dir })

  await assert.rejects(embedder.embed(['One.'], { as: 'text', signal: never() }), (error) => {
    return isDown(error) && /are not the ones that this version expects/.test(String((error as Error).cause))
  })
})

test('a query does not wait for a long document', async (t) => {
  const { embedder } = openEngine(t)
  const document = new AbortController()
  await embedder.embed(['Warm.'], { as: 'text', signal: never() })
  const waiting = embedder.embed(
    Array.from({ length: 1_000 }, (_, index) => sentenceOf(index).repeat(12)),
    { as: 'passage', signal: document.signal },
  )
  const took: number[] = []
  for (let index = 0; index < 20; index++) {
    const start = performance.now()
    await embedder.embed([sentenceOf(index)], { as: 'query', signal: never() })
    took.push(performance.now() - start)
  }
  document.abort(new Error('enough'))

  await assert.rejects(waiting, { message: 'enough' })
  const p95 = took.toSorted((a, b) => a - b)[18] ?? Infinity
  t.diagnostic(`p95 of a query while 1,000 chunks wait: ${Math.round(p95)} ms`)
  assert.ok(p95 < 1_000, `${p95} ms`)
})

test('closing the engine rejects waiting and later calls', async (t) => {
  const { host, embedder } = openEngine(t)
  const asked = assert.rejects(embedder.embed(chunksOf(100), { as: 'passage', signal: never() }), isDown)
  await sleep(300)
  const pid = host.pid
  await host.close()

  await asked
  assert.ok(pid !== null && !isAlive(pid))
  await assert.rejects(embedder.embed(['Late.'], { as: 'query', signal: never() }), isDown)
})
