// Event streams: many at once on one process, and one whose reader is cut off again and again.

import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { change } from './lib/change.ts'
import { type Proof, type ProofOutcome, type ProofRun, quantile, round } from './lib/proof.ts'
import { announceSeed, newRandom } from './lib/random.ts'
import { enqueueScripts, prepareScripts } from './lib/scripts.ts'
import { type ApiProcess, openWorld, type World, type WorldKey } from './lib/world.ts'
import { hasEnded, isWhole, readOn, type SseObservation, type Stream } from './sse/reader.ts'

/** `changes` of the job whose reader is cut; `seconds` that the many streams flow. */
const SIZES = {
  short: { changes: 200, seconds: 10 },
  normal: { changes: 1_000, seconds: 180 },
  long: { changes: 5_000, seconds: 540 },
}
const CUTS = 10
/** Half of the streams watch separate jobs, the others share a few. */
const STREAMS = 200
const CROWD = 10
const JOBS = 50
const WARM_SECONDS = 4
const LATE_MS = 10_000
/**
 * After a full collection the heap holds only referenced objects: a leak of one event per delivery would add about 1 KB
 * × 200 a second. The resident memory also includes what the allocator keeps, so it may vary more. A stream that gets
 * no notification still reads at its next ping, seconds later; the latency bounds detect that.
 */
const GOAL = { heap_growth: 0.1, heap_mb: 4, rss_mb: 20, p50_ms: 1_000, p99_ms: 5_000 }
/** Collects garbage on a signal; several times, because unused code is freed only after some collections. */
const COLLECTOR = [
  '--expose-gc',
  '--import',
  'data:text/javascript,process.on("SIGUSR2",()=>{for(let i=0;i<8;i++)gc()})',
]

const SINCE = "let last = lastSeen(request.headers['last-event-id'])"

