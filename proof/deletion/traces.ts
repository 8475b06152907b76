// Counts the occurrences of a word in every database table, as superuser.

import { asAdmin } from '../lib/admin.ts'
import { WORD } from './outcomes.ts'

const TABLES = `select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname in ('public', 'pgboss')`

export const listTraces = (database: string): Promise<string[]> =>
  asAdmin(database, async (client) => {
    const traces: string[] = []
    for (const { name } of (await client.query<{ name: string }>(TABLES)).rows) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from ${name} t where t::text like $1`,
        [`%${WORD}%`],
      )
      if (rows[0]!.count > 0) traces.push(`${rows[0]!.count} rows of ${name}`)
    }
    return traces
  })
