// Overhead of Octavo's jobs over the bare queue engine, and the start latency of a job on an idle system.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { createDatabase } from '../server/src/testing/database.ts'
import { asAdmin } from './lib/admin.ts'
import { change } from './lib/change.ts'
import { cpuOfBackends, cpuSince } from './lib/cpu.ts'
import { cpuOf } from './lib/processes.ts'
import { median, type Proof, type ProofOutcome, type ProofRun, quantile, round } from './lib/proof.ts'
import { type Comparison, compareSides } from './lib/rounds.ts'
import { defer } from './lib/scope.ts'
import { enqueueScripts, prepareScripts } from './lib/scripts.ts'
import { openWorld, type ServerProcess, type World } from './lib/world.ts'

const GOAL = { ratio: 0.25, p50_ms: 60, p99_ms: 300 }
const SIZES = {
  short: { jobs: 600, tries: 100 },
  normal: { jobs: 2_000, tries: 300 },
  long: { jobs: 10_000, tries: 1_000 },
}
const TENANTS = 16
const CLIENTS = 8
/** Worker slots, and so its maximum fetch size; the bare loop fetches as many. */
const BATCH = 20
const QUEUE = 'bare'
/** Between two tries: long enough for the previous job to end, and random so as not to align with any timer. */
const PAUSE_MS = { least: 50, more: 30 }

export const proof: Proof = {
  promise:
    'Job bookkeeping (rows, slots, steps, events) costs little compared with the queue itself, and a job starts immediately.',
  goal: 'jobs/s >= 0.25 of the bare engine doing empty jobs with the same batch (medians of 5); start at idle p50 <= 60 ms, p99 <= 300 ms',
  faults: {
    no_hints: {
      what: 'the worker only polls',
      plants: [change('receive', "if (word === 'work') this.subscription?.wake(id as JobTypeName)", '')],
    },
  },
  run: prove,
}

/** One way to do the jobs, and the database in which it does them. */
interface JobRatioSide {
  name: string
  database: string
  worker: ChildProcess
  /** Enqueues in a separate transaction. */
  enqueue(number: number): Promise<unknown>
  /** Settles when all are done. */
  allDone(count: number): Promise<unknown>
}

/** Processor time in milliseconds a job. */
type JobRatioResult = Record<'per_second' | 'postgres' | 'worker' | 'clients', number>

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld(run.plants, { WORKER_SLOTS: String(BATCH) })
  await prepareScripts(world)
  const worker = await world.startScriptedWorker()
  const tenants = await Promise.all(
    Array.from({ length: TENANTS }, async () => (await world.newTenant('enterprise')).tenant),
  )
  const latencies = await measureStarts(run, world, tenants)
  return judge(run, await compare(run, world, worker, tenants), latencies)
}

function judge(
  run: ProofRun,
  { ratio, of }: Comparison<keyof JobRatioResult>,
  latencies: readonly number[],
): ProofOutcome {
  const [p50, p99] = [round(quantile(latencies, 0.5), 0), round(quantile(latencies, 0.99), 0)]
  for (const side of ['ours', 'bare'] as const)
    run.say(
      `${side}: CPU a job: PostgreSQL ${of(side, 'postgres', 2)} ms, worker ${of(side, 'worker', 2)} ms, clients ${of(side, 'clients', 2)} ms`,
    )
  return {
    figure:
      `${ratio} (${of('ours', 'per_second', 0)} of ${of('bare', 'per_second', 0)} jobs/s); start at idle p50 ${p50} ms, p99 ${p99} ms; ` +
      `PostgreSQL CPU a job ${of('ours', 'postgres', 2)} ms (bare ${of('bare', 'postgres', 2)} ms)`,
    is_met: ratio >= GOAL.ratio && p50 <= GOAL.p50_ms && p99 <= GOAL.p99_ms,
  }
}

/** From the client's knowing that its job exists to the first line of the handler. */
async function measureStarts(run: ProofRun, world: World, tenants: readonly string[]): Promise<number[]> {
  const created = new Map<string, number>()
  const { tries } = SIZES[run.length]
  for (let i = 0; i < tries; i++) {
    const [id] = await enqueueScripts(world, tenants[i % TENANTS]!, { steps: 1, step_ms: 0 })
    created.set(id!, performance.timeOrigin + performance.now())
    await sleep(PAUSE_MS.least + Math.random() * PAUSE_MS.more)
  }
  await untilIdle(world)
  const { rows } = await world.app.system.query<{ job_id: string; at: string }>(
    `select job_id, extract(epoch from at) * 1000 as at from proof_runs where what = 'begin' and attempt = 1`,
  )
  const latencies = rows.map(({ job_id, at }) => Math.max(0, Number(at) - created.get(job_id)!))
  if (latencies.length !== tries) throw new Error(`${latencies.length} of ${tries} jobs have begun`)
  run.say(
    `start at idle: p50 ${round(median(latencies), 1)} ms, p99 ${round(quantile(latencies, 0.99), 1)} ms of ${tries}`,
  )
  return latencies
}

