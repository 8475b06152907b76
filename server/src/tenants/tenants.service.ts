// Tenants, as the operator sees them. They are managed by the system role: no request reaches this.

import { isOneOf } from '@octavo/base/unknown.ts'
import { type TierName, tierNames } from '@octavo/contract'
import type pg from 'pg'
import { findUuid, newUuid, timeOfUuid, toId } from '../lib/ids.ts'

export interface Tenant {
  id: string
  name: string
  tier: TierName
  suspended_at: Date | null
}

function checkTier(tier: string): void {
  if (!isOneOf(tierNames, tier)) throw new Error(`'${tier}' is not a tier. Tiers: ${tierNames.join(', ')}`)
}

function uuidOfTenant(id: string): string {
  const uuid = findUuid('ten', id)
  if (!uuid) throw new Error(`'${id}' is not a tenant id.`)
  return uuid
}

export async function createTenant(system: pg.Pool, name: string, tier: string): Promise<{ id: string }> {
  checkTier(tier)
  if (name === '') throw new Error('Enter a name for the tenant.')
  const id = newUuid()
  await system.query('insert into tenants (id, name, tier, created_at, updated_at) values ($1, $2, $3, $4, $4)', [
    id,
    name,
    tier,
    timeOfUuid(id),
  ])
  return { id: toId('ten', id) }
}

const FIRST_LOCK = 0x66697273 // 'firs'

/**
 * Runs `begin` for the first tenant; null if there are others, or it has a key. A lock lets only one of several
 * starting processes do it.
 */
export async function beginFirstTenant<T>(
  system: pg.Pool,
  name: string,
  begin: (id: string) => Promise<T>,
): Promise<T | null> {
  const client = await system.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [FIRST_LOCK])
    const { rows } = await client.query<{ id: string; has_key: boolean }>(
      'select id, exists (select from api_keys k where k.tenant_id = t.id) as has_key from tenants t limit 2',
    )
    if (rows.length > 1 || rows[0]?.has_key) return null
    // A process that was killed in between has left a tenant without a key.
    return await begin(rows[0] ? toId('ten', rows[0].id) : (await createTenant(system, name, 'self_hosted')).id)
  } finally {
    // The lock ends with its session.
    client.release(true)
  }
}

/** Every process forgets the tenant's keys, so that the change holds at once. */
async function change(system: pg.Pool, id: string, assignment: string, value: unknown): Promise<void> {
  const uuid = uuidOfTenant(id)
  const text = `with changed as (update tenants set ${assignment}, updated_at = now() where id = $1 returning id) select pg_notify('octavo_keys', id::text) from changed`
  const { rowCount } = await system.query(text, [uuid, value])
  if (rowCount === 0) throw new Error(`No tenant has the id '${id}'.`)
}

export async function readTenant(system: pg.Pool, id: string): Promise<Tenant> {
  const { rows } = await system.query<Tenant>('select id, name, tier, suspended_at from tenants where id = $1', [
    uuidOfTenant(id),
  ])
  if (!rows[0]) throw new Error(`No tenant has the id '${id}'.`)
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

/** The operator's settings for a tenant, apart from the tier. */
interface TenantSettings {
  default_models: Partial<Record<ModelRole, string>>
  /** null: all that the installation has. */
  allowed_models: string[] | null
  /** null: no bound. */
  daily_budget_micros: number | null
}
export const modelRoles = ['generator', 'embedder', 'labels'] as const
type ModelRole = (typeof modelRoles)[number]
/** A model that settings can name. */
interface TenantResource {
  id: string
  kind: string
}
const KINDS: Record<ModelRole, readonly string[]> = {
  generator: ['generator'],
  embedder: ['embedder'],
  labels: ['embedder'],
}

/** A role that is null is the installation's again; what is not named stays. */
export async function updateModels(
  system: pg.Pool,
  id: string,
  wanted: { defaults: Partial<Record<ModelRole, string | null>>; allowed?: string[] | null },
  known: readonly TenantResource[],
): Promise<void> {
  for (const role of modelRoles) {
    const model = wanted.defaults[role] ?? null
    if (model !== null && !known.some((one) => one.id === model && KINDS[role].includes(one.kind)))
      throw new Error(`'${model}' is not a model that can be the default ${role}. Models: ${idsOf(known, KINDS[role])}`)
  }
  const strange = wanted.allowed?.find((model) => !known.some((one) => one.id === model))
  if (strange !== undefined) throw new Error(`'${strange}' is not a model id. Models: ${idsOf(known)}`)
  await change(
    system,
    id,
    'default_models = jsonb_strip_nulls(default_models || $2::jsonb)',
    JSON.stringify(wanted.defaults),
  )
  if (wanted.allowed !== undefined)
    await change(
      system,
      id,
      'allowed_models = $2::jsonb',
      wanted.allowed === null ? null : JSON.stringify(wanted.allowed),
    )
}

const idsOf = (known: readonly TenantResource[], kinds?: readonly string[]): string =>
  known
    .filter(({ kind }) => kinds?.includes(kind) ?? true)
    .map((one) => one.id)
    .join(', ') || 'none'

/** null: no bound. */
export async function updateBudget(system: pg.Pool, id: string, micros: number | null): Promise<void> {
  await change(system, id, 'daily_budget_micros = $2::bigint', micros)
}

export async function readSettings(system: pg.Pool, id: string): Promise<TenantSettings> {
  const { rows } = await system.query<
    Omit<TenantSettings, 'daily_budget_micros'> & { daily_budget_micros: string | null }
  >('select default_models, allowed_models, daily_budget_micros from tenants where id = $1', [uuidOfTenant(id)])
  const [row] = rows
  if (!row) throw new Error(`No tenant has the id '${id}'.`)
  return { ...row, daily_budget_micros: row.daily_budget_micros === null ? null : Number(row.daily_budget_micros) }
}
