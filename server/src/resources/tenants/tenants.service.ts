// Tenants, as the operator sees them. They are managed by the system role: no request reaches this.

import { type TierName, tierNames } from '@octavo/contract'
import type pg from 'pg'
import { findUuid, newUuid, timeOfUuid, toId } from '../../lib/ids.ts'

export interface Tenant {
  id: string
  name: string
  tier: TierName
  suspended_at: Date | null
}

function checkTier(tier: string): void {
  if (!tierNames.includes(tier as TierName)) throw new Error(`'${tier}' is not a tier. Tiers: ${tierNames.join(', ')}`)
}

function uuidOfTenant(id: string): string {
  const uuid = findUuid('ten', id)
  if (!uuid) throw new Error(`'${id}' is not the id of a tenant.`)
  return uuid
}

export async function createTenant(system: pg.Pool, name: string, tier: string): Promise<{ id: string }> {
  checkTier(tier)
  if (name === '') throw new Error('A tenant needs a name.')
  const id = newUuid()
  await system.query('insert into tenants (id, name, tier, created_at, updated_at) values ($1, $2, $3, $4, $4)', [
    id,
    name,
    tier,
    timeOfUuid(id),
  ])
  return { id: toId('ten', id) }
}

/** Every process forgets the tenant's keys, so that the change holds at once. */
async function change(system: pg.Pool, id: string, assignment: string, value: unknown): Promise<void> {
  const uuid = uuidOfTenant(id)
  const text = `with changed as (update tenants set ${assignment}, updated_at = now() where id = $1 returning id) select pg_notify('octavo_keys', id::text) from changed`
  const { rowCount } = await system.query(text, [uuid, value])
  if (rowCount === 0) throw new Error(`There is no tenant '${id}'.`)
}

export async function readTenant(system: pg.Pool, id: string): Promise<Tenant> {
  const { rows } = await system.query<Tenant>('select id, name, tier, suspended_at from tenants where id = $1', [uuidOfTenant(id)])
  if (!rows[0]) throw new Error(`There is no tenant '${id}'.`)
  return { ...rows[0], id }
}

export async function updateTier(system: pg.Pool, id: string, tier: string): Promise<void> {
  checkTier(tier)
  await change(system, id, 'tier = $2', tier)
}

export async function suspendTenant(system: pg.Pool, id: string, is_suspended: boolean): Promise<void> {
  await change(system, id, 'suspended_at = case when $2::boolean then now() end', is_suspended)
}

export async function listTenants(system: pg.Pool): Promise<Tenant[]> {
  const { rows } = await system.query<Tenant>('select id, name, tier, suspended_at from tenants order by id')
  return rows.map((row) => ({ ...row, id: toId('ten', row.id) }))
}
