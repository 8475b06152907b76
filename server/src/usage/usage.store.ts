import type { Reader, Tx } from '../db/database.ts'
import { sql } from '../db/statement.ts'
import { insertInto } from '../db/tables.ts'
import { newUuid, timeOfUuid } from '../lib/ids.ts'

/** Usage of one piece of work. */
export interface UsageRow {
  project_id: string | null
  /** The caller's key; null: the system. */
  key_id: string | null
  job_id: string | null
  subject: { object: string; id: string }
  model: string
  provider: string
  locality: 'local' | 'remote'
  pages: number
  input_tokens: number
  output_tokens: number
  compute_ms: number
  cost_micros: number
}

const SPEND = sql(
  `insert into budget_days (tenant_id, day, spent_micros) values ($1, (clock_timestamp() at time zone 'utc')::date, $3)
  on conflict (tenant_id, day) do update set spent_micros = budget_days.spent_micros + excluded.spent_micros`,
)
/** The day's row is locked until the transaction ends: reservations of one tenant come one after another. */
const LOCK_DAY = sql(
  `insert into budget_days (tenant_id, day) values ($1, (clock_timestamp() at time zone 'utc')::date)
  on conflict (tenant_id, day) do update set spent_micros = budget_days.spent_micros returning day::text, spent_micros`,
)
const LEFT = sql(
  `select t.daily_budget_micros as budget, d.spent_micros as spent,
    (select coalesce(sum(micros), 0)::bigint from budget_reservations r where r.tenant_id = $1 and r.day = d.day and r.call <> $4
      and r.created_at > clock_timestamp() - interval '1 hour') as reserved
  from tenants t, budget_days d where t.id = $1 and d.tenant_id = $1 and d.day = $3::date`,
)
const RESERVE = sql(
  `insert into budget_reservations (tenant_id, day, call, micros) values ($1, $3::date, $4, $5)
  on conflict (tenant_id, day, call) do update set micros = excluded.micros, created_at = clock_timestamp()`,
)
// On any day: a call may end on the day after it began.
const RELEASE = sql(`delete from budget_reservations where tenant_id = $1 and call = $3`)
const BUDGET = sql(`select daily_budget_micros as budget from tenants where id = $1`)

export function insertUsage(tx: Tx, row: UsageRow): void {
  const id = newUuid()
  const { project_id, key_id, job_id, subject, model, provider, locality, pages, cost_micros } = row
  const { input_tokens, output_tokens, compute_ms } = row
  const about = { project_id, key_id, job_id, subject_object: subject.object, subject_id: subject.id }
  const used = { model, provider, locality, pages, input_tokens, output_tokens, compute_ms, cost_micros }
  tx.queue(...insertInto('usage_records', { id, ...about, ...used, created_at: timeOfUuid(id) }))
  if (row.cost_micros > 0) tx.queue(SPEND, [row.cost_micros])
}

export async function findBudget(db: Reader): Promise<number | null> {
  return (await db.find<{ budget: number | null }>(BUDGET))?.budget ?? null
}

const SPENT = sql(
  `select spent_micros as spent from budget_days where tenant_id = $1 and day = (clock_timestamp() at time zone 'utc')::date`,
)
export const findSpent = async (db: Reader): Promise<number> => (await db.find<{ spent: number }>(SPENT))?.spent ?? 0

/** The rest of the daily budget; null: unlimited. */
export async function findLeft(tx: Tx, call: string): Promise<{ day: string; left: number | null }> {
  const { day } = await tx.one<{ day: string }>(LOCK_DAY)
  const row = await tx.one<{ budget: number | null; spent: number; reserved: number }>(LEFT, [day, call])
  return { day, left: row.budget === null ? null : row.budget - row.spent - row.reserved }
}
export const insertReservation = (tx: Tx, day: string, call: string, micros: number): void =>
  tx.queue(RESERVE, [day, call, micros])
export const deleteReservation = (tx: Tx, call: string): void => tx.queue(RELEASE, [call])
