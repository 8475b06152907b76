// The ledger against what is there: every finding is a broken promise.

import { findUuid } from '../../server/src/lib/ids.ts'
import { compareJobs } from './compare-jobs.ts'
import { compareOutcomes } from './compare-outcomes.ts'
import type { CrashFindings } from './findings.ts'
import { type CrashKind, type Entry, type Ledger, tally } from './ledger.ts'
import type { CrashDocumentRow, CrashJobRow, CrashRows, CrashUploadRow } from './rows.ts'

const uuidOf = (id: string): string => findUuid(id.split('_')[0] as 'doc', id) ?? id

interface Books {
  documents: Map<string, CrashDocumentRow>
  projects: Set<string>
  uploads: Map<string, CrashUploadRow>
  /** Uploads whose document was deleted are gone with it. */
  spent: Set<string>
  jobs: Map<string, CrashJobRow>
  removed: Set<string>
  titles: Map<string, number>
}

const countBy = <T>(items: readonly T[], nameOf: (item: T) => string | null): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const item of items) {
    const name = nameOf(item)
    if (name !== null) tally(counts, name)
  }
  return counts
}

export function compare(ledger: Ledger, rows: CrashRows, findings: CrashFindings): void {
  const removed = new Set(ledger.entries.filter(({ kind }) => kind === 'remove').map(({ id }) => uuidOf(id)))
  const books: Books = {
    documents: new Map(rows.documents.map((row) => [row.id, row])),
    projects: new Set(rows.projects.map(({ id }) => id)),
    uploads: new Map(rows.uploads.map((row) => [row.id, row])),
    spent: new Set(
      ledger.entries.flatMap(({ upload_id, id }) => (upload_id && removed.has(uuidOf(id)) ? [uuidOf(upload_id)] : [])),
    ),
    jobs: new Map(rows.jobs.map((row) => [row.id, row])),
    removed,
    titles: countBy(rows.documents, ({ title }) => title),
  }
  for (const entry of ledger.entries) {
    const loss = losses[entry.kind](entry, uuidOf(entry.id), books)
    if (loss) findings.add('lost', `${entry.kind} ${entry.marker} ${entry.id}: ${loss}`)
    for (const fault of findEventFaults(entry, rows, books))
      findings.add('wrong_events', `${entry.marker} ${entry.id}: ${fault}`)
  }
  const counts = [
    books.titles,
    countBy(rows.projects, ({ name }) => name),
    countBy(rows.jobs, ({ marker }) => marker),
    countBy(rows.uploads, ({ marker }) => `upload ${marker}`),
    countBy(rows.outcomes, ({ marker }) => marker && `outcome ${marker}`),
  ]
  for (const [marker, times] of counts.flatMap((map) => [...map]))
    if (times > 1) findings.add('duplicated', `${marker}: ${times} rows`)
  findings.add('wrong_replies', ...ledger.wrong_replies)
  findings.add('unanswered', ...ledger.unanswered)
  compareJobs(rows, findings)
  compareOutcomes(ledger, rows, findings)
  compareDocuments(ledger, rows, books, findings)
  comparePhantoms(rows, books, findings)
  if (rows.used_slots > 0) findings.add('leaked_slots', `${rows.used_slots} slots are used in the end`)
  if (rows.waiting !== 0) findings.add('leaked_slots', `${rows.waiting} jobs are counted as waiting in the end`)
  for (const [what, times] of Object.entries(rows.torn))
    if (times > 0) findings.add('torn', `in the end: ${times} ${what}`)
}

/** Compared apart. */
const elsewhere = (): null => null
type FindLoss = (entry: Entry, uuid: string, books: Books) => string | null
const findDocument: FindLoss = (_, uuid, { documents, removed }) =>
  removed.has(uuid) || documents.get(uuid)?.is_deleted === false ? null : 'no row'
