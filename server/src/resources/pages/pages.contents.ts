// The text of a whole document, page by page.

import { paragraphsOf } from '@octavo/base/blocks.ts'
import { MAX_PAGE_NUMBER } from '@octavo/contract'
import type { Db } from '../../db/database.ts'
import { Failure } from '../../lib/failure.ts'
import type { StreamedText, TextFormat } from '../../lib/streamed-text.ts'
import { renderMarkdown } from '../../text/markdown.ts'
import { readDocument } from '../documents/documents.service.ts'
import { listTexts, type PageText } from './pages.store.ts'

/** A page can have a million characters, so only a few are in memory at a time. */
const PAGES_AT_ONCE = 8

export async function readContents(db: Db, document_id: string): Promise<StreamedText> {
  const document = await readDocument(db, document_id)
  const { id, version, status, pages_ready, latest_job_id, error } = document
  if (status === 'processing')
    throw new Failure(
      'invalid_state',
      `Document '${id}' is still being processed. Wait for job '${latest_job_id}', or list the pages that are ready.`,
    )
  if (status === 'failed')
    throw new Failure('invalid_state', `Document '${id}' has no text. ${error?.message ?? ''}`.trim())
  return { revision: `${id} ${version} ${pages_ready}`, parts: (format) => partsOf(db, document, format) }
}

async function* partsOf(
  db: Db,
  { id, pages_ready }: { id: string; pages_ready: number },
  format: TextFormat,
): AsyncGenerator<string, void> {
  let [first, sent] = [1, 0]
  for (;;) {
    const pages = await listTexts(db, id, { first, last: MAX_PAGE_NUMBER }, PAGES_AT_ONCE)
    const all = await Promise.all(pages.map((page) => textOf(page, format)))
    const texts = all.filter((text) => format === 'text' || text !== '')
    const separator = format === 'text' ? '\f' : '\n\n'
    if (texts.length > 0) yield (first > 1 ? separator : '') + texts.join(separator)
    sent += pages.length
    first = (pages.at(-1)?.number ?? first) + 1
    if (pages.length < PAGES_AT_ONCE) break
  }
  // The client sees an incomplete response instead of a text that lacks pages.
  if (sent < pages_ready) throw new Error(`Document ${id} changed while its text was sent`)
}

const textOf = async ({ text, blocks }: PageText, format: TextFormat): Promise<string> =>
  format === 'text' ? text : renderMarkdown({ text, blocks: blocks ?? paragraphsOf(text) })
