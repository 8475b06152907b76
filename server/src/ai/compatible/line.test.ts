import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ModelOutputInvalid, ModelRefused, ModelTimeout, ModelUnavailable } from '../model.ts'
import { openBreaker } from './breaker.ts'
import { type LineOptions, openHealth, openLine } from './line.ts'
import { openRetryBudget } from './retry-budget.ts'
import { Trouble, type TroubleKind } from './trouble.ts'

const never = new AbortController().signal

/** A line whose waits are noted and take no time. */
function openTestLine(more: Partial<LineOptions> = {}) {
  const rests: number[] = []
  const time = { now_ms: 0 }
  const line = openLine({
    model: 'm',
    health: openHealth(),
    max_concurrency: null,
    timeout_ms: 10_000,
    now: () => time.now_ms,
    rest: async (ms) => {
      rests.push(ms)
      time.now_ms += ms
    },
    random: () => 1,
    ...more,
  })
  return { line, rests, time }
}

function failing(kind: TroubleKind, times: number, more: { retry_after_ms?: number; status?: number } = {}) {
  let calls = 0
  const attempt = async (): Promise<string> => {
    if (++calls <= times) throw new Trouble(kind, 'it did', more)
    return 'answer'
  }
  return { attempt, calls: () => calls }
}

const whyOf = (why: string) => (error: unknown) => error instanceof ModelUnavailable && error.why === why

test('retries transient failures with growing delays', async () => {
  for (const kind of ['down', 'throttled'] as const) {
    const { line, rests } = openTestLine()

    assert.equal(await line.run(never, failing(kind, 2).attempt), 'answer')
    assert.deepEqual(rests, [400, 800])
  }
})

test('reports the failure after two retries', async () => {
  for (const [kind, why] of [
    ['down', 'down'],
    ['throttled', 'throttled'],
  ] as const) {
    const { line } = openTestLine()
    const { attempt, calls } = failing(kind, 9)

    await assert.rejects(line.run(never, attempt), whyOf(why))
    assert.equal(calls(), 3)
  }
})

test('reports permanent failures at once, each with its own error', async () => {
  const kinds = [
    ['timeout', ModelTimeout],
    ['refused', ModelRefused],
    ['unusable', ModelOutputInvalid],
    ['rejected', ModelOutputInvalid],
    ['closed', ModelUnavailable],
  ] as const
  for (const [kind, type] of kinds) {
    const { line } = openTestLine()
    const { attempt, calls } = failing(kind, 9)

    await assert.rejects(line.run(never, attempt), type, kind)
    assert.equal(calls(), 1)
  }
})

test('waits out a short Retry-After and reports a long one', async () => {
  const short = openTestLine()
  assert.equal(await short.line.run(never, failing('throttled', 1, { retry_after_ms: 3_000 }).attempt), 'answer')
  assert.deepEqual(short.rests, [3_000])

  const long = openTestLine()
  const { attempt, calls } = failing('throttled', 1, { retry_after_ms: 60_000 })
  await assert.rejects(long.line.run(never, attempt), { why: 'throttled', retry_after_ms: 60_000 })
  long.time.now_ms += 20_000
  await assert.rejects(long.line.run(never, attempt), { why: 'throttled', retry_after_ms: 40_000 })
  assert.equal(calls(), 1, 'nobody asks before the time')
  long.time.now_ms += 40_000
  assert.equal(await long.line.run(never, attempt), 'answer')
})

test('limits retries to a tenth of the calls plus a reserve', async () => {
  const health = { breaker: openBreaker({ max_in_row: 1e9, max_rate: 2 }), budget: openRetryBudget({ reserve: 5 }) }
  const { line } = openTestLine({ health })
  const { attempt, calls } = failing('down', 1e9)
  const whys: string[] = []

  for (let i = 0; i < 1_000; i++)
    await line.run(never, attempt).catch((error: unknown) => whys.push((error as ModelUnavailable).why))

  assert.ok(calls() >= 1_095 && calls() <= 1_105, String(calls()))
  assert.ok(whys.includes('retry_budget') && whys.length === 1_000)
})

test('an open circuit blocks calls to every model of the server', async () => {
  const health = openHealth()
  const [one, other] = [openTestLine({ health }), openTestLine({ health, model: 'other' })]
  for (let i = 0; i < 3; i++) await one.line.run(never, failing('down', 9).attempt).catch(() => {})
  const { attempt, calls } = failing('down', 0)

  await assert.rejects(
    other.line.run(never, attempt),
    (error) => whyOf('circuit_open')(error) && (error as ModelUnavailable).retry_after_ms! > 0,
  )
  assert.equal(calls(), 0)
})

test('refusals and invalid answers do not open the circuit', async () => {
  const health = openHealth()
  const { line } = openTestLine({ health })

  for (let i = 0; i < 50; i++) await line.run(never, failing('refused', 9).attempt).catch(() => {})

  assert.equal(health.breaker.state, 'closed')
})

test('the deadline ends a call and all its retries', async () => {
  const { line } = openTestLine({
    timeout_ms: 100,
    rest: async (_ms, signal) => void (await sleep(10_000, null, { signal }).catch(() => {})),
  })
  const hang = (signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

  await assert.rejects(line.run(never, hang), ModelTimeout)
  await assert.rejects(line.run(never, failing('down', 9).attempt), ModelTimeout)
})

test("the caller's signal ends a call, a retry delay and a queued call with its reason", async () => {
  const { line } = openTestLine({ max_concurrency: 1, rest: (ms, signal) => sleep(ms, undefined, { signal }) })
  const reason = new Error('cancelled')
  const hang = (signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
  const [first, second] = [new AbortController(), new AbortController()]

  const calling = line.run(first.signal, hang)
  const waiting = line.run(second.signal, () => assert.fail('asked'))
  setTimeout(() => second.abort(reason), 20)
  setTimeout(() => first.abort(reason), 40)

  await assert.rejects(waiting, reason)
  await assert.rejects(calling, reason)
  const third = new AbortController()
  setTimeout(() => third.abort(reason), 20)
  await assert.rejects(line.run(third.signal, failing('down', 9).attempt), reason)
  assert.equal(await line.run(never, async () => 'free again'), 'free again')
})

test('does not retry a call that must not be repeated', async () => {
  const { line } = openTestLine()
  const { attempt, calls } = failing('down', 1)

  await assert.rejects(
    line.run(never, attempt, () => false),
    whyOf('down'),
  )
  assert.equal(calls(), 1)
})
