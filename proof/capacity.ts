// Measures what each operation costs, and checks that the capacity model predicts a load that it has not seen.

import { cpus } from 'node:os'
import { writeCoefficients } from '../tools/capacity/coefficients.ts'
import { type Coefficients, type MeasuredRun, operations, solveCosts, totalCost } from '../tools/capacity/model.ts'
import { type CapacityLoad, type CapacityScene, measure, NOTHING } from './capacity/loads.ts'
import { Meter } from './capacity/meter.ts'
import { WireMeter } from './capacity/wire.ts'
import { asAdmin } from './lib/admin.ts'
import { onOwnEngines } from './lib/engines.ts'
import { type Proof, type ProofOutcome, type ProofRun, round } from './lib/proof.ts'
import { owned } from './lib/scope.ts'
import type { World } from './lib/world.ts'

const MAX_ERROR = 0.15
/** The bytes of files are those that the client sent, so a prediction of them shows nothing. */
const JUDGED = [
  'worker_cpu_seconds',
  'embedding_cpu_seconds',
  'postgres_cpu_seconds',
  'wal_bytes',
  'round_trips',
] as const
const ROUNDS = { short: 1, normal: 2, long: 4 }
const WARM_UP: CapacityLoad = { ...NOTHING, documents: 2, text_pages: 3, scanned_pages: 1, searches: 10, reads: 10 }
const LOADS: readonly CapacityLoad[] = [
  { ...NOTHING, idle_seconds: 15 },
  { ...NOTHING, documents: 16, text_pages: 1 },
  { ...NOTHING, documents: 4, text_pages: 40 },
  { ...NOTHING, documents: 2, scanned_pages: 4 },
  { ...NOTHING, searches: 200 },
  { ...NOTHING, reads: 600 },
  { ...NOTHING, idle_seconds: 15 },
]
const HELD_OUT: CapacityLoad = { ...NOTHING, documents: 6, text_pages: 11, scanned_pages: 1, searches: 150, reads: 400 }

export const proof: Proof = {
  promise: 'The capacity model predicts what a mixed load costs.',
  goal: `costs of single operations measured one by one; a mixed load of documents, scanned pages, searches and reads: CPU time of workers, embedding and PostgreSQL, WAL and round trips within ${MAX_ERROR * 100}% of the prediction`,
  faults: { free_pages: { what: 'the model takes a page to cost as much as a read', plants: [] } },
  run: prove,
}

function prove(run: ProofRun): Promise<ProofOutcome> {
  return onOwnEngines(run.plants, { RATE_LIMITS: 'off' }, (_, world) => proveOn(run, world))
}

async function proveOn(run: ProofRun, world: World): Promise<ProofOutcome> {
  await holdMaintenance(world.database.name)
  const target = new URL(world.database.app_url)
  const wire = new WireMeter({ host: target.hostname, port: Number(target.port) })
  await using _wire = owned(wire)
  const meter = await startMetered(world, wire)
  await using _meter = owned(meter)
  const { key } = await world.newTenant()
  const scene: CapacityScene = { say: run.say, meter, client: key.client(undefined, { max_retries: 5 }), seed: 1 }

  await measure(scene, WARM_UP)
  const runs: MeasuredRun[] = []
  const measureAll = async (): Promise<void> => {
    for (let i = 0; i < ROUNDS[run.length]; i++) for (const load of LOADS) runs.push(await measure(scene, load))
  }
  // Before and after, because a page costs more WAL when more pages are stored already.
  await measureAll()
  const heldOut = await measure(scene, HELD_OUT)
  if (run.fault === null) await measureAll()

  const costs = solveCosts(runs)
  const coefficients: Coefficients = {
    measured_on: new Date().toISOString().slice(0, 10),
    machine: cpus()[0]?.model ?? 'unknown CPU',
    chunks_per_page: await countChunksPerPage(world.database.name),
    costs: run.fault === null ? costs : { ...costs, text_page: costs.read },
  }
  for (const operation of operations) run.say(`${operation}: ${JSON.stringify(coefficients.costs[operation])}`)
  if (run.is_recorded) writeCoefficients(coefficients)
  return judge(run, coefficients, heldOut)
}

/** Starts an API process and a worker. Statements of requests and jobs pass the proxy, those of background loops do not. */
async function startMetered(world: World, wire: WireMeter): Promise<Meter> {
  const { database, env } = world
  const port = String(await wire.open())
  const urls = { DATABASE_URL: Object.assign(new URL(database.app_url), { port }).href }
  const { pid: api } = await world.startApi(urls)
  const { pid: worker } = await world.startWorker(urls)
  const meter = new Meter({ database: database.name, files_dir: env.FILES_DIR ?? '', api, worker, wire })
  meter.start()
  return meter
}

function judge(run: ProofRun, coefficients: Coefficients, { counts, cost }: MeasuredRun): ProofOutcome {
  const predicted = totalCost(coefficients, counts)
  const errors = JUDGED.map((resource) => ({ resource, error: predicted[resource] / cost[resource] - 1 }))
  for (const resource of JUDGED)
    run.say(`${resource}: ${round(predicted[resource])} predicted, ${round(cost[resource])} measured`)
  const worst = Math.max(...errors.map(({ error }) => Math.abs(error)))
  const parts = errors.map(
    ({ resource, error }) => `${resource.replaceAll('_', ' ')} ${error < 0 ? '' : '+'}${round(error * 100, 1)}%`,
  )
  return { figure: `prediction of a mixed load: ${parts.join(', ')}`, is_met: worst <= MAX_ERROR }
}

/** Checkpoints and vacuums write WAL at times of their choice, which would fall on any run. */
const holdMaintenance = (database: string): Promise<void> =>
  asAdmin(database, async (client) => {
    for (const setting of [`checkpoint_timeout = '1h'`, `max_wal_size = '8GB'`, 'autovacuum = off'])
      await client.query(`alter system set ${setting}`)
    await client.query('select pg_reload_conf()')
  })

const countChunksPerPage = (database: string): Promise<number> =>
  asAdmin(database, async (client) => {
    const { rows } = await client.query<{ share: number }>(
      'select (select count(*) from chunks)::float8 / (select count(*) from pages) as share',
    )
    return rows[0]?.share ?? 0
  })
