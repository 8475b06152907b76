import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { Policy, QuotaState } from '../lib/gcra.ts'
import { Limiter } from './limiter.ts'
import { openValkey, type Valkey } from './valkey.ts'

const url = process.env.VALKEY_URL
if (!url) throw new Error('VALKEY_URL is not set: tests need a real Valkey. See CONTRIBUTING.md.')
let troubles = 0
// On a busy machine an answer may take longer than a request would wait.
const valkey = openValkey(url, () => troubles++, 10_000)
after(() => valkey.close())
// A connection is opened in the background, and until then Valkey cannot be asked.
for (let i = 0; (await valkey.askLimits(['limit:ready'], [1, 1, 1, 1])) === null && i < 50; i++) await sleep(100)
troubles = 0

function policy(more: Partial<Policy> = {}): Policy {
  return { name: 'requests', key: randomUUID(), quota: 60, window_ms: 60_000, cost: 1, ...more }
}

async function countAdmitted(limiter: Limiter, asked: Policy, times: number): Promise<number> {
  let count = 0
  for (let i = 0; i < times; i++) {
    const [quotaState] = await limiter.take([asked])
    if (quotaState!.is_admitted) count++
  }
  return count
}

for (const [place, limiterOf] of [
  ['in Valkey', () => new Limiter(valkey)],
  ['in the process', () => new Limiter(null)],
] as const) {
  test(`${place}, the whole quota passes at once, then one request per interval`, async () => {
    const limiter = limiterOf()
    // An interval so long that a slow machine does not pass it while it counts.
    const asked = policy({ quota: 60, window_ms: 90_000 })

    assert.equal(await countAdmitted(limiter, asked, 65), 60)
    await sleep(1_510)
    assert.equal(await countAdmitted(limiter, asked, 5), 1)
  })

  test(`${place}, a refusal costs nothing and says when the request would pass`, async () => {
    const limiter = limiterOf()
    const asked = policy({ quota: 20, window_ms: 10_000 })
    await countAdmitted(limiter, asked, 20)

    const [refused] = await limiter.take([{ ...asked, cost: 3 }])
    assert.equal(refused!.is_admitted, false)
    assert.ok(refused!.wait_ms > 750 && refused!.wait_ms <= 1_500, String(refused!.wait_ms))
    await sleep(refused!.wait_ms + 5)
    const [passed] = await limiter.take([{ ...asked, cost: 3 }])
    assert.equal(passed!.is_admitted, true)
  })

  test(`${place}, returned units can be taken again and never exceed the quota`, async () => {
    const limiter = limiterOf()
    const asked = policy({ quota: 20, window_ms: 1e8, cost: 15 })
    const left = async () => (await limiter.look(asked)).remaining
    const before = await left()
    await limiter.take([asked])
    const taken = await left()

    await limiter.giveBack(asked)
    const returned = await left()
    await limiter.giveBack(asked)

    assert.deepEqual([before, taken, returned, await left()], [20, 5, 20, 20])
    assert.equal((await limiter.take([{ ...asked, cost: 20 }]))[0]!.is_admitted, true)
    assert.equal((await limiter.take([{ ...asked, cost: 1 }]))[0]!.is_admitted, false)
  })

  test(`${place}, a request that breaks one policy is charged to none`, async () => {
    const limiter = limiterOf()
    const roomy = policy({ quota: 10 })
    const tight = policy({ quota: 3 })

    const rounds: QuotaState[][] = []
    for (let i = 0; i < 5; i++) rounds.push(await limiter.take([roomy, tight]))

    assert.deepEqual(
      rounds.map((quotaStates) => quotaStates.map(({ is_admitted, remaining }) => [is_admitted, remaining])),
      [
        [
          [true, 9],
          [true, 2],
        ],
        [
          [true, 8],
          [true, 1],
        ],
        [
          [true, 7],
          [true, 0],
        ],
        [
          [true, 7],
          [false, 0],
        ],
        [
          [true, 7],
          [false, 0],
        ],
      ],
    )
  })
}

