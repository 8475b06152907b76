// One fault in each of ten resources, written from their source.

import { change } from '../lib/change.ts'
import type { IsolationFault } from './fault.ts'

export const freshFaults: Record<string, IsolationFault> = {
  keys_of_other_projects: {
    what: 'without row security: keys of other projects are shown',
    plants: [
      change('VISIBLE', '($2::uuid[] is null or coalesce(project_ids <@ $2, false))', '($2::uuid[] is null or true)'),
    ],
    has_row_security: false,
  },
  chunk_of_all_projects: {
    what: 'a chunk is read with all projects',
    plants: [
      change(
        'readChunk',
        'await store.findChunk(db, document_id, id)',
        'await db.allProjects((all) => store.findChunk(all, document_id, id))',
      ),
    ],
  },
  duplicate_of_others: {
    what: "without row security: another tenant's document is a duplicate",
    plants: [
      change(
        'FIND_DUPLICATE',
        'from documents where tenant_id = $1 and sha256 = $3',
        'from documents where tenant_id is not null and sha256 = $3',
      ),
    ],
    has_row_security: false,
  },
  event_of_all_projects: {
    what: 'an event is read with all projects',
    plants: [
      change('readEvent', 'await store.findEvent(db, id)', 'await db.allProjects((all) => store.findEvent(all, id))'),
    ],
  },
  files_of_other_projects: {
    what: 'without row security: files of other projects are shown',
    plants: [
      change(
        'VISIBLE',
        "const VISIBLE = '($2::uuid[] is null or project_id = any($2))'",
        "const VISIBLE = '($2::uuid[] is null or true)'",
      ),
    ],
    has_row_security: false,
  },
  job_of_all_projects: {
    what: 'a job is read with all projects',
    plants: [
      change(
        'findVisible',
        'const job = await store.findJob(db, id)',
        'const job = await db.allProjects((all) => store.findJob(all, id))',
      ),
    ],
  },
  models_of_other_tenants: {
    what: "without row security: another tenant's model settings apply",
    plants: [change('FIND', 'from tenants where id = $1', 'from tenants where id <> $1')],
    has_row_security: false,
  },
  page_of_all_projects: {
    what: 'a page is read with all projects',
    plants: [
      change(
        'readPage',
        'await store.findPage(db, document_id, id)',
        'await db.allProjects((all) => store.findPage(all, document_id, id))',
      ),
    ],
  },
  uploads_of_other_projects: {
    what: 'without row security: uploads of other projects are shown',
    plants: [
      change(
        'uploads.store.ts',
        'tenant_id = $1 and id = $3 and ($2::uuid[] is null or project_id = any($2))',
        'tenant_id = $1 and id = $3 and ($2::uuid[] is null or true)',
      ),
    ],
    has_row_security: false,
  },
  vectors_of_other_tenants: {
    what: "without row security: a search uses another tenant's vector space",
    plants: [
      change(
        'FIND_ACTIVE',
        "from embedding_spaces where tenant_id = $1 and status = 'active'",
        "from embedding_spaces where tenant_id <> $1 and status = 'active'",
      ),
    ],
    has_row_security: false,
  },
}
