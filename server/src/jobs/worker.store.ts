import type { JobTypeName } from '@octavo/contract'
import type pg from 'pg'
import { toId, uuid } from '../lib/ids.ts'
import type { Claim } from './run-rows.ts'
import type { TenantLoad } from './yielding.ts'

/** How long another tenant's job waits before a running job gives way. */
const PATIENCE = `interval '1 s'`

const STATES = `select j.id, j.lease, j.cancel_requested_at is not null as is_cancelled
  from unnest($1::uuid[], $2::uuid[]) as mine (tenant, id) join jobs j on j.tenant_id = mine.tenant and j.id = mine.id`
const LOADS = `select tenant_id as tenant, count(*) filter (where status = 'running')::int as running,
  count(*) filter (where status = 'queued' and type = any($1) and admitted_at < clock_timestamp() - ${PATIENCE})::int as late
  from jobs where place = 'admitted' group by tenant_id`

export interface RunState {
  lease: string | null
  is_cancelled: boolean
}

/** The current state of claimed jobs, by job id, across all tenants. */
export async function readRunStates(system: pg.Pool, claims: readonly Claim[]): Promise<Map<string, RunState>> {
  const { rows } = await system.query<RunState & { id: string }>(STATES, [
    claims.map(({ delivery }) => delivery.tenant),
    claims.map(({ job }) => uuid(job.id)),
  ])
  return new Map(rows.map(({ id, ...state }) => [toId('job', id), state]))
}

/** Running and late jobs of each tenant that has admitted jobs. Only jobs of these types count as late. */
export async function listLoads(system: pg.Pool, types: readonly JobTypeName[]): Promise<TenantLoad[]> {
  return (await system.query<TenantLoad>(LOADS, [types])).rows
}