export const proof: Proof = {
  promise: 'A follower of a job sees each event once, in order and without delay, over any number of connections.',
  goal: '200 streams on one process for minutes: heap after collection grows <= 10% (or 4 MB), RSS <= 20 MB, to the reader p50 <= 1 s, p99 <= 5 s; a reader cut off 10 times sees every event once, in order',
  faults: {
    ignores_last_event_id: { what: 'Last-Event-ID is ignored', plants: [change('stream', SINCE, 'let last = 0')] },
    skips_one: {
      what: 'the event right after the resume point is skipped',
      plants: [change('stream', SINCE, `${SINCE}\n  if (last > 0) last++`)],
    },
    deaf: {
      what: 'a stream reads only on the first notification',
      plants: [
        change(
          'stream',
          'await watch.next(PING_MS)',
          'await (context.wasWoken ? new Promise((wake) => setTimeout(wake, PING_MS)) : watch.next(PING_MS))\n        context.wasWoken = true',
        ),
      ],
    },
    keeps_events: {
      what: 'what was sent is kept in memory',
      plants: [
        change(
          'stream',
          'last = Number(event.seq)',
          'last = Number(event.seq)\n        ;(globalThis.kept ??= []).push(Array(4000).fill(last))',
        ),
      ],
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld(run.plants, {
    RATE_LIMITS: 'off',
    WORKER_SLOTS: String(JOBS + 4),
    TIER_ENTERPRISE: `running_jobs:${JOBS + 4}`,
  })
  await prepareScripts(world)
  const api = await world.startApi({}, COLLECTOR)
  await world.startScriptedWorker()
  const { tenant, key } = await world.newTenant('enterprise')
  const cut = await cutOff(run, world, { api, tenant, key })
  return judge(run, cut, await flow(run, world, { api, tenant, key }))
}

interface SseStage {
  api: ApiProcess
  tenant: string
  key: WorldKey
}

interface SseCut {
  cuts: number
  events: number
  isSame: boolean
  isSameBySdk: boolean
}

/** One job changes all the time; one reader is cut at any byte, another follows with the SDK. */
async function cutOff(run: ProofRun, world: World, { api, tenant, key }: SseStage): Promise<SseCut> {
  const { changes } = SIZES[run.length]
  const seed = announceSeed(run)
  const random = newRandom(seed)
  const client = key.client(api.url)
  const [job = ''] = await enqueueScripts(world, tenant, { steps: 1, step_ms: 600_000, is_silent: true })
  const seen: SseObservation[] = []
  let cuts = 0
  const read = async (): Promise<void> => {
    // More than one page of the stream waits at the beginning, so that it is read on without a notification, too.
    await sleep(500)
    const stream = { url: api.url, secret: key.secret, job }
    while (!hasEnded(seen)) {
      const end = await readOn(
        stream,
        seen,
        cuts < CUTS ? random.whole(500, 8_500) : Number.POSITIVE_INFINITY,
        AbortSignal.timeout(60_000),
      )
      if (end === 'cut') cuts++
      if (end === 'ended' || end === 'over' || seen.length > changes * 3) break
      await sleep(random.whole(0, 100))
    }
  }
  const bySdk: string[] = []
  const follow = async (): Promise<void> => {
    for await (const { id } of client.jobs.follow(job, { signal: AbortSignal.timeout(60_000) })) bySdk.push(id)
  }
  const isEnough = (made: number): boolean => (made >= changes && cuts >= CUTS) || made > changes * 4
  const write = async (): Promise<void> => {
    for (let made = 0; !isEnough(made); made++) await client.jobs.update(job, { metadata: { change: String(made) } })
    await client.jobs.update(job, { status: 'cancelled' })
  }
  await Promise.all([read(), follow().catch(() => {}), write()])
  const listed: string[] = []
  for await (const { id } of client.jobEvents.list(job, { sort: 'seq', limit: 100 })) listed.push(id)
  const isSameAs = (ids: readonly string[]): boolean => ids.join() === listed.join()
  run.say(`${cuts} cuts: ${seen.length} events seen, ${bySdk.length} by the SDK, ${listed.length} listed`)
  return { cuts, events: listed.length, isSame: isSameAs(seen.map(({ id }) => id)), isSameBySdk: isSameAs(bySdk) }
}

interface SseMemory {
  heap_mb: number
  rss_mb: number
}

interface SseFlow {
  deliveries: number
  whole: number
  before: SseMemory
  after: SseMemory
  p50_ms: number
  p99_ms: number
}

async function flow(run: ProofRun, world: World, { api, tenant, key }: SseStage): Promise<SseFlow> {
  const { seconds } = SIZES[run.length]
  const script = { steps: seconds + WARM_SECONDS, step_ms: 1_000, is_silent: true }
  const jobs = await enqueueScripts(world, tenant, script, { count: JOBS })
  const streams = Array.from({ length: STREAMS }, (_, i): Stream & { seen: SseObservation[] } => ({
    url: api.url,
    secret: key.secret,
    job: jobs[i % 2 === 0 ? i % CROWD : (i >> 1) % JOBS]!,
    seen: [],
  }))
  const over = new AbortController()
  const ends = streams.map((stream) => readWhole(stream, stream.seen, over.signal))
  await sleep(WARM_SECONDS * 1000)
  const before = await memoryOf(api)
  const warm = streams.map(({ seen }) => seen.length)
  // While the streams are still open.
  await sleep((seconds - 2) * 1000)
  const after = await memoryOf(api)
  await Promise.race([Promise.all(ends), sleep(LATE_MS + seconds * 200, undefined, { ref: false })])
  over.abort()
  await Promise.allSettled(ends)
  const late = streams.flatMap(({ seen }, i) => seen.slice(warm[i]).map(({ late_ms }) => late_ms))
  return {
    deliveries: streams.reduce((sum, { seen }) => sum + seen.length, 0),
    whole: streams.filter(({ seen }) => isWhole(seen) && hasEnded(seen)).length,
    before,
    after,
    p50_ms: quantile(late, 0.5),
    p99_ms: quantile(late, 0.99),
  }
}

/** A process that is asked for so many streams at once may send some away for a moment. */
async function readWhole(stream: Stream, seen: SseObservation[], signal: AbortSignal): Promise<void> {
  while ((await readOn(stream, seen, undefined, signal)) === 'busy') await sleep(200)
}

async function memoryOf({ pid, management_url }: ApiProcess): Promise<SseMemory> {
  process.kill(pid, 'SIGUSR2')
  await sleep(1_000)
  const metrics = await (await fetch(`${management_url}/metrics`)).text()
  const heap = Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)?.[1])
  const rss_kb = Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])
  return { heap_mb: heap / 2 ** 20, rss_mb: rss_kb / 2 ** 10 }
}

function judge(
  run: ProofRun,
  cut: SseCut,
  { deliveries, whole, before, after, p50_ms, p99_ms }: SseFlow,
): ProofOutcome {
  const heap_mb = after.heap_mb - before.heap_mb
  const rss_mb = after.rss_mb - before.rss_mb
  run.say(
    `heap ${round(before.heap_mb, 1)} to ${round(after.heap_mb, 1)} MB, RSS ${round(before.rss_mb, 0)} to ${round(after.rss_mb, 0)} MB`,
  )
  const isFlat = heap_mb <= Math.max(GOAL.heap_mb, before.heap_mb * GOAL.heap_growth) && rss_mb <= GOAL.rss_mb
  const isExact = cut.cuts >= CUTS && cut.isSame && cut.isSameBySdk
  const verdict = cut.isSame ? 'each once, in order' : 'NOT each once in order'
  return {
    figure:
      `${whole} of ${STREAMS} streams whole (${deliveries} events), heap ${round(heap_mb, 1)} MB, RSS ${round(rss_mb, 1)} MB more in ${SIZES[run.length].seconds} s, ` +
      `to the reader p50 ${round(p50_ms, 0)} ms, p99 ${round(p99_ms, 0)} ms; ${cut.cuts} cuts in ${cut.events} events: ${verdict}${cut.isSameBySdk ? '' : ', NOT by the SDK'}`,
    is_met: whole === STREAMS && isFlat && isExact && p50_ms <= GOAL.p50_ms && p99_ms <= GOAL.p99_ms,
  }
}
