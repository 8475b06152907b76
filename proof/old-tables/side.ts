// One installation with finished jobs, and the load that one large tenant and some small ones put on it.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Octavo } from '@octavo/sdk'
import pg from 'pg'
import { findUuid } from '../../server/src/lib/ids.ts'
import { adminUrl, asAdmin } from '../lib/admin.ts'
import { BARE_NAME } from '../lib/backends.ts'
import type { CostSide } from '../lib/costs.ts'
import type { ProofRun } from '../lib/proof.ts'
import { prepareScripts } from '../lib/scripts.ts'
import { openWorld, type ServerProcess, type World } from '../lib/world.ts'
import { seedFinishedJobs } from './seed.ts'

const TENANTS = 10
/** More jobs at once than a tenant may run, so that some wait in the queue. */
const BURST = 4
const RUNNING_JOBS = 2
const READS = 4
const PATIENCE_MS = 60_000

/** Milliseconds of each request, by its kind. */
export type Latencies = Map<string, number[]>

export class OldTablesSide {
  readonly world: World
  private readonly processes: readonly ServerProcess[]
  private readonly clients: readonly Octavo[]
  /** Sees the database from outside; not counted as a part of the side. */
  private readonly watcher: pg.Client
  private pin: pg.Client | null = null
  readonly latencies: Latencies = new Map()
  private bursts = 0
  private readonly jobs: string[] = []

  private constructor(world: World, processes: ServerProcess[], clients: Octavo[], watcher: pg.Client) {
    this.world = world
    this.processes = processes
    this.clients = clients
    this.watcher = watcher
  }

  static async open(run: ProofRun, finished: number): Promise<OldTablesSide> {
    const world = await openWorld(run.plants, {
      RATE_LIMITS: 'off',
      TIER_FREE: `running_jobs:${RUNNING_JOBS},queued_jobs:1000000`,
    })
    await prepareScripts(world)
    const tenants = []
    for (let i = 0; i < TENANTS; i++) tenants.push(await world.newTenant('free'))
    const uuids = tenants.map(({ tenant }) => findUuid('ten', tenant) ?? '')
    await asAdmin(world.database.name, async (client) => {
      await seedFinishedJobs(client, uuids, finished, run.say)
      if (run.fault === 'no_live_index') await client.query('drop index jobs_line, jobs_live')
    })
    const api = await world.startApi()
    const worker = await world.startScriptedWorker()
    const watcher = new pg.Client({ connectionString: adminUrl(world.database.name), application_name: BARE_NAME })
    await watcher.connect()
    const clients = tenants.map(({ key }) => key.client(api.url, { max_retries: 5, timeout_ms: 60_000 }))
    return new OldTablesSide(world, [api, worker], clients, watcher)
  }

  /** A transaction that keeps its snapshot: from now on PostgreSQL cannot remove any dead row of this database. */
  async pinSnapshot(): Promise<void> {
    this.pin = new pg.Client({ connectionString: adminUrl(this.world.database.name), application_name: BARE_NAME })
    await this.pin.connect()
    await this.pin.query('begin isolation level repeatable read')
    await this.pin.query('select count(*) from tenants')
  }

  asCostSide(): CostSide {
    return {
      pids: this.processes.map(({ pid }) => pid),
      connections: { database: this.world.database.name, is_bare: false },
      // Background loops count too: they also read these tables.
      polls_when_idle: true,
      slice: () => this.work(),
    }
  }

  /** A few documents at once, each with a job, then reads one after the other, until all jobs have ended. */
  async work(): Promise<number> {
    const [large, ...small] = this.clients
    const other = small[this.bursts % small.length]
    // Nine of ten bursts belong to the large tenant.
    const client = this.bursts++ % 10 === 9 ? other : large
    if (!client) throw new Error('no client')
    const create = async (): Promise<string> => {
      const { latest_job_id } = await client.documents.create({
        title: 'New',
        source: { type: 'text', text: 'A page' },
      })
      return latest_job_id ?? ''
    }
    const jobs = await Promise.all(Array.from({ length: BURST }, () => this.time('post', create)))
    for (let i = 0; i < READS; i++) {
      await this.time('get', () => client.jobs.get(jobs[i % jobs.length] ?? ''))
      await this.time('list', () => Promise.resolve(client.jobs.list({ limit: 20 })))
      await this.time('list running', () => Promise.resolve(client.jobs.list({ status: 'running', limit: 20 })))
    }
    this.jobs.push(...jobs)
    await this.waitForEnd(jobs)
    return BURST
  }

  private async time<T>(kind: string, request: () => Promise<T>): Promise<T> {
    const began = performance.now()
    const answer = await request()
    const taken = this.latencies.get(kind) ?? []
    taken.push(performance.now() - began)
    this.latencies.set(kind, taken)
    return answer
  }

  private async waitForEnd(jobs: readonly string[]): Promise<void> {
    const ids = jobs.map((job) => findUuid('job', job))
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(20)) {
      const { rows } = await this.watcher.query<{ live: number }>(
        `select count(*)::int as live from tenants t join jobs j on j.tenant_id = t.id and j.id = any($1) where j.place is not null`,
        [ids],
      )
      if (rows[0]?.live === 0) return
    }
    throw new Error('jobs did not end in time')
  }

  /** Begins the measurement: earlier requests and jobs no longer count. */
  async reset(): Promise<void> {
    this.latencies.clear()
    this.jobs.length = 0
    this.buffers_before = await this.readBuffers()
  }
  private buffers_before: ReadonlyMap<string, number> = new Map()

  /** Buffers of each table and index that everything in this database has read since `reset`, for each job. */
  async buffersOfJob(): Promise<Map<string, number>> {
    const now = await this.readBuffers()
    return new Map(
      [...now].map(([name, buffers]) => [name, (buffers - (this.buffers_before.get(name) ?? 0)) / this.jobs.length]),
    )
  }

  /** Statistics of a backend arrive late, at the latest after ten idle seconds. */
  private async readBuffers(): Promise<Map<string, number>> {
    await sleep(11_000)
    const { rows } = await this.watcher.query<{ name: string; buffers: number }>(
      `select relname as name, (heap_blks_hit + heap_blks_read)::float8 as buffers from pg_statio_user_tables
      union all select indexrelname, (idx_blks_hit + idx_blks_read)::float8 from pg_statio_user_indexes`,
    )
    return new Map(rows.map(({ name, buffers }) => [name, buffers]))
  }

  /** Milliseconds between a job's creation and its start. */
  async waitsOfJobs(): Promise<number[]> {
    const { rows } = await this.watcher.query<{ wait_ms: number }>(
      `select extract(epoch from j.started_at - j.queued_at)::float8 * 1000 as wait_ms
      from tenants t join jobs j on j.tenant_id = t.id and j.id = any($1)`,
      [this.jobs.map((job) => findUuid('job', job))],
    )
    return rows.map(({ wait_ms }) => wait_ms)
  }

  async countDeadRows(): Promise<number> {
    const { rows } = await this.watcher.query<{ dead: number }>(
      `select sum(n_dead_tup)::int as dead from pg_stat_all_tables where relname in ('jobs', 'tenant_slots', 'job', 'job_common')`,
    )
    return rows[0]?.dead ?? 0
  }

  async close(): Promise<void> {
    await this.pin?.end()
    await this.watcher.end()
    await this.world.close()
  }
}
