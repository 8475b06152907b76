// pg-boss as the engine. Its queues only carry deliveries; finished deliveries are deleted, so its table holds only
// admitted jobs.

import { PgBoss } from 'pg-boss'
import type { Tx } from '../db/database.ts'
import { type Loop, startLoop } from '../lib/loop.ts'
import type { Delivery, DeliveryState, Engine, Subscriber, Subscription } from './engine.ts'

const SCHEMA = 'pgboss'
/** The least that it allows. A worker is taken for lost after this long without a beat. */
const HEARTBEAT_SECONDS = 10
const BEAT_MS = 1_500
const POLL_MS = 1_000
/** pg-boss passes these to its pool. A heartbeat that takes longer is too late anyway. */
const POOL = { query_timeout: 10_000, keepAlive: true }
/** A silence that the engine itself should have noticed long ago. */
const SILENT_SECONDS = 30
const QUEUE = {
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: 86_400,
  // A lost worker is no failure of the job: how often is too often, our row decides.
  retryLimit: 1_000,
  retryDelay: 0,
  retentionSeconds: 365 * 86_400,
  deleteAfterSeconds: 3_600,
}

const queueOf = ({ type, version }: Pick<Delivery, 'type' | 'version'>): string => `${type}-v${version}`

const quiet = { schema: SCHEMA, schedule: false, migrate: false, createSchema: false, registerInstance: false } as const

/** Makes or upgrades the engine's tables, as their owner. */
export async function installEngine(owner_url: string): Promise<void> {
  const boss = new PgBoss({
    ...quiet,
    connectionString: owner_url,
    max: 1,
    migrate: true,
    createSchema: true,
    supervise: false,
  })
  await boss.start()
  try {
    const grants = `grant usage on schema ${SCHEMA} to octavo_app, octavo_system;
      grant select, insert, update, delete on all tables in schema ${SCHEMA} to octavo_app, octavo_system;
      grant execute on all functions in schema ${SCHEMA} to octavo_app, octavo_system`
    await boss.getDb().executeSql(grants)
  } finally {
    await boss.stop({ graceful: false })
  }
}

/** A statement of pg-boss as a part of our transaction; its result is not waited for. */
const inside = (tx: Tx) => ({
  executeSql(text: string, values: unknown[] = []) {
    tx.foreign(text, values as never)
    return Promise.resolve({ rows: [{ id: '', count: '0', ids: [] }] })
  },
})

const byQueue = (deliveries: readonly Delivery[]) => Map.groupBy(deliveries, queueOf)