test('Valkey and the process admit the same requests', async () => {
  // A window so long that nothing comes back during the test: only then two clocks cannot disagree.
  const rates = fc.record({ quota: fc.integer({ min: 1, max: 99 }), window_ms: fc.constantFrom(6e7, 7e7, 1e8) })
  await fc.assert(
    fc.asyncProperty(
      rates,
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 20 }),
      async (rate, costs) => {
        const [there, here] = [new Limiter(valkey), new Limiter(null)]
        const asked = policy(rate)
        for (const cost of costs) {
          const [a, b] = [await there.take([{ ...asked, cost }]), await here.take([{ ...asked, cost }])]
          assert.deepEqual([a[0]!.is_admitted, a[0]!.remaining], [b[0]!.is_admitted, b[0]!.remaining])
          assert.ok(Math.abs(a[0]!.wait_ms - b[0]!.wait_ms) < 2_000, `${a[0]!.wait_ms} and ${b[0]!.wait_ms}`)
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('admits exactly the quota despite rounding of milliseconds', async () => {
  const limiter = new Limiter(valkey)
  for (const quota of [1, 3, 7, 11, 13, 49, 97]) {
    assert.equal(await countAdmitted(limiter, policy({ quota, window_ms: 1e7 }), quota + 2), quota, String(quota))
    assert.equal(
      await countAdmitted(new Limiter(null), policy({ quota, window_ms: 1e7 }), quota + 2),
      quota,
      String(quota),
    )
  }
})

test('leases units in small blocks, and all processes together never exceed the quota', async () => {
  let asked_times = 0
  const counting: Valkey = {
    askLimits: (keys, numbers) => {
      asked_times++
      return valkey.askLimits(keys, numbers)
    },
    forget: () => Promise.resolve(true),
    close: () => {},
  }
  const processes = [new Limiter(counting), new Limiter(counting), new Limiter(counting)]
  const asked = policy({ quota: 1_000, window_ms: 1e8 })

  const admitted = await Promise.all(processes.map((limiter) => countAdmitted(limiter, asked, 400)))

  const total = admitted.reduce((sum, count) => sum + count, 0)
  assert.ok(total <= 1_000 && total >= 940, `${total} admitted`)
  // After a refusal every request asks Valkey; admitted requests lease twenty units at once.
  assert.ok(asked_times <= 1_000 / 20 + 3 + (1_200 - total), `${asked_times} round trips`)
})

test('concurrent requests share one lease', async () => {
  const asked = policy({ quota: 1_000, window_ms: 1e8 })

  // Ten processes that are started one after the other, under load: what each does not use is lost.
  for (let i = 0; i < 10; i++) {
    const limiter = new Limiter(valkey)
    const quotaStates = await Promise.all(Array.from({ length: 15 }, async () => limiter.take([asked])))
    assert.ok(quotaStates.every(([quotaState]) => quotaState!.is_admitted))
  }

  const [quotaState] = await new Limiter(valkey).take([asked])
  assert.equal(quotaState!.remaining, 1_000 - 10 * 20 - 1)
})

test('concurrent requests above the quota are refused together', async () => {
  const limiter = new Limiter(valkey)
  const asked = policy({ quota: 100, window_ms: 1e8 })

  const quotaStates = await Promise.all(Array.from({ length: 500 }, async () => limiter.take([asked])))

  assert.equal(quotaStates.filter(([quotaState]) => quotaState!.is_admitted).length, 100)
})

test('the remaining quota falls with every request of a lease', async () => {
  const limiter = new Limiter(valkey)
  const asked = policy({ quota: 500, window_ms: 1e8, cost: 5 })

  const remaining: number[] = []
  for (let i = 0; i < 5; i++) remaining.push((await limiter.take([asked]))[0]!.remaining)

  assert.deepEqual(remaining, [495, 490, 485, 480, 475])
})

test('look counts leased units as available and leases none', async () => {
  const limiter = new Limiter(valkey)
  const asked = policy({ quota: 1_000, window_ms: 1e8 })
  await limiter.look(asked)
  await limiter.take([asked])

  const [own, others] = [await limiter.look(asked), await new Limiter(valkey).look(asked)]

  assert.deepEqual([own.remaining, others.remaining], [999, 980])
})

test('Valkey answered every call of the tests above', () => {
  assert.equal(troubles, 0)
})

test('the process enforces the same limits while Valkey is down', async (t) => {
  let fallbacks = 0
  const gone = openValkey('redis://127.0.0.1:1/0', () => fallbacks++, 50)
  t.after(() => gone.close())

  assert.equal(await countAdmitted(new Limiter(gone), policy({ quota: 30 }), 40), 30)
  assert.ok(fallbacks > 0)
})

test('a hanging Valkey delays one request briefly and the others not at all', async (t) => {
  const silent: Server = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1')
  t.after(() => silent.close())
  await sleep(20)
  const hung = openValkey(`redis://127.0.0.1:${(silent.address() as { port: number }).port}/0`, () => {}, 50)
  t.after(() => hung.close())
  await sleep(100)
  const limiter = new Limiter(hung)

  const started = performance.now()
  const admitted = await countAdmitted(limiter, policy({ quota: 200 }), 250)

  assert.equal(admitted, 200)
  assert.ok(performance.now() - started < 400, `${performance.now() - started} ms`)
})