const losses: Record<CrashKind, FindLoss> = {
  empty: findDocument,
  document: findDocument,
  form: findDocument,
  base64: findDocument,
  begin: (_, uuid, { uploads, spent }) => (uploads.has(uuid) || spent.has(uuid) ? null : 'no row'),
  upload(entry, uuid, books) {
    const used = books.uploads.get(uuidOf(entry.upload_id!))
    if (used && used.document_id !== uuid) return `its upload is ${used.status}, of ${used.document_id}`
    return findDocument(entry, uuid, books)
  },
  patch: ({ marker }, uuid, { documents, removed }) =>
    removed.has(uuid) || documents.get(uuid)?.markers.includes(marker) ? null : 'the change is not there',
  remove: (_, uuid, { documents }) =>
    documents.has(uuid) ? `still there, ${documents.get(uuid)!.is_deleted ? 'not purged' : 'alive'}` : null,
  project: (_, uuid, { projects }) => (projects.has(uuid) ? null : 'no row'),
  cancel({ status }, uuid, { jobs }) {
    const job = jobs.get(uuid)
    if (!job) return 'no job'
    if (status === 'cancelled') return job.status === 'cancelled' ? null : `told cancelled, is ${job.status}`
    return job.is_cancel_requested ? null : 'the job was not asked to stop'
  },
  batch({ documents }, uuid, { jobs, titles }) {
    const job = jobs.get(uuid)
    if (!job) return 'no job'
    if (job.items_total !== documents.length) return `${job.items_total} items for ${documents.length} inputs`
    const missing = job.status === 'succeeded' ? documents.filter(([title]) => !titles.has(title)) : []
    return missing.length > 0 ? `${missing.length} of ${documents.length} documents are missing` : null
  },
  extract: elsewhere,
  summary: elsewhere,
  classification: elsewhere,
  search: elsewhere,
  analysis: elsewhere,
}

const created: Partial<Record<CrashKind, string>> = {
  empty: 'document.created',
  document: 'document.created',
  form: 'document.created',
  base64: 'document.created',
  upload: 'document.created',
  begin: 'upload.created',
  project: 'project.created',
  remove: 'document.deleted',
}

/**
 * Exactly one event for each change. A repeated PATCH changes nothing and writes no event, so an answer has at most one;
 * a document has at least one event for each patch that it shows.
 */
function findEventFaults(
  { kind, id, request_ids }: Entry,
  { events, requested }: CrashRows,
  { documents, removed }: Books,
): string[] {
  const uuid = uuidOf(id)
  const type = created[kind]
  const times = type ? (events.get(`${type} ${uuid}`) ?? 0) : 1
  const faults = times === 1 ? [] : [`${times} × ${type}`]
  // Kills change how often a job was queued, but not whether. A cancellation is checked against the job's own events.
  if (kind === 'batch' && !events.has(`job.queued ${uuid}`)) faults.push('no job.queued')
  if (kind !== 'patch') return faults
  for (const request of request_ids) {
    const changes = requested.get(`document.updated ${uuidOf(request)}`) ?? 0
    if (changes > 1) faults.push(`${changes} × document.updated of ${request}`)
  }
  const document = documents.get(uuid)
  const updates = events.get(`document.updated ${uuid}`) ?? 0
  // One of the markers is that of the creation.
  const patches = document && !document.is_deleted && !removed.has(uuid) ? document.markers.length - 1 : 0
  if (updates < patches) faults.push(`${updates} × document.updated for ${patches} patches`)
  return faults
}

/** A document that is ready has its pages: each number once, each with its text. */
function compareDocuments(ledger: Ledger, rows: CrashRows, { removed }: Books, findings: CrashFindings): void {
  const expected = new Map(ledger.entries.flatMap(({ documents }) => documents))
  for (const row of rows.documents) {
    const births = rows.events.get(`document.created ${row.id}`) ?? 0
    if (births !== 1) findings.add('wrong_events', `${row.title} ${row.id}: ${births} × document.created`)
    if (removed.has(row.id) || row.is_deleted) continue
    const pages = expected.get(row.title) ?? 0
    if (row.status === 'processing') findings.add('processing', `${row.title} ${row.id}`)
    else if (row.status !== 'ready' && !row.is_cancelled)
      findings.add('unread', `${row.title} ${row.id}: ${row.status}`)
    const isWhole = row.status === 'ready' ? row.pages === pages && row.page_count === pages : row.pages <= pages
    if (!isWhole || row.last !== row.pages || !row.is_exact)
      findings.add(
        'wrong_pages',
        `${row.title} ${row.id}: ${row.status}, ${row.pages} pages up to ${row.last} of ${pages}, counted ${row.page_count}`,
      )
  }
}

/** An event without its change. */
function comparePhantoms({ events }: CrashRows, { documents, projects }: Books, findings: CrashFindings): void {
  for (const name of events.keys()) {
    const [type, uuid] = name.split(' ') as [string, string]
    const isThere = documents.has(uuid) || projects.has(uuid) || events.has(`document.deleted ${uuid}`)
    if ((type === 'document.created' || type === 'project.created') && !isThere)
      findings.add('wrong_events', `${type} of nothing: ${uuid}`)
  }
}
