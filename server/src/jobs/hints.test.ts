import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { newUuid } from '../lib/ids.ts'
import { Hints, readHints } from './hints.ts'

/** A connection that takes its time and remembers what was said. */
function slowPool(sent: string[], fails = false): pg.Pool {
  const query = async (_text: string, [, payload]: [string, string]): Promise<void> => {
    sent.push(payload)
    await sleep(5)
    if (fails) throw new Error('away')
  }
  return { query } as unknown as pg.Pool
}

test('batches hints that arrive while one is being sent and removes duplicates', async () => {
  const sent: string[] = []
  const hints = new Hints(slowPool(sent))
  hints.work('ingestion')
  for (let i = 0; i < 50; i++) hints.work('ingestion')
  hints.cancel('a')
  hints.cancel('b')
  await untilSent(sent, 2)

  assert.deepEqual(sent.map(readHintsOf), [['work ingestion'], ['work ingestion', 'cancel a', 'cancel b']])
})

test("splits many hints into notifications that fit PostgreSQL's limit", async () => {
  const sent: string[] = []
  const hints = new Hints(slowPool(sent))
  const ids = Array.from({ length: 1_000 }, () => newUuid())
  for (const id of ids) hints.cancel(id)
  await untilSent(sent, 7)

  assert.ok(sent.every((text) => Buffer.byteLength(text) < 8_000))
  assert.deepEqual(
    sent.flatMap((text) => readHints(text).flatMap(({ word, id }) => (word === 'cancel' ? id : []))),
    ids,
  )
})

test('a lost hint does not block the next', async () => {
  const sent: string[] = []
  const hints = new Hints(slowPool(sent, true))
  hints.work('ingestion')
  await untilSent(sent, 1)
  hints.work('ingestion')
  await untilSent(sent, 2)

  assert.equal(sent.length, 2)
})

/** A while longer, so that one too many is seen. */
async function untilSent(sent: readonly string[], count: number): Promise<void> {
  for (let i = 0; i < 1_000 && sent.length < count; i++) await sleep(5)
  await sleep(40)
}

function readHintsOf(text: string): string[] {
  return readHints(text)
    .filter(({ word }) => word !== '')
    .map(({ word, id }) => `${word} ${id}`.trim())
}
