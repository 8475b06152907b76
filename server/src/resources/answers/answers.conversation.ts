// A question that follows an earlier answer: where to look, and the question without need of the conversation.

import type { NewAnswer } from '@octavo/contract'
import type { Reader } from '../../db/database.ts'
import { invalidValue } from '../../lib/failure.ts'
import { findOutcome, type OutcomeRow } from '../../outcomes/outcomes.service.ts'
import { listDocumentsById } from '../documents/documents.service.ts'
import { standaloneQuestion } from './answers.follow-up.ts'

export interface Conversation {
  project_id: NewAnswer['project_id'] | undefined
  document_ids: NewAnswer['document_ids'] | undefined
  filters: NewAnswer['filters'] | undefined
  /** Null: the question needs no conversation. */
  standalone_question: string | null
}

/** A scope that the request names replaces that of the previous answer. */
export async function resolveConversation(db: Reader, input: NewAnswer): Promise<Conversation> {
  const { project_id, document_ids, filters } = input
  if (input.previous_answer_id === undefined) return { project_id, document_ids, filters, standalone_question: null }
  const previous = await readPrevious(db, input.previous_answer_id, project_id)
  const before = previous.standalone_question ?? previous.question
  const standalone = standaloneQuestion(input.question, before, previous.language)
  return {
    project_id: project_id ?? previous.project_id,
    document_ids: document_ids ?? (await documentsOf(db, previous)),
    filters: filters ?? previous.filters ?? undefined,
    standalone_question: standalone === input.question ? null : standalone,
  }
}

const notFound = (): Error =>
  invalidValue(
    'previous_answer_id',
    'reference_not_found',
    'No answer with this id exists in the project, or your credentials do not give access to it.',
  )

async function readPrevious(
  db: Reader,
  id: string,
  project_id: string | null | undefined,
): Promise<OutcomeRow<'answer'>> {
  const previous = await findOutcome(db, 'answer', id)
  if (!previous || (project_id !== undefined && project_id !== previous.project_id)) throw notFound()
  return previous
}

/** Deleted documents are left out. Without the last one, the question would be about all documents. */
async function documentsOf(db: Reader, previous: OutcomeRow<'answer'>): Promise<OutcomeRow<'answer'>['document_ids']> {
  const ids = previous.document_ids
  const documents = await listDocumentsById(db, ids)
  if (ids.length > 0 && documents.length === 0)
    throw invalidValue(
      'previous_answer_id',
      'reference_not_found',
      'All documents of this answer were deleted. Leave this field out to ask about the documents that exist.',
    )
  return ids.filter((id) => documents.some((document) => document.id === id))
}
