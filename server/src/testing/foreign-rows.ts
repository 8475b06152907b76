// Compares row-level security by behavior: as the role of requests, with statements that have no conditions, how many
// rows of others can be read, counted, changed, deleted or added in each table.

import pg from 'pg'

export interface TableCaller {
  /** uuid. */
  tenant: string
  /** uuids; null: the whole tenant. */
  projects: readonly string[] | null
  /** A tenant and a project that are not the caller's. */
  foreign_tenant: string
  foreign_project: string
}

export interface TenantTable {
  name: string
  /** The column that names the tenant, and an expression that is true for rows that the caller may see. */
  tenant: string
  project: 'id' | 'project_id' | 'project_ids' | null
}

const DENIED = '42501'
const CONSTRAINT = '23'
const TABLES = `select c.relname as name, case when c.relname = 'tenants' then 'id' else 'tenant_id' end as tenant,
    case when c.relname = 'projects' then 'id' else (select a.attname from pg_attribute a
      where a.attrelid = c.oid and a.attname in ('project_id', 'project_ids') and not a.attisdropped) end as project
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and (c.relname = 'tenants' or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped))
  order by c.relname`

export async function listTenantTables(client: pg.Client): Promise<TenantTable[]> {
  return (await client.query<TenantTable>(TABLES)).rows
}

const arrayOf = (ids: readonly string[]): string => `'{${ids.join()}}'::uuid[]`

/** SQL that is true for a row of the caller's own. */
export function isOwn({ tenant, project }: TenantTable, caller: TableCaller): string {
  const own = `${tenant} = '${caller.tenant}'`
  if (caller.projects === null || project === null) return own
  const visible = arrayOf(caller.projects)
  const inside = project === 'project_ids' ? `project_ids <@ ${visible}` : `${project} = any (${visible})`
  return `${own} and coalesce(${inside}, false)`
}

/** Runs one statement in a transaction that is rolled back, and returns how many rows it reached; 0 if it is denied. */
async function countReached(client: pg.Client, caller: TableCaller, text: string): Promise<number> {
  await client.query('begin')
  try {
    await client.query(`select set_config('app.tenant', $1, true), set_config('app.projects', $2, true)`, [
      caller.tenant,
      caller.projects === null ? '*' : `{${caller.projects.join()}}`,
    ])
    const { rows, rowCount } = await client.query<{ count?: number }>(text)
    return rows[0]?.count ?? rowCount ?? 0
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? (error.code ?? '') : ''
    if (code === DENIED) return 0
    // A constraint is checked after the policies, so the row has passed them.
    if (code.startsWith(CONSTRAINT)) return 1
    throw error
  } finally {
    await client.query('rollback')
  }
}

/** A row like one of the caller's, for another tenant or another project. */
function foreignRows({ name, tenant, project }: TenantTable, caller: TableCaller): string[] {
  const copy = (changes: object): string =>
    `insert into ${name} select (jsonb_populate_record(x, '${JSON.stringify(changes)}')).* from ${name} x limit 1`
  const rows = [copy({ [tenant]: caller.foreign_tenant })]
  if (caller.projects === null || project === null) return rows
  const value = project === 'project_ids' ? [caller.foreign_project] : caller.foreign_project
  return [...rows, copy({ [project]: value })]
}

/** `own`: how many rows of the table are the caller's. Each finding is one sentence. */
export async function findForeignAccess(
  client: pg.Client,
  table: TenantTable,
  caller: TableCaller,
  own: number,
): Promise<string[]> {
  const { name, tenant } = table
  const who = caller.projects === null ? 'a tenant' : 'a caller limited to projects'
  const findings: string[] = []
  const compare = async (what: string, text: string, most = 0): Promise<void> => {
    const count = (await countReached(client, caller, text)) - most
    if (count > 0) findings.push(`${name}: ${who} ${what} ${count} rows of others`)
  }
  await compare('reads', `select from ${name} where not (${isOwn(table, caller)})`)
  await compare('counts', `select count(*)::int as count from ${name}`, own)
  // Without a condition and without RETURNING, only the policies for UPDATE apply.
  await compare('changes', `update ${name} set ${tenant} = ${tenant}`, own)
  await compare('deletes', `delete from ${name} where not (${isOwn(table, caller)})`)
  for (const insert of foreignRows(table, caller)) await compare('adds', insert)
  return findings
}
