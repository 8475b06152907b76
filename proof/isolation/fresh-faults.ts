// Faults written from the source of the server, without a look at the proof. The first ten are one for each resource.

import { change } from '../lib/change.ts'
import type { IsolationFault } from './fault.ts'

export const freshFaults: Record<string, IsolationFault> = {
  keys_of_other_projects: {
    what: 'without row security: keys of other projects are shown',
    resource: 'api_keys',
    plants: [
      change('VISIBLE', '($2::uuid[] is null or coalesce(project_ids <@ $2, false))', '($2::uuid[] is null or true)'),
    ],
    has_row_security: false,
  },
  chunk_of_all_projects: {
    what: 'a chunk is read with all projects',
    resource: 'chunks',
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
    resource: 'documents',
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
    resource: 'events',
    plants: [
      change('readEvent', 'await store.findEvent(db, id)', 'await db.allProjects((all) => store.findEvent(all, id))'),
    ],
  },
  files_of_other_projects: {
    what: 'without row security: files of other projects are shown',
    resource: 'files',
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
    resource: 'jobs',
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
    resource: 'models',
    plants: [change('FIND', 'from tenants where id = $1', 'from tenants where id <> $1')],
    has_row_security: false,
  },
  page_of_all_projects: {
    what: 'a page is read with all projects',
    resource: 'pages',
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
    resource: 'uploads',
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
    resource: 'searches',
    plants: [
      change(
        'FIND_ACTIVE',
        "from embedding_spaces where tenant_id = $1 and status = 'active'",
        "from embedding_spaces where tenant_id <> $1 and status = 'active'",
      ),
    ],
    has_row_security: false,
  },
  file_link_of_all_projects: {
    what: 'a link to the bytes of a file is given for all projects',
    resource: 'files',
    plants: [
      change(
        'linkUntil',
        'const file = await readStored(db, id)',
        'const file = await db.allProjects((all) => readStored(all, id))',
      ),
    ],
  },
  key_of_whole_tenant: {
    what: 'a key that is limited to projects creates a key of the whole tenant',
    resource: 'api_keys',
    plants: [
      change(
        'refuseEscalation',
        'rights.project_ids === null || rights.project_ids.some(',
        'rights.project_ids?.some(',
      ),
    ],
  },
  follow_up_of_all_projects: {
    what: 'a follow-up question continues an answer of another project',
    resource: 'answers',
    plants: [
      change(
        'readPrevious',
        "await findOutcome(db, 'answer', id)",
        "await db.allProjects((all) => findOutcome(all, 'answer', id))",
      ),
    ],
  },
  hidden_document_named: {
    what: 'a conflict of external ids names a document of another project',
    resource: 'documents',
    plants: [
      change(
        'FIND_EXTERNAL',
        'external_id = $3 and deleted_at is null and ($2::uuid[] is null or project_id = any($2))',
        'external_id = $3 and deleted_at is null',
      ),
      change(
        'externalIdTaken',
        'await store.findExternal(tx, external_id)',
        'await tx.allProjects((all) => store.findExternal(all, external_id))',
      ),
    ],
  },
  units_of_all_tenants: {
    what: 'AI units of all tenants are counted together',
    resource: 'rate_limits',
    plants: [change('policyOf', 'key: `ai:${tenant}`', 'key: `ai:${tier}`')],
  },
  neighbors_of_other_documents: {
    what: 'without row security: the passages around a hit come from other documents',
    resource: 'searches',
    plants: [change('NEXT_TO', 'c.tenant_id = $1 and c.document_id = h.document_id and', 'c.tenant_id = $1 and')],
    has_row_security: false,
  },
  documents_of_tenant_counted: {
    what: 'without row security: a project counts the documents of the whole tenant',
    resource: 'projects',
    plants: [change('COUNT', 'd.tenant_id = $1 and d.project_id = projects.id and', 'd.tenant_id = $1 and')],
    has_row_security: false,
  },
}
