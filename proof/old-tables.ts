// Millions of finished jobs, most of them of one tenant, and a transaction that keeps dead rows from being removed:
// requests and the next job take as long as with an empty table.

import { compareCosts } from './lib/costs.ts'
import { type Proof, type ProofOutcome, type ProofRun, quantile, round } from './lib/proof.ts'
import { owned } from './lib/scope.ts'
import { OldTablesSide } from './old-tables/side.ts'

const MAX_RATIO = 1.2
const FEW = 1_000
const SHOWN = 8
const FINISHED = { short: 200_000, normal: 10_000_000, long: 10_000_000 }
/** How long the snapshot is held before the measurement begins. */
const PINNED_SECONDS = { short: 20, normal: 600, long: 600 }
const PAIRS = { short: 12, normal: 40, long: 60 }

export const proof: Proof = {
  promise: 'Requests and the next job are as quick with millions of finished jobs as with none.',
  goal: `10,000,000 finished jobs, 90 % of them and of the load of one tenant, and a transaction that is open for 10 minutes, against a table with ${FEW} jobs: p95 of each request and of the time until the next job starts, and CPU time of everything <= ${MAX_RATIO} x; buffers are reported (short: 200,000 jobs and 20 s, CPU time only)`,
  faults: {
    no_live_index: { what: 'the indexes of waiting and running jobs are missing', plants: [] },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using old = owned(await OldTablesSide.open(run, FINISHED[run.length]))
  await using fresh = owned(await OldTablesSide.open(run, FEW))
  for (let i = 0; i < 20; i++) for (const side of [old, fresh]) await side.work()
  await old.pinSnapshot()
  const began = performance.now()
  while (performance.now() - began < PINNED_SECONDS[run.length] * 1000)
    for (const side of [old, fresh]) await side.work()
  await Promise.all([old.reset(), fresh.reset()])
  run.say(`pinned for ${round((performance.now() - began) / 1000, 0)} s: ${await old.countDeadRows()} dead rows`)

  const plan = { name: 'load', pairs: PAIRS[run.length] }
  const costs = await compareCosts(run, plan, { ours: old.asCostSide(), bare: fresh.asCostSide() })
  const cpu = { 'CPU time': 1 / costs.share }
  const [many, few] = await compareBuffers(run, old, fresh)
  const times = await compareTimes(run, old, fresh)
  const pinned = round((performance.now() - began) / 1000, 0)
  const dead = await old.countDeadRows()
  const judged = run.length === 'short' ? cpu : { ...cpu, ...times }
  const figure =
    `${FINISHED[run.length]} finished jobs, xmin pinned for ${pinned} s (${dead} dead rows), against ${FEW}: ` +
    `${show(cpu)}, p95 ${show(times)}; ${round(many, 0)} buffers for each job with its reads, ${round(few, 0)} with few jobs`
  return { figure, is_met: Object.values(judged).every((ratio) => ratio <= MAX_RATIO) }
}

const sum = (buffers: ReadonlyMap<string, number>): number => [...buffers.values()].reduce((a, b) => a + b, 0)

/** For each job with its reads. Names the tables and indexes that cost most more. */
async function compareBuffers(run: ProofRun, old: OldTablesSide, fresh: OldTablesSide): Promise<[number, number]> {
  const [many, few] = await Promise.all([old.buffersOfJob(), fresh.buffersOfJob()])
  const more = [...many].map(([name, buffers]) => ({ name, buffers, more: buffers - (few.get(name) ?? 0) }))
  for (const one of more.toSorted((a, b) => b.more - a.more).slice(0, SHOWN))
    run.say(`${one.name}: ${round(one.buffers, 1)} buffers, ${round(few.get(one.name) ?? 0, 1)} with few jobs`)
  return [sum(many), sum(few)]
}

const show = (ratios: Record<string, number>): string =>
  Object.entries(ratios)
    .map(([name, ratio]) => `${name} x ${round(ratio)}`)
    .join(', ')

/** Ratios of the 95th percentiles, by kind of request. */
async function compareTimes(run: ProofRun, old: OldTablesSide, fresh: OldTablesSide): Promise<Record<string, number>> {
  old.latencies.set('next job', await old.waitsOfJobs())
  fresh.latencies.set('next job', await fresh.waitsOfJobs())
  const ratios: Record<string, number> = {}
  for (const [kind, times] of old.latencies) {
    const [many, few] = [quantile(times, 0.95), quantile(fresh.latencies.get(kind) ?? [], 0.95)]
    run.say(`${kind}: p95 ${round(many)} ms, ${round(few)} ms with few jobs (${times.length} each)`)
    ratios[kind] = many / few
  }
  return ratios
}
