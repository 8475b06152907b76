// Checks before a process serves requests: row-level security applies to its roles, and every table has its policies.

import { codeOf } from '@octavo/base/unknown.ts'
import type pg from 'pg'
import { listMigrations } from './migrate.ts'

const UNDEFINED_TABLE = '42P01'

/** The role of the connection and every role that it can become. */
const ROLES = `select rolname, rolname = current_user as is_self, rolsuper, rolbypassrls,
  exists (select from pg_class c where c.relowner = r.oid and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace) as owns
  from pg_roles r where rolname = current_user
  or pg_has_role(current_user, r.oid, 'member') and not (select rolsuper from pg_roles where rolname = current_user)`

interface Role {
  rolname: string
  is_self: boolean
  rolsuper: boolean
  rolbypassrls: boolean
  owns: boolean
}

/**
 * Tables with tenants' rows but without a forced policy. Partitions need one too, although queries go through the
 * parent.
 */
const UNWALLED = `select c.relname from pg_class c
  where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
  and (c.relname = 'tenants' or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped))
  and not (c.relrowsecurity and c.relforcerowsecurity and (c.relispartition or exists (select from pg_policy p where p.polrelid = c.oid and p.polname <> 'tenant_archive')))`

export async function findDangers(pool: pg.Pool): Promise<string[]> {
  const dangers: string[] = []
  const { rows: roles } = await pool.query<Role>(ROLES)
  const self = roles.find((role) => role.is_self)?.rolname ?? ''
  for (const role of roles) {
    const who = role.is_self ? `The role '${self}'` : `The role '${self}' can become '${role.rolname}', which`
    if (role.rolsuper)
      dangers.push(`${who} is a superuser, and row-level security does not apply to it. Connect as octavo_app.`)
    if (role.rolbypassrls)
      dangers.push(`${who} may bypass row-level security. Run: alter role ${role.rolname} nobypassrls.`)
    if (role.owns) dangers.push(`${who} owns tables: use it for migrations only and connect as octavo_app.`)
  }
  const { rows: tables } = await pool.query<{ relname: string }>(UNWALLED)
  for (const table of tables)
    dangers.push(`The table '${table.relname}' has tenant rows without a forced row-level policy.`)
  return dangers
}

export async function refuseDangers(pool: pg.Pool): Promise<void> {
  const dangers = await findDangers(pool)
  if (dangers.length > 0) throw new Error(`Refusing to start:\n${dangers.map((danger) => `  ${danger}`).join('\n')}`)
}

/** Migrations that this program knows and the database has not seen. */
export async function findMissingMigrations(pool: pg.Pool): Promise<string[]> {
  const applied = new Set(await listApplied(pool))
  return listMigrations().filter((name) => !applied.has(name))
}

/** Empty when the database has never been migrated. */
export async function listApplied(pool: pg.Pool): Promise<string[]> {
  try {
    const { rows } = await pool.query<{ name: string }>('select name from migrations')
    return rows.map((row) => row.name)
  } catch (error) {
    if (codeOf(error) === UNDEFINED_TABLE) return []
    throw error
  }
}
