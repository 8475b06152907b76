// Faults that the proof must catch. `statements` change the proof's database, and some faults show only where row-level
// security is gone.

import { change } from '../lib/change.ts'
import { accessFaults } from './access-faults.ts'
import type { IsolationFault } from './fault.ts'
import { freshFaults } from './fresh-faults.ts'
import { peopleFaults } from './people-faults.ts'
import { noConditionsButSlots } from './walls.ts'

/** The policy of requests shows every row. */
const openPolicy = (table: string): IsolationFault => ({
  what: `the policy of ${table} ends in "or true"`,
  plants: [],
  caught_by: 'tables',
  statements: [
    `do $$ begin execute (select format('alter policy %I on %I using ((%s) or true)', policyname, tablename, qual)
      from pg_policies where tablename = '${table}' and policyname = '${table}_own'); end $$`,
  ],
})

/** A null statement is an error, so a stale text is noticed. */
const changeFunction = (name: string, find: string, replace: string): string =>
  `do $$ begin execute (select nullif(replace(d, $f$${find}$f$, $f$${replace}$f$), d) from pg_get_functiondef('${name}'::regproc) as d); end $$`

const TABLES = ['budget_days', 'outcome_sources', 'job_steps', 'chunk_configs', 'usage_records', 'tenants'] as const
const policies = Object.fromEntries(TABLES.map((table) => [`open_${table}`, openPolicy(table)]))

export const faults: Record<string, IsolationFault> = {
  no_walls: {
    what: 'neither the conditions of the stores nor row security',
    plants: noConditionsButSlots,
    has_row_security: false,
  },
  any_cursor: {
    what: "another tenant's cursor is accepted",
    plants: [change('openCursor', 'content.t !== tenant || ', '')],
    caught_by: 'cursor',
  },
  any_link: {
    what: 'the signature of a link is not looked at',
    plants: [
      change('findSignedLink', "expected.toString('base64url') !== signature || ", ''),
      change('findSignedLink', '!timingSafeEqual(', 'void ('),
    ],
    caught_by: 'link',
  },
  shared_keys: {
    what: 'an Idempotency-Key belongs to the tenant instead of the caller',
    plants: [change('readKey', "digest(request.principal, 'POST'", "digest('POST'")],
    caught_by: 'key',
  },
  stream_of_all_projects: {
    what: 'event streams are read with all projects',
    plants: [
      change(
        'stream',
        'const db = app.db.for(context.caller)',
        'const db = app.db.for({ ...context.caller, projects: null })',
      ),
      change(
        'readQuery',
        'db: route.app.db.for(request.context.caller)',
        'db: route.app.db.for({ ...request.context.caller, ...(wantsStream(request) ? { projects: null } : {}) })',
      ),
    ],
    caught_by: 'stream',
  },
  shared_corpus_size: {
    what: 'the size of the searched corpus is cached across tenants',
    plants: [change('readCorpusSize', 'const key = `${tenant} $', 'const key = `$')],
    caught_by: 'figures',
  },
  report_of_tenant: {
    what: 'the report of a project is made from the whole tenant',
    plants: [
      change(
        'spanOf',
        'return { project_id, from: floorUuid(after)',
        'return { project_id: null, from: floorUuid(after)',
      ),
    ],
    caught_by: 'made',
  },
  answer_from_all_projects: {
    what: 'a generative answer is drawn from all projects',
    plants: [
      change(
        'makeAnswer',
        'project_id: work.project_id, document_ids: document_ids',
        'project_id: null, document_ids: document_ids',
      ),
    ],
    caught_by: 'made',
  },
  semantic_search_of_all_projects: {
    what: 'a semantic search ignores the project',
    plants: [change('FILTERED', '($5::uuid is null or v.project_id = $5)', '($5::uuid is null or true)')],
    caught_by: 'made',
  },
  ...policies,
  search_function_of_all_projects: {
    what: 'search_chunks (security definer) has no condition on projects',
    plants: [],
    statements: [
      changeFunction(
        'search_chunks',
        '($5::uuid[] is null or c.project_id = any ($5))',
        '($5::uuid[] is null or true)',
      ),
    ],
    caught_by: 'tables',
  },
  cached_outcome_of_others: {
    what: "without row security: another tenant's outcome is a cache hit",
    plants: [
      change(
        'statementsOf',
        'where tenant_id = $1 and object = $3 and fingerprint = $4',
        'where tenant_id is not null and object = $3 and fingerprint = $4',
      ),
    ],
    has_row_security: false,
    caught_by: 'figures',
  },
  report_of_all_tenants: {
    what: 'without row security: reports cover all tenants',
    plants: [
      change(
        'IN_PART',
        'tenant_id = $1 and ($2::uuid[] is null or project_id = any($2)) and id < least',
        'tenant_id is not null and ($2::uuid[] is null or project_id = any($2)) and id < least',
      ),
    ],
    has_row_security: false,
    caught_by: 'made',
  },
  chunks_of_all_tenants: {
    what: 'without row security: the chunks of all tenants are counted',
    plants: [
      change(
        'SIZE',
        'select word_count from chunks where tenant_id = $1 and',
        'select word_count from chunks where tenant_id is not null and',
      ),
    ],
    has_row_security: false,
    caught_by: 'figures',
  },
  queue_of_all_tenants: {
    what: 'without row security: the queue position counts the jobs of all tenants',
    plants: [
      change(
        'QUEUE',
        "from jobs where tenant_id = $1 and place = 'line' order by",
        "from jobs where tenant_id is not null and place = 'line' order by",
      ),
    ],
    has_row_security: false,
    caught_by: 'figures',
  },
  budget_of_all_tenants: {
    what: 'without row security: the spending of all tenants counts against one budget',
    plants: [
      change(
        'LEFT',
        'd.spent_micros as spent,',
        '(select sum(x.spent_micros)::bigint from budget_days x where x.day = d.day) as spent,',
      ),
    ],
    has_row_security: false,
    caught_by: 'figures',
  },
  ...freshFaults,
  ...accessFaults,
  ...peopleFaults,
}
