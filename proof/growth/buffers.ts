// How many buffers a store function reads, from PostgreSQL's own account of its plan.

import type pg from 'pg'
import type { Reader, Tx } from '../../server/src/db/database.ts'
import { type Statement, toParameter, type Value } from '../../server/src/db/statement.ts'
import { operator } from '../../server/src/lib/caller.ts'

interface GrowthPlan {
  'Node Type': string
  'Index Name'?: string
  'Actual Loops': number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Relation Name'?: string
  Plans?: GrowthPlan[]
}

export interface GrowthMeasurement {
  buffers: number
  /** Index scans that were begun; an insert touches every index of its table. */
  probes: number
}

const probesOf = (plan: GrowthPlan): number =>
  (plan['Node Type'].includes('Index') ? Math.max(1, plan['Actual Loops']) : 0) +
  (plan.Plans ?? []).reduce((sum, child) => sum + probesOf(child), 0)

/** A handle for store functions that explains their statements instead of giving rows; nothing stays changed. */
export function explainer(
  client: pg.Client,
  tenant: string,
  projects: string[] | null,
): { handle: Reader & Tx; readings: GrowthMeasurement[] } {
  const readings: GrowthMeasurement[] = []
  const explain = async (statement: Statement, values: readonly Value[] = []): Promise<never[]> => {
    const visible = projects === null ? null : `{${projects.join(',')}}`
    await client.query('begin')
    await client.query(`select set_config('app.tenant', $1, true), set_config('app.projects', $2, true)`, [
      tenant,
      visible ?? '*',
    ])
    const unused = `with unused as (select $1::uuid, $2::uuid[]) `
    const text = `explain (analyze, buffers, format json) ${/^\s*(insert|select)/i.test(statement.text) ? unused : ''}${statement.text}`
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: GrowthPlan }[] }>(text, [
      tenant,
      visible,
      ...values.map(toParameter),
    ])
    await client.query('rollback')
    const plan = rows[0]!['QUERY PLAN'][0]!.Plan
    const isInsert = plan['Node Type'] === 'ModifyTable'
    readings.push({
      buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      probes: isInsert ? 3 : probesOf(plan),
    })
    return []
  }
  const caller = { ...operator(tenant, []), projects }
  const handle = {
    caller,
    rows: explain,
    find: async (statement: Statement, values: readonly Value[]) =>
      ((await explain(statement, values))[0] ?? null) as never,
  }
  return { handle: handle as unknown as Reader & Tx, readings }
}
