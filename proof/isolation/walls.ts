// How each of the two walls is taken away: the store's conditions where every statement's text is made, row security in
// the proof's own database.

import type pg from 'pg'
import { change } from '../lib/change.ts'
import type { Plant } from '../lib/proof.ts'

/** Text of a statement with conditions on tenant and projects that hold for every row. It runs inside the server. */
const withoutConditions = `text = types !== SCOPE_TYPES ? text : text
    .replace(/tenant_id = \\$1(?!\\d)/g, 'tenant_id is not null')
    .replace(/(?:\\w+\\.)?\\w+ = any ?\\(\\$2\\)/g, 'true')
    .replace(/(?:\\w+\\.)?\\w+ <@ \\$2(?!\\d)/g, 'true')
    .replace(/(?:\\w+\\.)?\\w+ = visible\\.project/g, 'true')
    .replace(/(?<=\\btenants (?:t, \\w+ d )?where )(?:t\\.)?id = \\$1(?!\\d)/g, 'true')
  const hasMore = types === SCOPE_TYPES && /\\$2(?!\\d)/.test(text.replaceAll('$2::uuid[]', ''))
  if (hasMore) throw new Error('a condition on projects is left: ' + text)`

const KEY = 'const key = '

export const noStoreConditions: readonly Plant[] = [change('sql', KEY, `${withoutConditions}\n  ${KEY}`)]

/**
 * For runs without row security. Slot statements keep their conditions: they leak nothing, but counting every tenant's
 * slots would stop all work.
 */
export const noConditionsButSlots: readonly Plant[] = [
  change('sql', KEY, `if (!text.includes('tenant_slots')) ${withoutConditions}\n  ${KEY}`),
]

/** After the server has started: it would refuse to start without row security. */
export async function removeRowSecurity(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relrowsecurity`,
  )
  if (rows.length === 0) throw new Error('there was no row security to remove')
  for (const { name } of rows)
    await admin.query(`alter table public.${name} no force row level security, disable row level security`)
}
