// Two installations compared from outside: rows as a superuser, responses through the API. Nothing here uses the
// program's own list of tables.

import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type pg from 'pg'
import type { FileStore } from '../../server/src/files/store.ts'
import { LEFT_OUT } from '../../server/src/tenants/tenants.archive.store.ts'
import { asAdmin } from '../lib/admin.ts'
import { call, type ProofCaller } from '../lib/call.ts'
import type { World } from '../lib/world.ts'

const TABLES = `select c.relname as name, case when c.relname = 'tenants' then 'id' else 'tenant_id' end as tenant from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and (c.relname = 'tenants' or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped))
  order by 1`

async function readRows(client: pg.Client, table: { name: string; tenant: string }, tenant: string): Promise<string[]> {
  const { rows } = await client.query<{ row: string }>(
    `select t::text as row from ${table.name} t where t.${table.tenant} = $1 order by 1`,
    [tenant],
  )
  return rows.map(({ row }) => row)
}

interface RowComparison {
  tables: number
  count: number
  vectors: number
  differences: string[]
}

export const compareRows = (source: string, target: string, tenant: string): Promise<RowComparison> =>
  asAdmin(source, (here) =>
    asAdmin(target, async (there) => {
      const { rows: tables } = await here.query<{ name: string; tenant: string }>(TABLES)
      const found: RowComparison = { tables: 0, count: 0, vectors: 0, differences: [] }
      for (const table of tables.filter(({ name }) => !LEFT_OUT[name])) {
        const [own, moved] = await Promise.all([readRows(here, table, tenant), readRows(there, table, tenant)])
        found.tables++
        found.count += own.length
        if (table.name === 'chunk_vectors') found.vectors = own.length
        const movedRows = new Set(moved)
        const missing = own.filter((row) => !movedRows.has(row)).length
        if (missing > 0 || own.length !== moved.length)
          found.differences.push(`${table.name}: ${own.length} rows, ${moved.length} imported, ${missing} different`)
      }
      return found
    }),
  )

const LISTS = [
  'documents',
  'projects',
  'jobs',
  'events',
  'api-keys',
  'summaries',
  'embeddings',
  'searches',
  'answers',
  'uploads',
]

interface ApiComparison {
  responses: number
  differences: string[]
}

/** Every page of every list, and the pages and chunks of each document. */
export async function compareAnswers(source: ProofCaller, target: ProofCaller): Promise<ApiComparison> {
  const found: ApiComparison = { responses: 0, differences: [] }
  const compare = async (path: string): Promise<string> => {
    const [own, moved] = await Promise.all([read(source, path), read(target, path)])
    found.responses++
    if (own !== moved) found.differences.push(`${path}: ${firstDifference(own, moved)}`)
    return own
  }
  const documents: { id: string }[] = []
  for (const list of LISTS) {
    for (let page = 1; ; page++) {
      const text = await compare(`/${list}?per_page=100&page=${page}`)
      const answer = JSON.parse(text) as { data: { id: string }[]; has_next_page: boolean }
      if (list === 'documents') documents.push(...answer.data)
      if (!answer.has_next_page) break
    }
  }
  for (const { id } of documents) {
    await compare(`/documents/${id}/pages`)
    await compare(`/documents/${id}/chunks`)
  }
  return found
}

async function read(caller: ProofCaller, path: string): Promise<string> {
  const { status, text } = await call(caller, { method: 'GET', path: `/api/v1${path}` })
  if (status !== 200) return JSON.stringify({ status, data: [], has_next_page: false })
  // The time of last use of a key changes with every comparison.
  return text.replaceAll(caller.url, '').replaceAll(/"last_used_at":"[^"]*"/g, '"last_used_at":"…"')
}

interface ObjectComparison {
  count: number
  differences: string[]
}

/** The bytes of every object of the tenant in both storages. */
export async function compareObjects(source: FileStore, target: FileStore, tenant: string): Promise<ObjectComparison> {
  const [own, moved] = await Promise.all([hashObjects(source, tenant), hashObjects(target, tenant)])
  const keys = [...new Set([...own.keys(), ...moved.keys()])]
  const differences = keys
    .filter((key) => own.get(key) !== moved.get(key))
    .map((key) => `object ${key}: ${own.get(key) ?? 'not there'}, imported: ${moved.get(key) ?? 'not there'}`)
  return { count: own.size, differences }
}

async function hashObjects(files: FileStore, tenant: string): Promise<Map<string, string>> {
  const hashes = new Map<string, string>()
  for (let last: string | null = null; ; ) {
    const page = await files.list(`${tenant}/`, last)
    if (page.length === 0) return hashes
    for (const { key } of page) {
      const bytes = await files.get(key)
      hashes.set(
        key,
        createHash('sha256')
          .update(bytes ? await buffer(bytes) : '')
          .digest('hex'),
      )
      last = key
    }
  }
}

function firstDifference(own: string, moved: string): string {
  const at = [...own].findIndex((character, index) => character !== moved[index])
  return `${own.slice(at, at + 80)} is ${moved.slice(at, at + 80)}`
}

/** Tables of all schemas with a row that mentions the tenant, and its objects. */
export async function listLeft({ database, app }: World, tenant: string): Promise<string[]> {
  const rows = await asAdmin(database.name, async (client) => {
    const found: string[] = []
    const { rows: tables } = await client.query<{ name: string }>(
      `select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'pgboss') order by 1`,
    )
    for (const { name } of tables) {
      const { rows: counts } = await client.query<{ count: number }>(
        `select count(*)::int as count from ${name} t where t::text like $1`,
        [`%${tenant}%`],
      )
      const count = counts[0]?.count ?? 0
      if (count > 0) found.push(`${count} rows of ${name}`)
    }
    return found
  })
  const objects = await app.files.list(`${tenant}/`, null)
  return objects.length === 0 ? rows : [...rows, `${objects.length} objects`]
}
