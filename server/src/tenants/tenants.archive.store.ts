// The tables with tenants' rows, read from the PostgreSQL catalog: a table added later is part of every archive.

import type pg from 'pg'
import { listApplied } from '../db/guard.ts'

/** Tables that archives leave out, with the reason. Deletion removes the tenant's rows of these tables too. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  migrations: 'names the schema of the installation; the manifest has a copy',
  sessions: 'users sign in again',
  oauth_artifacts: 'codes and tokens are valid only where they were issued',
  oauth_signing_keys: 'belong to the installation',
}

export interface TenantTable {
  name: string
  /** The column with the tenant: `id` of tenants, else `tenant_id`. */
  tenant: string
  columns: { name: string; type: string }[]
  /** The columns of the primary key. */
  key: string[]
  /** The tables that its foreign keys reference. */
  references: string[]
}

const TABLES = `select c.relname as name, case when c.relname = 'tenants' then 'id' else 'tenant_id' end as tenant,
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    coalesce((select json_agg(a.attname order by k.at) from pg_index i cross join unnest(i.indkey) with ordinality as k (number, at)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number where i.indrelid = c.oid and i.indisprimary), '[]') as key,
    coalesce((select json_agg(distinct f.relname) from pg_constraint r join pg_class f on f.oid = r.confrelid
      where r.conrelid = c.oid and r.contype = 'f' and f.oid <> c.oid), '[]') as references
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and (c.relname = 'tenants' or exists (
    select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped))
  order by c.relname`

/** All tables with tenants' rows. A table comes after those that it references. */
export async function listTables(client: pg.ClientBase): Promise<TenantTable[]> {
  const { rows } = await client.query<TenantTable>(TABLES)
  const names = new Set(rows.map(({ name }) => name))
  const sorted: TenantTable[] = []
  while (sorted.length < rows.length) {
    const isSorted = (name: string): boolean => sorted.some((table) => table.name === name)
    const next = rows.filter(
      (table) => !isSorted(table.name) && table.references.every((name) => isSorted(name) || !names.has(name)),
    )
    if (next.length === 0) throw new Error('The foreign keys of the tables with tenants form a cycle.')
    sorted.push(...next)
  }
  return sorted
}

export const isArchived = ({ name }: TenantTable): boolean => !(name in LEFT_OUT)

/** Values must not depend on the settings of the server or the role. */
const FORMAT = `select set_config('app.tenant', $1, true), set_config('app.projects', '*', true), set_config('TimeZone', 'UTC', true),
  set_config('DateStyle', 'ISO', true), set_config('IntervalStyle', 'iso_8601', true), set_config('bytea_output', 'hex', true),
  set_config('extra_float_digits', '1', true), set_config('statement_timeout', '0', true),
  set_config('idle_in_transaction_session_timeout', '0', true)`

/** Runs `work` in one transaction of the owner that sees only the rows of this tenant. */
export async function transactAs<T>(
  client: pg.ClientBase,
  { tenant, isolation }: { tenant: string; isolation: 'read committed' | 'repeatable read' },
  work: () => Promise<T>,
): Promise<T> {
  await client.query(`begin isolation level ${isolation}`)
  try {
    await client.query(FORMAT, [tenant])
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
const MAX_ROWS = 200
const BATCH_BYTES = 4 * 1024 * 1024

/**
 * The tenant's rows as lines of JSON, in batches. Every value is text, as PostgreSQL prints it, so that a JSON null and
 * a missing value differ and no number is rounded.
 */
export async function* readRows(client: pg.ClientBase, table: TenantTable, tenant: string): AsyncGenerator<string[]> {
  const columns = table.columns.map(({ name }) => `t.${quote(name)}::text as ${quote(name)}`)
  const order = table.key.length === 0 ? '' : ` order by ${table.key.map((name) => `t.${quote(name)}`).join()}`
  await client.query({
    text: `declare archived_rows no scroll cursor for select row_to_json(r)::text as line
      from (select ${columns.join()} from ${quote(table.name)} t where t.${quote(table.tenant)} = '${tenant}'${order}) as r`,
  })
  for (let count = 16; ; ) {
    const { rows } = await client.query<{ line: string }>(`fetch ${count} from archived_rows`)
    if (rows.length > 0) yield rows.map(({ line }) => line)
    if (rows.length < count) break
    const bytes = rows.reduce((sum, { line }) => sum + line.length, 0)
    count = Math.max(1, Math.min(MAX_ROWS, Math.floor((BATCH_BYTES * rows.length) / bytes)))
  }
  await client.query('close archived_rows')
}

export async function insertRows(
  client: pg.ClientBase,
  table: TenantTable,
  tenant: string,
  lines: readonly string[],
): Promise<number> {
  const names = table.columns.map(({ name }) => quote(name))
  const values = table.columns.map(({ name, type }) => `r.${quote(name)}::${type}`)
  const { rowCount } = await client.query(
    `insert into ${quote(table.name)} (${names.join()}) select ${values.join()}
    from json_to_recordset($1::json) as r (${names.map((name) => `${name} text`).join()})
    where r.${quote(table.tenant)}::uuid = $2`,
    [`[${lines.join()}]`, tenant],
  )
  return rowCount ?? 0
}

/** One event more must not overflow: the sequencer counts the events of all tenants in one statement. */
export async function hasPossiblePositions(client: pg.ClientBase, tenant: string): Promise<boolean> {
  const { rowCount } = await client.query('select from tenant_positions where tenant_id = $1 and position > $2', [
    tenant,
    Number.MAX_SAFE_INTEGER,
  ])
  return rowCount === 0
}

export const suspendTenant = (client: pg.ClientBase, tenant: string): Promise<unknown> =>
  client.query('update tenants set suspended_at = coalesce(suspended_at, now()) where id = $1', [tenant])

export async function deleteRows(client: pg.ClientBase, table: TenantTable, tenant: string): Promise<number> {
  const { rowCount } = await client.query(`delete from ${quote(table.name)} where ${quote(table.tenant)} = $1`, [
    tenant,
  ])
  return rowCount ?? 0
}

export async function countRows(client: pg.ClientBase, table: TenantTable, tenant: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from ${quote(table.name)} where ${quote(table.tenant)} = $1`,
    [tenant],
  )
  return Number(rows[0]?.count ?? 0)
}

export interface TenantRow {
  name: string
  is_suspended: boolean
}

/** null: this installation has no such tenant. */
export async function findTenant(client: pg.ClientBase, tenant: string): Promise<TenantRow | null> {
  const { rows } = await client.query<TenantRow>(
    'select name, suspended_at is not null as is_suspended from tenants where id = $1',
    [tenant],
  )
  return rows[0] ?? null
}

/** Requests and jobs that would add rows wait for this lock, and then fail. */
export const lockTenant = (client: pg.ClientBase, tenant: string): Promise<unknown> =>
  client.query('select from tenants where id = $1 for update', [tenant])

export async function listKeys(client: pg.ClientBase, tenant: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('select id from api_keys where tenant_id = $1', [tenant])
  return rows.map(({ id }) => id)
}

/** Every process forgets what it knows of the tenant's keys. */
export const notifyKeys = (client: pg.ClientBase, tenant: string): Promise<unknown> =>
  client.query(`select pg_notify('octavo_keys', $1)`, [tenant])

/** The migrations that the database has. */
export const readSchema = async (system: pg.Pool): Promise<string[]> => (await listApplied(system)).toSorted()
