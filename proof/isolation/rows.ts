// Every row of every table, read past both walls by a superuser: what the victim has before and after the attacks.

import { createHash } from 'node:crypto'
import pg from 'pg'
import { toId } from '../../server/src/lib/ids.ts'
import type { TestDatabase } from '../../server/src/testing/database.ts'

export interface IsolationRow {
  table: string
  tenant: string
  id: string | null
  text: string
}

export async function openAdmin(database: TestDatabase): Promise<pg.Client> {
  if (!database.admin_url)
    throw new Error('DATABASE_ADMIN_URL is not set: the proof reads past row security as a superuser.')
  const client = new pg.Client({ connectionString: database.admin_url })
  await client.connect()
  return client
}

const TABLES = `select c.relname as name, c.relname <> 'tenants' as has_tenant from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and (c.relname = 'tenants' or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id'))`

/** Ignores last-use times, which a key's own requests update. */
export async function readRows(admin: pg.Client): Promise<IsolationRow[]> {
  const { rows: tables } = await admin.query<{ name: string; has_tenant: boolean }>(TABLES)
  const all: IsolationRow[] = []
  for (const { name, has_tenant } of tables) {
    const column = has_tenant ? 'tenant_id' : 'id'
    const { rows } = await admin.query<{ tenant: string; row: { id?: string } }>(
      `select ${column} as tenant, to_jsonb(t) - 'last_used_at' as row from public.${name} t`,
    )
    for (const { tenant, row } of rows) all.push({ table: name, tenant, id: row.id ?? null, text: JSON.stringify(row) })
  }
  return all
}

/** The forms in which an id can show itself. */
export const formsOf = (uuid: string): string[] => [uuid, toId('doc', uuid).slice('doc_'.length)]

const speaksOf = (row: IsolationRow, ids: Iterable<string>): boolean => {
  for (const id of ids) if (formsOf(id).some((form) => row.text.includes(form))) return true
  return false
}

/** The rows that belong to these ids: they carry one of them, or the id of a row that does. */
export function splitRows(
  rows: readonly IsolationRow[],
  seeds: readonly string[],
): { theirs: IsolationRow[]; others: IsolationRow[]; ids: Set<string> } {
  const ids = new Set(seeds)
  const theirs = new Set<IsolationRow>()
  for (let count = -1; count !== theirs.size; ) {
    count = theirs.size
    for (const row of rows) {
      if (theirs.has(row) || !speaksOf(row, ids)) continue
      theirs.add(row)
      if (row.id !== null) ids.add(row.id)
    }
  }
  return { theirs: [...theirs], others: rows.filter((row) => !theirs.has(row)), ids }
}

const rowKey = (row: IsolationRow): string => `${row.table} ${row.text}`

export function hashRows(rows: readonly IsolationRow[]): string {
  return createHash('sha256').update(rows.map(rowKey).sort().join('\n')).digest('hex').slice(0, 16)
}

/** Rows that are gone or changed, and rows that are new. */
export function compareRows(
  before: readonly IsolationRow[],
  after: readonly IsolationRow[],
): { lost: IsolationRow[]; added: IsolationRow[] } {
  const [old, now] = [new Set(before.map(rowKey)), new Set(after.map(rowKey))]
  return { lost: before.filter((row) => !now.has(rowKey(row))), added: after.filter((row) => !old.has(rowKey(row))) }
}

export const mentions = (rows: readonly IsolationRow[], ids: Iterable<string>): IsolationRow[] => {
  const list = [...ids]
  return rows.filter((row) => speaksOf(row, list))
}
