// Chunks of a text that a user writes: embedded before the transaction, and checked again inside it.

import type { Needs } from '../../app.ts'
import type { Db, Reader } from '../../db/database.ts'
import { itemAt } from '../../lib/required.ts'
import { findLanguage } from '../../text/language.ts'
import { embedCuts } from '../../vector-spaces/vector-spaces.service.ts'
import { type CutPage, cutPage } from '../chunks/chunks.service.ts'
import { listDocumentsById } from '../documents/documents.service.ts'
import * as store from './pages.store.ts'

/** Chunks and vectors of a new text; null: there was nothing to prepare before the transaction, or too much. */
export type PreparedChunks = CutPage | null

/** Texts with at most this many chunks are embedded within the request, longer ones in the background. */
const CHUNKS_IN_A_REQUEST = 32
const EMBEDDING_MS = 3_000

/** Runs before the transaction, which checks that the result still applies. */
export async function prepareChunks(
  app: Needs<'models' | 'db'>,
  db: Db,
  params: { document_id: string; page_id?: string },
  input: { text?: string; number?: number },
): Promise<PreparedChunks> {
  const { text } = input
  if (text === undefined) return null
  const [document] = await listDocumentsById(db, [params.document_id])
  const page = params.page_id === undefined ? null : await store.findPage(db, params.document_id, params.page_id)
  if (!document || page?.text === text) return null
  const number = page?.number ?? input.number ?? (await store.findLastNumber(db, params.document_id)) + 1
  const cut = await cutAgain(db, document, { number, language: await findLanguage(text), text }, null)
  if (cut.chunks.length > CHUNKS_IN_A_REQUEST) return null
  const signal = AbortSignal.timeout(EMBEDDING_MS)
  try {
    await embedCuts(app, db, [cut], { project_id: document.project_id, signal, is_forgiving: true })
    return cut
  } catch (error) {
    if (!signal.aborted) throw error
    return null
  }
}

interface Parent {
  id: string
  title: string
}

/** A text that a user wrote has no blocks. */
export async function cutAgain(
  db: Reader,
  document: Parent,
  { number, language, text }: { number: number; language: string | null; text: string },
  prepared: PreparedChunks,
): Promise<CutPage> {
  const path = await store.listHeadingsBefore(db, document.id, number)
  const cut = await cutPage({ text, blocks: null, page_number: number, path, title: document.title, language })
  const isSame =
    prepared?.chunks.length === cut.chunks.length &&
    cut.chunks.every(({ passage }, i) => passage === itemAt(prepared.chunks, i).passage)
  return isSame && prepared.vectors ? { ...cut, vectors: prepared.vectors } : cut
}
