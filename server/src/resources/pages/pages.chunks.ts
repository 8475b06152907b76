// Chunks of a text that a user writes: embedded before the transaction, and checked again inside it.

import { isDeepStrictEqual } from 'node:util'
import type { Needs } from '../../app.ts'
import type { Db, Reader } from '../../db/database.ts'
import { findLanguage } from '../../text/language.ts'
import { embedSoon } from '../../vector-spaces/vector-spaces.service.ts'
import { type CutPage, cutPage, type PageToCut } from '../chunks/chunks.service.ts'
import { listDocumentsById } from '../documents/documents.service.ts'
import * as store from './pages.store.ts'

/** Chunks and vectors of a new text, with the page that was cut; null: there was nothing to prepare. */
export type PreparedChunks = { page: PageToCut; cut: CutPage } | null

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
  const toCut = await pageToCut(db, document, { number, language: await findLanguage(text), text })
  const cut = await cutPage(toCut)
  await embedSoon(app, db, [cut], { project_id: document.project_id })
  return { page: toCut, cut }
}

interface Parent {
  id: string
  title: string
}

/** Detected before the transaction, which should not wait for the text thread. */
export const languageOf = async (text: string, prepared: PreparedChunks): Promise<string | null> =>
  prepared?.page.text === text ? prepared.page.language : findLanguage(text)

/** Cuts only if the page has changed since it was prepared. */
export async function cutAgain(
  db: Reader,
  document: Parent,
  text: SuppliedText,
  prepared: PreparedChunks,
): Promise<CutPage> {
  const page = await pageToCut(db, document, text)
  return prepared && isDeepStrictEqual(prepared.page, page) ? prepared.cut : cutPage(page)
}

interface SuppliedText {
  number: number
  language: string | null
  text: string
}

/** A text that a user wrote has no blocks. */
async function pageToCut(
  db: Reader,
  { id, title }: Parent,
  { number, language, text }: SuppliedText,
): Promise<PageToCut> {
  const path = await store.listHeadingsBefore(db, id, number)
  return { text, blocks: null, page_number: number, path, title, language }
}
