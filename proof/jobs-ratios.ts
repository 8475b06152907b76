// CPU time of Octavo's jobs against the bare queue engine, and the start latency of a job on an idle system.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { required } from '../base/src/required.ts'
import { createDatabase } from '../server/src/testing/database.ts'
import { adminUrl, asAdmin } from './lib/admin.ts'
import { BARE_NAME } from './lib/backends.ts'
import { change } from './lib/change.ts'
import { type CostComparison, compareCosts } from './lib/costs.ts'
import { median, type Proof, type ProofOutcome, type ProofRun, quantile, round } from './lib/proof.ts'
import { defer } from './lib/scope.ts'
import { enqueueScripts, prepareScripts } from './lib/scripts.ts'
import { openWorld, type ServerProcess, type World } from './lib/world.ts'

const GOAL = { share: 0.35, p50_ms: 60, p99_ms: 300 }
const SIZES = {
  short: { jobs: 100, pairs: 4, tries: 100 },
  normal: { jobs: 200, pairs: 8, tries: 300 },
  long: { jobs: 1_000, pairs: 8, tries: 1_000 },
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
  goal: 'CPU time of worker, clients and PostgreSQL: the bare engine needs >= 0.35 of ours for empty jobs with the same batch; start at idle p50 <= 60 ms, p99 <= 300 ms',
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

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld(run.plants, { WORKER_SLOTS: String(BATCH) })
  await prepareScripts(world)
  const worker = await world.startScriptedWorker()
  const tenants = await Promise.all(
    Array.from({ length: TENANTS }, async () => (await world.newTenant('enterprise')).tenant),
  )
  const latencies = await measureStarts(run, world, tenants)
  return judge(await compare(run, world, worker, tenants), latencies)
}

function judge({ share, figure, of }: CostComparison, latencies: readonly number[]): ProofOutcome {
  const [p50, p99] = [round(quantile(latencies, 0.5), 0), round(quantile(latencies, 0.99), 0)]
  const postgres = `PostgreSQL ${of('ours', 'postgres')} ms, bare ${of('bare', 'postgres')} ms`
  const rates = `${of('ours', 'per_second', 0)} of ${of('bare', 'per_second', 0)} jobs/s`
  return {
    figure: `${figure}, ${postgres}; ${rates}; start at idle p50 ${p50} ms, p99 ${p99} ms`,
    is_met: share >= GOAL.share && p50 <= GOAL.p50_ms && p99 <= GOAL.p99_ms,
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
  await untilIdle(world.app.system)
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
  const over = new AbortController()
  const { signal } = over
  const word = await Promise.race([
    once(child, 'message', { signal }),
    once(child, 'exit', { signal }).then(
      () => null,
      () => null,
    ),
  ])
  over.abort()
  if (word === null) throw new Error('the bare loop has ended')
}

/** No job is left, and every event has its place. */
async function untilIdle(database: Pick<pg.Pool, 'query'>): Promise<void> {
  for (let isIdle = false; !isIdle; await sleep(20)) {
    const { rows } = await database.query<{ is_idle: boolean }>(
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
): Promise<CostComparison> {
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
  // Its name keeps its questions out of the figures.
  const watcher = new pg.Pool({
    connectionString: adminUrl(world.database.name),
    max: 1,
    application_name: BARE_NAME,
  })
  await using _watcher = defer(() => watcher.end())
  const sides = {
    ours: {
      name: 'ours',
      database: world.database.name,
      worker: worker.process,
      enqueue: (number) => enqueueScripts(world, tenants[number % TENANTS]!, { steps: 1, step_ms: 0, is_silent: true }),
      allDone: () => untilIdle(watcher),
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

async function measureRounds(
  run: ProofRun,
  { ours, bare }: { ours: JobRatioSide; bare: JobRatioSide },
): Promise<CostComparison> {
  const { jobs, pairs } = SIZES[run.length]
  // A server that has run for a minute knows its tables; plans made for empty ones are thrown away with this.
  for (const [side, other] of [
    [ours, bare],
    [bare, ours],
  ] as const) {
    await alone(side, other, jobs)
    await asAdmin(side.database, (client) => client.query('vacuum analyze'))
  }
  // The clients of both sides are in this process, and below it both workers.
  const costsOf = (side: JobRatioSide, other: JobRatioSide) => ({
    pids: [process.pid],
    except: [required(other.worker.pid, 'process')],
    connections: { database: side.database, is_bare: false },
    polls_when_idle: side === bare,
    slice: () => alone(side, other, jobs),
  })
  return compareCosts(run, { name: 'jobs', pairs }, { ours: costsOf(ours, bare), bare: costsOf(bare, ours) })
}

/** The other side's worker is paused, because it would poll. */
async function alone(side: JobRatioSide, other: JobRatioSide, count: number): Promise<number> {
  other.worker.kill('SIGSTOP')
  try {
    return await doJobs(side, count)
  } finally {
    other.worker.kill('SIGCONT')
  }
}

async function doJobs(side: JobRatioSide, count: number): Promise<number> {
  if (side.worker.connected) side.worker.send(count)
  const isDone = side.worker.connected ? side.allDone(count) : null
  let next = 0
  const client = async (): Promise<void> => {
    while (next < count) await side.enqueue(next++)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  await (isDone ?? side.allDone(count))
  return count
}
