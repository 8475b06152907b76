// The slots of a tenant, and the jobs that are admitted to them.

import type { Tx } from '../db/database.ts'
import { sql } from '../db/statement.ts'
import type { Delivery } from './engine.ts'

// Every change of slots or of the queue updates this row, which serializes the changes of one tenant.
const COUNT = sql(`update tenant_slots set used = used + $3, waiting = waiting + $4,
  mean_ms = case when $5::float8 is null then mean_ms else coalesce(mean_ms * 0.9 + $5::float8 * 0.1, $5::float8) end where tenant_id = $1`)
// A new job takes a free slot at once if no other job waits.
const TAKE = sql(`update tenant_slots s set used = used + case when waiting = 0 and used < most then 1 else 0 end,
  waiting = waiting + case when waiting = 0 and used < most then 0 else 1 end
  from (select coalesce(($3::jsonb ->> tier)::bigint, 0) as most from tenants where id = $1) t where tenant_id = $1
  returning waiting, waiting = 0 as is_admitted, used >= most as is_full`)
/** Counts one new job and returns whether it has a slot; if not, how many jobs wait and whether all slots are taken. */
export const takeSlot = async (
  tx: Tx,
  most: Record<string, number>,
): Promise<{ waiting: number; is_admitted: boolean; is_full: boolean }> =>
  tx.one<{ waiting: number; is_admitted: boolean; is_full: boolean }>(TAKE, [most])

const LOCK = sql('select from tenant_slots where tenant_id = $1 for no key update')
/** Sent with the next statement. */
export const lockSlots = (tx: Tx): void => tx.queue(LOCK)
export const countSlots = (tx: Tx, change: { used: number; waiting: number; mean_ms?: number | null }): void =>
  tx.queue(COUNT, [change.used, change.waiting, change.mean_ms ?? null])

// A separate statement after the lock: its snapshot then includes everything that the previous lock holder committed.
const ADMIT = sql(`with slot as materialized (
    select s.used, s.waiting, coalesce(($3::jsonb ->> t.tier)::bigint, 0) as most from tenant_slots s join tenants t on t.id = s.tenant_id where s.tenant_id = $1
  ), picked as (
    select id from jobs where tenant_id = $1 and place = 'line' order by priority desc, id
    limit (select greatest(0, most - used) from slot) for no key update
  ), admitted as (
    update jobs j set place = 'admitted', ticket = gen_random_uuid(), admitted_at = clock_timestamp()
    from picked where j.tenant_id = $1 and j.id = picked.id returning j.id as job, j.type, j.payload_version as version, j.ticket as id
  ), counted as (
    update tenant_slots set used = used + a.count, waiting = waiting - a.count
    from (select count(*) as count from admitted) a where tenant_id = $1 and a.count > 0
  )
  select s.waiting, a.* from slot s left join admitted a on true`)

/** Fills free slots from the line; also says how many waited before. */
export async function admit(
  tx: Tx,
  most: Record<string, number>,
): Promise<{ deliveries: Delivery[]; waiting: number }> {
  const rows = await tx.rows<Delivery & { waiting: number }>(ADMIT, [most])
  const { tenant } = tx.caller
  const deliveries = rows
    .filter(({ id }) => id !== null)
    .map(({ id, job, type, version }) => ({ id, job, type, version, tenant }))
  return { deliveries, waiting: rows[0]?.waiting ?? 0 }
}
