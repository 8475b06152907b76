// How many buffers the admission of one job reads, from PostgreSQL's own account of the statement that the server sends.

import pg from 'pg'
import type { Tx } from '../../server/src/db/database.ts'
import type { Statement, Value } from '../../server/src/db/statement.ts'
import { admit } from '../../server/src/jobs/slot-rows.ts'
import { operator } from '../../server/src/lib/caller.ts'
import { findUuid } from '../../server/src/lib/ids.ts'
import { asAdmin } from '../lib/admin.ts'
import { median, type ProofOutcome, type ProofRun, round } from '../lib/proof.ts'
import { defer } from '../lib/scope.ts'
import { openWorld, type World } from '../lib/world.ts'
import { lineUp } from './backlog.ts'

export const GOAL_RATIO = 1.5
const FEW = 1_000
const MANY = { short: 50_000, normal: 1_000_000, long: 1_000_000 }
const SLOTS = 4
const PICKS = 11
/** Jobs at the head of the line that have gone lately: what they leave behind in the index must not be paid by everyone after them. */
const GONE = 200

interface FairnessPlan {
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Subplan Name'?: string
  Plans?: FairnessPlan[]
}

export async function readBuffers(run: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld()
  const big = findUuid('ten', (await world.newTenant('free')).tenant)!
  const small = findUuid('ten', (await world.newTenant('free')).tenant)!
  await lineUp(world, small, { steps: 1, step_ms: 1 }, { first: 1, last: 10 })
  const seed = (first: number, last: number): Promise<void> =>
    lineUp(world, big, { steps: 1, step_ms: 1 }, { first, last })
  await seed(1, FEW)
  const few = await readPicks(world, { big, small })
  await seed(FEW + 1, MANY[run.length])
  const many = await readPicks(world, { big, small })
  const ratio = Math.max(many.big / few.big, many.small / few.small)
  const figure = `buffers to pick the next job: ${few.big} of ${FEW}, ${many.big} of ${MANY[run.length]}; of another tenant ${few.small} and ${many.small}: ratio ${round(ratio)}`
  return { figure, is_met: ratio <= GOAL_RATIO }
}

async function readPicks(
  world: World,
  tenants: { big: string; small: string },
): Promise<{ big: number; small: number }> {
  await asAdmin(world.database.name, async (client) => {
    await client.query('update tenant_slots set used = $1', [SLOTS - 1])
    for (let i = 0; i < GONE; i++)
      await client.query(
        `update jobs set status = 'succeeded', place = null, finished_at = now()
        where tenant_id = $1 and id = (select id from jobs where tenant_id = $1 and place = 'line' order by priority desc, id limit 1)`,
        [tenants.big],
      )
  })
  return { big: await readPick(world, tenants.big), small: await readPick(world, tenants.small) }
}

/** The worse of both kinds of plans that PostgreSQL may choose for a prepared statement. */
async function readPick(world: World, tenant: string): Promise<number> {
  const { text, values } = await captureAdmit(tenant)
  const client = new pg.Client({ connectionString: world.database.app_url })
  await using _client = defer(() => client.end())
  await client.connect()
  await client.query(`prepare pick (uuid, uuid[], jsonb) as ${text}`)
  const readings = { force_custom_plan: [] as number[], force_generic_plan: [] as number[] }
  for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
    for (let i = 0; i < PICKS; i++) {
      await client.query('begin')
      await client.query(
        `select set_config('app.tenant', $1, true), set_config('app.projects', '*', true), set_config('random_page_cost', '1.1', true), set_config('plan_cache_mode', $2, true)`,
        [tenant, mode],
      )
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: FairnessPlan }[] }>(
        `explain (analyze, buffers, format json) execute pick ('${tenant}', null, '${JSON.stringify(values[0])}')`,
      )
      await client.query('rollback')
      readings[mode].push(buffersOf(rows[0]!['QUERY PLAN'][0]!.Plan))
    }
  }
  return Math.max(...Object.values(readings).map(median))
}

/** A CTE that no other part reads runs last, so the total of the root node does not include it. */
function buffersOf(plan: FairnessPlan): number {
  const unread = plan.Plans?.find((part) => part['Subplan Name'] === 'CTE counted')
  return [plan, ...(unread ? [unread] : [])].reduce(
    (sum, part) => sum + part['Shared Hit Blocks'] + part['Shared Read Blocks'],
    0,
  )
}

/** The statement itself, as the server would send it. */
async function captureAdmit(tenant: string): Promise<{ text: string; values: readonly Value[] }> {
  const sent: { text: string; values: readonly Value[] }[] = []
  const tx = {
    caller: operator(tenant, []),
    rows: async ({ text }: Statement, values: readonly Value[]) => {
      sent.push({ text, values })
      return []
    },
  }
  await admit(tx as unknown as Tx, { free: SLOTS })
  return sent[0]!
}
