// Resolves a request for an outcome: its sources, and the fingerprint that finds an earlier result.

import { firstOf } from '@octavo/base/required.ts'
import type { OutcomeObject, RequestOf, ResultOf } from '@octavo/contract'
import type { ModelCard } from '../ai/model.ts'
import type { Reader } from '../db/database.ts'
import { noProject, visibleProject } from '../lib/changes.ts'
import { sha256 } from '../lib/digest.ts'
import { bodyDetail, Failure, invalidValue } from '../lib/failure.ts'
import { listDocumentsById } from '../resources/documents/documents.service.ts'
import { ALL_PAGES, listHashes } from '../resources/pages/pages.service.ts'
import { findMissingProjects } from '../resources/projects/projects.service.ts'
import { type FingerprintInput, fingerprintOf } from './outcomes.fingerprint.ts'

export interface PageRange {
  first: number
  last: number
}

/** Documents, or texts that came with the request. */
export interface OutcomeSources {
  documents: readonly { id: string; project_id: string | null; status: string; page_count: number }[]
  texts: readonly string[]
  project_id: string | null
  range: PageRange
}

/** A request after its kind has resolved it. */
export interface OutcomeRequest<K extends OutcomeObject = OutcomeObject> {
  object: K
  sources: OutcomeSources
  /** As the API returns it. */
  request: RequestOf<K>
  /** Other options that affect the result. */
  parameters?: Record<string, unknown>
  /** Placeholder until there is a result. */
  empty: ResultOf<K>
  model: ModelCard
  prompt_version: string
  cache?: 'use' | 'bypass' | undefined
  timeout_seconds?: number | undefined
  metadata?: Record<string, string> | undefined
  kept_days?: number
}
/** The documents that a request names, or its text; `field` names what is wrong. */
export async function readSources(
  db: Reader,
  asked: {
    document_ids?: readonly string[] | undefined
    texts?: readonly string[] | undefined
    project_id?: string | null | undefined
  },
  fields: { documents: string; texts: string },
  range: PageRange = ALL_PAGES,
): Promise<OutcomeSources> {
  const { document_ids, texts } = asked
  if ((document_ids === undefined) === (texts === undefined)) throw oneOfTwo(fields)
  if (document_ids === undefined) {
    const project_id = await readProjectOf(db, asked.project_id ?? null)
    return { documents: [], texts: texts ?? [], project_id, range }
  }
  const documents = await listDocumentsById(db, document_ids)
  const index = document_ids.findIndex((id) => !documents.some((document) => document.id === id))
  if (index >= 0) {
    const field = fields.documents.endsWith('s') ? `${fields.documents}[${index}]` : fields.documents
    throw invalidValue(
      field,
      'reference_not_found',
      'No document with this id exists, or your credentials do not give access to it.',
    )
  }
  const projects = new Set(documents.map(({ project_id }) => project_id))
  if (projects.size > 1 && db.caller.projects !== null)
    throw invalidValue(
      fields.documents,
      'inconsistent',
      'All documents must belong to one project, because your key is limited to projects.',
    )
  const project_id = projects.size === 1 ? firstOf(documents).project_id : null
  if (asked.project_id !== undefined && asked.project_id !== project_id)
    throw invalidValue(
      'project_id',
      'inconsistent',
      'Documents already have a project. Remove this field, or name their project.',
    )
  return {
    documents: document_ids.flatMap((id) => documents.find((document) => document.id === id) ?? []),
    texts: [],
    project_id,
    range,
  }
}

/** The project of an outcome without a document. The caller must see it. */
export async function readProjectOf(db: Reader, project_id: string | null): Promise<string | null> {
  visibleProject(db.caller, project_id)
  if (project_id !== null && (await findMissingProjects(db, [project_id])).length > 0) throw noProject()
  return project_id
}

function oneOfTwo({ documents, texts }: { documents: string; texts: string }): Failure {
  const message = `Must have either ${documents} or ${texts}.`
  return new Failure('validation_error', `The request ${message.toLowerCase()}`, {
    details: [bodyDetail(documents, 'inconsistent', message), bodyDetail(texts, 'inconsistent', message)],
  })
}

/** Their sources change with every document, so earlier results are never reused. */
const NEVER_THE_SAME: readonly OutcomeObject[] = ['search', 'answer', 'report']

/** null: unknown, because some of the sources are still being ingested. */
export async function findFingerprint(
  db: Reader,
  outcomeRequest: Omit<OutcomeRequest, 'empty'>,
): Promise<string | null> {
  if (NEVER_THE_SAME.includes(outcomeRequest.object)) return null
  const { documents, texts, range } = outcomeRequest.sources
  if (documents.some(({ status }) => status === 'processing')) return null
  const hashes = texts.map((text) => sha256(text))
  for (const { id } of documents) hashes.push(id, ...(await listHashes(db, id, range)))
  const { object, model, request, parameters = {}, prompt_version } = outcomeRequest
  const given: FingerprintInput = {
    object,
    texts: hashes,
    model: { id: model.id, version: model.version },
    parameters: { ...request, ...parameters },
    prompt_version,
  }
  return fingerprintOf(given)
}
