import type { Reader } from '../../db/database.ts'
import { listDocumentsById } from '../documents/documents.service.ts'
import { listLocalOnly } from '../projects/projects.service.ts'

/** Filters documents whose text may leave the installation. Documents that were deleted since are left out. */
export async function listOpen(db: Reader, document_ids: readonly string[]): Promise<Set<string>> {
  const documents = await listDocumentsById(db, [...new Set(document_ids)])
  const closed = new Set(
    await listLocalOnly(
      db,
      documents.map(({ project_id }) => project_id),
    ),
  )
  return new Set(
    documents.filter(({ project_id }) => project_id === null || !closed.has(project_id)).map(({ id }) => id),
  )
}
