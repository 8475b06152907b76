// Transactions that store the pages of a document as it is read.

import type { Needs } from '../../app.ts'
import type { Tx } from '../../db/database.ts'
import { JobFailure } from '../../jobs/types.ts'
import { createFile, type NewFileRow } from '../files/files.service.ts'
import { findMainLanguage, type IngestedPage, writePages } from '../pages/pages.service.ts'
import * as store from './documents.store.ts'

const MAX_WARNINGS = 100

export async function lockLive(tx: Tx, document_id: string): Promise<store.DocumentRow> {
  const document = await store.lockDocument(tx, document_id)
  if (!document) throw deletedMeanwhile()
  return document
}

export const deletedMeanwhile = (): JobFailure => new JobFailure('cancelled', 'The document was deleted.')

/** Pages of a document that is being read, and the pictures that they were read from. */
export async function commitPages(
  tx: Tx,
  document_id: string,
  pages: readonly IngestedPage[],
  images: readonly NewFileRow[] = [],
): Promise<{ ready: number; failed: number }> {
  const document = await lockLive(tx, document_id)
  for (const image of images) createFile(tx, document, image)
  const { ready, failed, lost } = await writePages(tx, document, pages)
  // Pages whose number was taken in the meantime were not inserted.
  store.countPages(tx, document_id, { all: -lost, ready, failed })
  return { ready, failed }
}

/** Call it after the commit. */
export function countStored({ metrics }: Needs<'metrics'>, pages: readonly IngestedPage[]): void {
  for (const { status, text_source } of pages) metrics.pages.inc({ status, text_source })
}

/** Sets the fields that depend on all pages. `page_count`: of the file, if it was read as a whole. */
export async function conclude(
  tx: Tx,
  document_id: string,
  warnings: readonly string[],
  page_count: number | null,
): Promise<null> {
  const document = await lockLive(tx, document_id)
  const all = [...new Set([...document.warnings, ...warnings])].slice(0, MAX_WARNINGS)
  store.concludeDocument(tx, document_id, {
    language: await findMainLanguage(tx, document_id),
    warnings: all,
    page_count,
  })
  return null
}
