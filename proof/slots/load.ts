// Jobs of every kind of ending, cancels by the API, and workers that die: all at once, by one seed.

import { setTimeout as sleep } from 'node:timers/promises'
import { toId } from '../../server/src/lib/ids.ts'
import { asAdmin } from '../lib/admin.ts'
import type { Random } from '../lib/random.ts'
import { enqueueScripts, type Script } from '../lib/scripts.ts'
import type { ServerProcess, World, WorldKey } from '../lib/world.ts'

/** Jobs that live at once: enough for lines, few enough for them to run dry now and then. */
const LIVE = 50
export interface SlotsLoad {
  world: World
  tenants: readonly { tenant: string; key: WorldKey; jobs: number }[]
  random: Random
  kills: number
  /** After this share of the jobs nothing is killed and nothing fails: the end would wait for nothing but the next attempts. */
  wild_share: number
  /** A planted fault was seen: more of it shows nothing. */
  isHopeless: () => boolean
}

export interface SlotsLoadResult {
  /** The tenant of each job. */
  jobs: Map<string, string>
  cancels: number
  /** When a killed process was gone, by its id. */
  exits: Map<number, number>
  /** Every job is made and every kill done. */
  done: Promise<unknown>
}

type SlotsKind = 'works' | 'steps' | 'fails_once' | 'fails' | 'fails_thrice' | 'times_out'
const USUAL: Record<SlotsKind, number> = {
  works: 70,
  steps: 14,
  fails_once: 5,
  fails: 7,
  fails_thrice: 1,
  times_out: 5,
}
/** Three attempts take half a minute. */
const BRIEF = { ...USUAL, fails_thrice: 0 }
const CALM: Record<SlotsKind, number> = { works: 85, steps: 15, fails_once: 0, fails: 0, fails_thrice: 0, times_out: 0 }

function scriptOf(kind: SlotsKind, random: Random): { script: Script; timeout_seconds?: number } {
  // Mostly longer than the way from one job's end to the next one's beginning, so that slots are really in use.
  const step_ms = random.whole(1, 200)
  const scripts: Record<SlotsKind, Script> = {
    works: { steps: 1, step_ms },
    steps: { steps: random.whole(2, 5), step_ms: step_ms / 2 },
    fails_once: { steps: 2, step_ms, fails: 1 },
    fails: { steps: 1, step_ms, fails: 1, is_final: true },
    fails_thrice: { steps: 1, step_ms, fails: 3 },
    times_out: { steps: 1, step_ms: 5_000 },
  }
  return { script: scripts[kind], ...(kind === 'times_out' ? { timeout_seconds: 1 } : {}) }
}

export async function startLoad(
  load: SlotsLoad,
  workers: number,
  onLog: (line: string) => void,
): Promise<SlotsLoadResult> {
  const loaded: SlotsLoadResult = { jobs: new Map(), cancels: 0, exits: new Map(), done: Promise.resolve() }
  const start = (): Promise<ServerProcess> => load.world.startScriptedWorker({}, onLog)
  const running = await Promise.all(Array.from({ length: workers }, start))
  let isFed = false
  const feeding = feed(load, loaded).finally(() => {
    isFed = true
  })
  const all = [feeding, cancelSome(load, loaded, () => isFed), killSome(load, loaded, { running, start })]
  loaded.done = Promise.all(all)
  return loaded
}

const countAll = ({ tenants }: SlotsLoad): number => tenants.reduce((sum, { jobs }) => sum + jobs, 0)

async function feed(load: SlotsLoad, loaded: SlotsLoadResult): Promise<void> {
  const { world, tenants, wild_share, isHopeless } = load
  const random = load.random.fork('feed')
  const left = new Map(tenants.map(({ tenant, jobs }) => [tenant, jobs]))
  const all = countAll(load)
  let favoured: string[] = []
  let favour = 0
  await asAdmin(world.database.name, async (client) => {
    while (left.size > 0 && !isHopeless()) {
      const { rows } = await client.query<{ live: number }>(
        'select count(*)::int as live from jobs where place is not null',
      )
      if (rows[0]!.live >= LIVE) {
        // Sometimes until nearly all have ended, so that slots are free and jobs find them.
        await sleep(random.next() < 0.1 ? 500 : 50)
        continue
      }
      // One tenant alone could run more than its slots, were it let; all together wait for workers with their slots held.
      if (favour-- === 0 || !favoured.some((tenant) => left.has(tenant))) {
        favoured = random.shuffle([...left.keys()]).slice(0, random.one([1, tenants.length]))
        favour = random.whole(5, 25)
      }
      const tenant = random.one(favoured.filter((one) => left.has(one)))
      const weights = loaded.jobs.size > all * wild_share ? CALM : all < 1_000 ? BRIEF : USUAL
      const { script, ...more } = scriptOf(random.weighted(weights), random)
      const count = Math.min(script.step_ms > 1_000 ? 1 : random.whole(1, 5), left.get(tenant)!)
      const priority = random.one(['low', 'normal', 'high'] as const)
      for (const id of await enqueueScripts(world, tenant, script, { count, priority, ...more }))
        loaded.jobs.set(id, tenant)
      left.set(tenant, left.get(tenant)! - count)
      if (left.get(tenant) === 0) left.delete(tenant)
    }
  })
}

/** Chooses equally among jobs in line, admitted jobs and running jobs: most would otherwise be in line. */
async function cancelSome(
  { world, tenants, random: source, isHopeless }: SlotsLoad,
  loaded: SlotsLoadResult,
  isFed: () => boolean,
): Promise<void> {
  const random = source.fork('cancel')
  const clients = new Map(tenants.map(({ tenant, key }) => [tenant, key.client()]))
  await asAdmin(world.database.name, async (admin) => {
    while (!isFed() && !isHopeless()) {
      await sleep(random.between(20, 200))
      const where = random.one(["place = 'line'", "place = 'admitted' and status = 'queued'", "status = 'running'"])
      const { rows } = await admin.query<{ tenant_id: string; id: string }>(
        `select tenant_id, id from jobs where ${where} order by random() limit 1`,
      )
      if (!rows[0]) continue
      loaded.cancels++
      // The job may have ended already, and an answer may be late: both are fine here.
      const client = clients.get(toId('ten', rows[0].tenant_id))!
      await client.jobs.update(toId('job', rows[0].id), { status: 'cancelled' }).catch(() => {})
    }
  })
}

async function killSome(
  load: SlotsLoad,
  loaded: SlotsLoadResult,
  { running, start }: { running: ServerProcess[]; start: () => Promise<ServerProcess> },
): Promise<void> {
  const { kills, wild_share, isHopeless } = load
  const random = load.random.fork('kill')
  for (let kill = 0; kill < kills && !isHopeless(); kill++) {
    // Spread over the jobs, so that there is load at every kill.
    const after = (countAll(load) * wild_share * (kill + random.next())) / kills
    while (loaded.jobs.size < after && !isHopeless()) await sleep(20)
    await sleep(random.between(0, 300))
    const victim = random.whole(0, running.length - 1)
    await running[victim]!.kill()
    loaded.exits.set(running[victim]!.pid, Date.now())
    running[victim] = await start()
  }
}