export function openPgBoss(url: string, onFailure: (event: string, error: unknown) => void): Engine {
  let opening: Promise<PgBoss> | null = null
  const known = new Set<string>()
  return { start, forget, subscribe, readStates, forgetTenant, close }

  function open(isWorker = false): Promise<PgBoss> {
    opening ??= begin(isWorker).catch((error: unknown) => {
      opening = null
      throw error
    })
    return opening
  }

  async function begin(isWorker: boolean): Promise<PgBoss> {
    const boss = new PgBoss({
      ...quiet,
      ...POOL,
      connectionString: url,
      max: isWorker ? 4 : 2,
      connectionTimeoutMillis: 2_000,
      supervise: isWorker,
      superviseIntervalSeconds: 1,
      monitorIntervalSeconds: 1,
      monitorVacuum: false,
    })
    boss.on('error', (error) => onFailure('job engine failed', error))
    await boss.start()
    return boss
  }

  async function ensureQueue(boss: PgBoss, name: string): Promise<void> {
    if (known.has(name)) return
    if (!(await boss.getQueue(name))) await boss.createQueue(name, QUEUE).catch(() => {})
    known.add(name)
  }

  async function start(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
    const boss = await open()
    for (const [name, group] of byQueue(deliveries)) {
      await ensureQueue(boss, name)
      await boss.insert(
        name,
        group.map(({ id, tenant, job }) => ({ id, data: { tenant, job } })),
        { db: inside(tx) },
      )
    }
  }

  async function forget(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
    const boss = await open()
    for (const [name, group] of byQueue(deliveries)) {
      await ensureQueue(boss, name)
      await boss.deleteJob(
        name,
        group.map(({ id }) => id),
        { db: inside(tx) },
      )
    }
  }

  async function subscribe(asked: Subscriber): Promise<Subscription> {
    const { kinds } = asked
    const boss = await open(true)
    for (const kind of kinds) await ensureQueue(boss, queueOf(kind))
    const held = new Map<string, string>()
    /** Queues that probably have jobs. The others are polled less often. */
    const promising = new Set(kinds)
    let looked_at = 0
    let rest = new AbortController()
    let isPaused = false
    let first = 0
    const fetcher = startLoop(
      fetchOnce,
      (error) => onFailure('job fetch loop failed', error),
      () => rest.signal,
    )
    const beats: Loop = startLoop(beat, (error) => onFailure('job heartbeat loop failed', error))
    return {
      wake(type) {
        for (const kind of kinds) if (type === undefined || kind.type === type) promising.add(kind)
        rest.abort()
      },
      async pause() {
        isPaused = true
        await fetcher.stop()
      },
      drop(id) {
        held.delete(id)
        // More were there than this process could take.
        if (promising.size > 0) rest.abort()
      },
      async stop() {
        isPaused = true
        await Promise.all([fetcher.stop(), beats.stop()])
      },
    }

    async function fetchOnce(): Promise<number> {
      rest = new AbortController()
      if (Date.now() - looked_at >= POLL_MS) {
        looked_at = Date.now()
        for (const kind of kinds) promising.add(kind)
      }
      let isMoreLikely = false
      // Every round begins with another kind, so that none waits behind the others.
      first = (first + 1) % kinds.length
      for (const kind of [...kinds.slice(first), ...kinds.slice(0, first)]) {
        const count = isPaused || !promising.has(kind) ? 0 : Math.min(100, asked.free(kind.type))
        if (count <= 0) continue
        const name = queueOf(kind)
        // Before the fetch: a notification that arrives during it may be for a job that it missed.
        promising.delete(kind)
        const jobs = await boss.fetch<{ tenant: string; job: string }>(name, { batchSize: count })
        if (jobs.length === 0) continue
        if (jobs.length === count) {
          promising.add(kind)
          isMoreLikely = true
        }
        for (const { id } of jobs) held.set(id, name)
        asked.take(jobs.map(({ id, data }) => ({ id, ...data, ...kind })))
      }
      return isMoreLikely && !isPaused ? 0 : POLL_MS
    }

    async function beat(): Promise<number> {
      for (const [name, entries] of Map.groupBy(held, ([, queue]) => queue)) {
        await boss.touch(
          name,
          entries.map(([id]) => id),
        )
      }
      return BEAT_MS
    }
  }

  async function readStates(ids: readonly string[]): Promise<Map<string, DeliveryState>> {
    const boss = await open()
    const { rows } = await boss.getDb().executeSql(
      `select id, case when state in ('created', 'retry') then 'waiting' when state <> 'active' then 'unknown'
        when heartbeat_on < now() - interval '${SILENT_SECONDS} s' then 'silent' else 'active' end as sight
      from ${SCHEMA}.job where id = any($1::uuid[])`,
      [ids],
    )
    return new Map(rows.map(({ id, sight: deliveryState }) => [id, deliveryState]))
  }

  async function forgetTenant(tenant: string): Promise<number> {
    const boss = await open()
    const { rows } = await boss
      .getDb()
      .executeSql(`delete from ${SCHEMA}.job where data->>'tenant' = $1 returning id`, [tenant])
    return rows.length
  }

  async function close(): Promise<void> {
    const boss = await opening?.catch(() => null)
    await boss?.stop({ graceful: false, close: true })
  }
}
