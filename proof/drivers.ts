// Which driver, and what row-level security costs: reads by primary key in one process, side by side.

import pg from 'pg'
import postgres from 'postgres'
import { openDatabase } from '../server/src/db/database.ts'
import { sql } from '../server/src/db/statement.ts'
import { operator } from '../server/src/lib/caller.ts'
import { findUuid } from '../server/src/lib/ids.ts'
import { adminUrl } from './lib/admin.ts'
import { median, type Proof, type ProofOutcome, type ProofRun, round } from './lib/proof.ts'
import { openWorld, type World } from './lib/world.ts'

const CONNECTIONS = 10
const MIN_RATIO = 0.9
const COLUMNS = 'id, title, project_id, external_id, source, status, metadata, version, created_at, updated_at'
const PLAIN = `select ${COLUMNS} from documents where tenant_id = $1 and id = $2`
const ONE_SYNC = sql(`select ${COLUMNS} from documents where tenant_id = $1 and id = $3`, 'doc')

type Read = () => Promise<unknown>

export const proof: Proof = {
  promise: 'Row-level security costs no round trip: the tenant is set in the same Sync as the statement.',
  goal: `one-Sync read with row security >= ${MIN_RATIO} of a plain named statement without it (medians of 5)`,
  faults: { round_trips: { what: 'the tenant is set in round trips of its own', plants: [] } },
  run: async (run) => {
    await using world = await openWorld()
    return await compare(run, world)
  },
}

async function compare(run: ProofRun, world: World): Promise<ProofOutcome> {
  const { tenant, key } = await world.newTenant()
  const { url } = await world.startApi()
  const { id } = await key.client(url).documents.create({ title: 'Lease' })
  const [t, d] = [findUuid('ten', tenant)!, findUuid('doc', id)!]
  const admin = new pg.Pool({ connectionString: adminUrl(world.database.name), max: CONNECTIONS })
  const app = new pg.Pool({ connectionString: world.database.app_url, max: CONNECTIONS })
  const other = postgres(adminUrl(world.database.name), { max: CONNECTIONS })
  const ours = openDatabase(world.database.app_url, CONNECTIONS)
  const db = ours.for(operator(t, []))
  const reads: Record<string, Read> = {
    'pg, named statement, no row security': () => admin.query({ name: 'read', text: PLAIN, values: [t, d] }),
    'pg, unnamed statement, no row security': () => admin.query(PLAIN, [t, d]),
    'postgres.js, prepared, no row security': () => other.unsafe(PLAIN, [t, d], { prepare: true }),
    'pg, BEGIN + set_config + statement + COMMIT, row security': () => inTransaction(app, t, d),
    'pg, one Sync, row security': () => (run.fault ? inTransaction(app, t, d) : db.find(ONE_SYNC, [d])),
  }
  const rates: Record<string, number[]> = {}
  for (let i = 0; i < (run.length === 'short' ? 3 : 5); i++) {
    for (const [name, read] of Object.entries(reads))
      (rates[name] ??= []).push(await rateOf(read, run.length === 'short' ? 500 : 2_000))
  }
  await Promise.all([admin.end(), app.end(), other.end(), ours.close()])
  const medians = Object.entries(rates).map(([name, values]) => [name, median(values)] as const)
  const base = medians[0]![1]
  for (const [name, rate] of medians) run.say(`${name}: ${Math.round(rate)}/s, ${round(rate / base)} of the first`)
  const ratio = medians.at(-1)![1] / base
  return { figure: `one Sync with row security ${round(ratio)} of a plain named statement`, is_met: ratio >= MIN_RATIO }
}

async function inTransaction(pool: pg.Pool, tenant: string, document: string): Promise<unknown> {
  const client = await pool.connect()
  await client.query('begin')
  await client.query({
    name: 'scope',
    text: `select set_config('app.tenant', $1, true), set_config('app.projects', '*', true)`,
    values: [tenant],
  })
  const result = await client.query({ name: 'read', text: PLAIN, values: [tenant, document] })
  await client.query('commit')
  client.release()
  return result
}

/** Reads in a second, as many at once as there are connections. */
async function rateOf(read: Read, milliseconds: number): Promise<number> {
  let count = 0
  const started = performance.now()
  const loop = async (): Promise<void> => {
    for (; performance.now() - started < milliseconds; count++) await read()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, loop))
  return count / ((performance.now() - started) / 1000)
}
