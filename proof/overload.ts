import type { LoadClass } from '@octavo/contract'
import { change } from './lib/change.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { round } from './lib/proof.ts'
import { openQuota, pinToCore } from './lib/quota.ts'
import { openWorld, type WorldKey } from './lib/world.ts'
import { closedLoop, type OverloadCounts, type OverloadLoad, overload } from './overload/k6.ts'

/** The API gets this part of one core, so that three times its capacity is what k6 can send from the other. */
const SHARE = 0.25
const TIMES = 3
const SIZES = {
  short: { warm: 3, capacity: 2, overload: 8 },
  normal: { warm: 5, capacity: 8, overload: 20 },
  long: { warm: 5, capacity: 15, overload: 60 },
} as const
const GOAL = { goodput: 0.95, p95_ms: 500, recovery_ms: 1_000 }

export const proof: Proof = {
  promise: 'Under overload only the excess requests are rejected.',
  goal: 'at 3 × the measured capacity: goodput ≥ 95%, p95 of accepted requests ≤ 500 ms, recovery within 1 s, no answer ≥ 500 but 503',
  faults: {
    no_limiter: {
      what: 'admission lets everything through',
      plants: [
        change('enter', 'if (queue.length === 0 && this.hasPlace(queue)) {', 'if (true) {'),
        change('refuses', 'if (queue.length === 0 || !queue.isFull', 'if (true || !queue.isFull'),
      ],
    },
  },
  run,
}

async function run(asked: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld(asked.plants, { RATE_LIMITS: 'off' })
  const api = await world.startApi()
  const { key } = await world.newTenant()
  const load: OverloadLoad = { url: api.url, key: key.secret, document: await seed(key), say: asked.say }
  await pinToCore(api.pid, 0)
  const quota = await openQuota(api.pid)
  api.process.once('exit', () => void quota.remove())
  const seconds = SIZES[asked.length]
  // Compiled code first: the quota would stretch the warming up.
  await closedLoop({ ...load, seconds: seconds.warm })
  await quota.set(SHARE)
  const capacity = await measureCapacity(load, seconds.capacity)
  const rate = Math.round(capacity.mix * TIMES)
  asked.say(`capacity ${describe(capacity)} at ${SHARE * 100}% of a core; now ${rate}/s for ${seconds.overload} s`)
  const during = await overload({ ...load, seconds: seconds.overload, rate, calm_rate: Math.round(capacity.mix / 2) })
  return judge(capacity, during, asked.say)
}

/** Answers per second: for the mix, and for each class alone, which shows the cost of its requests. */
type Capacity = Record<'mix' | LoadClass, number>

async function measureCapacity(load: OverloadLoad, seconds: number): Promise<Capacity> {
  const measure = async (only?: LoadClass): Promise<number> =>
    perSecond(await closedLoop({ ...load, seconds: only ? seconds / 2 : seconds, only }))
  const first = await measure()
  const [read, list, write] = [await measure('read'), await measure('list'), await measure('write')]
  // The larger of two: a process that is still warming up must not make its goal easier.
  return { mix: Math.max(first, await measure()), read, list, write }
}

const describe = ({ mix, read, list, write }: Capacity): string =>
  `${round(mix, 0)}/s (alone: reads ${round(read, 0)}, lists ${round(list, 0)}, writes ${round(write, 0)})`

/** Full pages for the lists. */
async function seed(key: WorldKey): Promise<string> {
  const client = key.client(undefined, { max_retries: 5 })
  const ids = await Promise.all(Array.from({ length: 60 }, (_, i) => client.documents.create({ title: `Lease ${i}` })))
  return ids[0]!.id
}

const perSecond = ({ accepted, seconds }: OverloadCounts): number =>
  (accepted.read + accepted.list + accepted.write) / seconds

/** The part of the capacity that went into answers, if a third of the mix is of each class. */
function workOf({ accepted, seconds }: OverloadCounts, capacity: Capacity): number {
  const costs = (each: Record<LoadClass, number>): number =>
    each.read / capacity.read + each.list / capacity.list + each.write / capacity.write
  const third = capacity.mix / 3
  return costs(accepted) / seconds / costs({ read: third, list: third, write: third })
}

function judge(capacity: Capacity, during: OverloadCounts, say: (line: string) => void): ProofOutcome {
  const goodput = perSecond(during) / capacity.mix
  const { accepted, shed, dropped, broken, wrong, p95_ms, recovery_ms } = during
  const offered = (accepted.read + accepted.list + accepted.write + shed) / 3
  const part = (count: number): string => `${round((count / offered) * 100, 0)}%`
  say(
    `accepted: reads ${part(accepted.read)}, writes ${part(accepted.write)}, lists ${part(accepted.list)} of what came`,
  )
  say(`refused ${shed} (median ${round(during.shed_ms, 1)} ms), not sent by k6 ${dropped}`)
  const isGood = goodput >= GOAL.goodput && p95_ms <= GOAL.p95_ms && recovery_ms <= GOAL.recovery_ms
  return {
    figure:
      `goodput ${round(goodput * 100, 0)}% of ${round(capacity.mix, 0)}/s (weighed by cost ${round(workOf(during, capacity) * 100, 0)}%), ` +
      `p95 of accepted ${round(p95_ms, 0)} ms, recovery ${round(recovery_ms, 0)} ms, ${wrong} answers ≥ 500 but 503, ` +
      `${broken} without an answer, ${dropped} not sent`,
    is_met: isGood && dropped === 0 && shed > 0 && wrong === 0 && broken === 0,
  }
}