async function heard(child: ChildProcess): Promise<void> {
  const word = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => null)])
  if (word === null) throw new Error('the bare loop has ended')
}

/** No job is left, and every event has its place. */
async function untilIdle(world: World): Promise<void> {
  for (let isIdle = false; !isIdle; await sleep(20)) {
    const { rows } = await world.app.system.query<{ is_idle: boolean }>(
      `select not exists (select from tenant_slots where used + waiting > 0) and not exists (select from events where position is null) as is_idle`,
    )
    isIdle = rows[0]!.is_idle
  }
}

async function compare(
  run: ProofRun,
  world: World,
  worker: ServerProcess,
  tenants: readonly string[],
): Promise<Comparison<keyof JobRatioResult>> {
  const database = await createDatabase()
  await using _database = defer(() => database.drop())
  const boss = new PgBoss({
    connectionString: database.system_url,
    max: 10,
    migrate: false,
    schedule: false,
    supervise: false,
  })
  await using _boss = defer(() => boss.stop({ graceful: false, close: true }))
  boss.on('error', () => {})
  await boss.start()
  await boss.createQueue(QUEUE)
  const child = fork(new URL('./jobs-ratios/bare.ts', import.meta.url), {
    env: { ...process.env, BARE_DATABASE_URL: database.system_url, BARE_QUEUE: QUEUE, BARE_BATCH: String(BATCH) },
  })
  await using _child = defer(() => child.kill('SIGKILL'))
  const sides = {
    ours: {
      name: 'ours',
      database: world.database.name,
      worker: worker.process,
      enqueue: (number) => enqueueScripts(world, tenants[number % TENANTS]!, { steps: 1, step_ms: 0, is_silent: true }),
      allDone: () => untilIdle(world),
    },
    bare: {
      name: 'bare',
      database: database.name,
      worker: child,
      enqueue: (number) => boss.send(QUEUE, { tenant: tenants[number % TENANTS]!, number }),
      allDone: () => heard(child),
    },
  } satisfies Record<string, JobRatioSide>
  await heard(child)
  return await measureRounds(run, sides)
}

function measureRounds(
  run: ProofRun,
  { ours, bare }: { ours: JobRatioSide; bare: JobRatioSide },
): Promise<Comparison<keyof JobRatioResult>> {
  const { jobs } = SIZES[run.length]
  const countOf = (number: number): number => (number === 0 ? Math.min(jobs, 300) : jobs)
  return compareSides(
    run,
    { name: 'round', by: 'per_second', unit: 'jobs/s', has_warm_up: true },
    {
      async bare(number) {
        // A server that has run for a minute knows its tables; plans made for empty ones are thrown away with this.
        if (number === 1)
          for (const side of [ours, bare]) await asAdmin(side.database, (client) => client.query('vacuum analyze'))
        return alone(bare, ours, countOf(number))
      },
      ours: (number) => alone(ours, bare, countOf(number)),
    },
  )
}

/** The other side's worker is paused, because it would poll. */
async function alone(side: JobRatioSide, other: JobRatioSide, count: number): Promise<JobRatioResult> {
  other.worker.kill('SIGSTOP')
  try {
    return await measure(side, count)
  } finally {
    other.worker.kill('SIGCONT')
  }
}

async function measure(side: JobRatioSide, count: number): Promise<JobRatioResult> {
  const { pid } = side.worker
  const before = { postgres: await cpuOfBackends(side.database), worker: cpuOf(pid!), clients: process.cpuUsage() }
  const began = performance.now()
  if (side.worker.connected) side.worker.send(count)
  const isDone = side.worker.connected ? side.allDone(count) : null
  let next = 0
  const client = async (): Promise<void> => {
    while (next < count) await side.enqueue(next++)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  await (isDone ?? side.allDone(count))
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(before.clients)
  return {
    per_second: count / seconds,
    postgres: (await cpuSince(side.database, before.postgres)) / count,
    worker: (cpuOf(pid!) - before.worker) / count,
    clients: (user + system) / 1000 / count,
  }
}
