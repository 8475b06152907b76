// What must hold before a process may serve: roles that row-level security binds, and no table that forgot its wall.

import type pg from 'pg'
import { readMigrations } from './migrate.ts'

const ROLE = `select rolname, rolsuper, rolbypassrls,
  exists (select from pg_class c where c.relowner = r.oid and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace) as owns
  from pg_roles r where rolname = current_user`

/** Tables with tenants' rows and without a forced policy. A partition is reached through its parent, but has its wall too. */
const UNWALLED = `select c.relname from pg_class c
  where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
  and (c.relname = 'tenants' or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped))
  and not (c.relrowsecurity and c.relforcerowsecurity and (c.relispartition or exists (select from pg_policy p where p.polrelid = c.oid)))`

export async function findDangers(pool: pg.Pool): Promise<string[]> {
  const dangers: string[] = []
  const { rows: roles } = await pool.query<{ rolname: string; rolsuper: boolean; rolbypassrls: boolean; owns: boolean }>(ROLE)
  for (const role of roles) {
    if (role.rolsuper)
      dangers.push(`The role '${role.rolname}' is a superuser: row-level security does not bind it. Connect as octavo_app.`)
    if (role.rolbypassrls)
      dangers.push(`The role '${role.rolname}' may bypass row-level security. Run: alter role ${role.rolname} nobypassrls.`)
    if (role.owns) dangers.push(`The role '${role.rolname}' owns tables: use it for migrations only and connect as octavo_app.`)
  }
  const { rows: tables } = await pool.query<{ relname: string }>(UNWALLED)
  for (const table of tables) dangers.push(`The table '${table.relname}' holds tenants' rows without a forced row-level policy.`)
  return dangers
}

export async function refuseDangers(pool: pg.Pool): Promise<void> {
  const dangers = await findDangers(pool)
  if (dangers.length > 0) throw new Error(`Refusing to start:\n${dangers.map((danger) => `  ${danger}`).join('\n')}`)
}

/** Migrations that this program knows and the database has not seen. */
export async function findMissingMigrations(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from migrations')
  const applied = new Set(rows.map((row) => row.name))
  return readMigrations()
    .map((migration) => migration.name)
    .filter((name) => !applied.has(name))
}
