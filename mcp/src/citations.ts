import type { ContentBlock } from '@modelcontextprotocol/server'
import type { Citation, CitedSentence, Octavo } from '@octavo/sdk'
import { pageUri } from './pages.ts'

interface CitedPage {
  document_id: string
  page_number: number
}

export interface CitedText {
  text: string
  citations: { document_id: string; title: string | null; page_number: number; quote: string; resource: string }[]
}

/** Titles by document id. A document that is gone, or that the caller cannot see, has none. */
export type Titles = ReadonlyMap<string, string>

export async function readTitles(
  client: Octavo,
  document_ids: readonly string[],
  signal: AbortSignal,
): Promise<Titles> {
  const titles = await Promise.all(
    [...new Set(document_ids)].map((id) =>
      client.documents.get(id, { fields: 'title' }, { signal, max_retries: 1 }).then(
        ({ title }) => [[id, title] as const],
        () => [],
      ),
    ),
  )
  signal.throwIfAborted()
  return new Map(titles.flat())
}

/** Citations of a document; those of a text in the request have no page. */
const isOfPage = (citation: Citation): citation is Citation & CitedPage =>
  citation.document_id !== null && citation.page_number !== null

export const citedPages = (items: readonly { citations: readonly Citation[] }[]): CitedPage[] =>
  items.flatMap(({ citations }) => citations.filter(isOfPage))

export const citedText = ({ text, citations }: CitedSentence, titles: Titles): CitedText => ({
  text,
  citations: citations.filter(isOfPage).map(({ document_id, page_number, quote }) => ({
    document_id,
    title: titles.get(document_id) ?? null,
    page_number,
    quote,
    resource: pageUri(document_id, page_number),
  })),
})

/** One link for each page, in the order of their first citation. */
export function pageLinks(pages: readonly CitedPage[], titles: Titles): ContentBlock[] {
  const unique = new Map(pages.map((page) => [pageUri(page.document_id, page.page_number), page]))
  return [...unique].map(([uri, { document_id, page_number }]) => ({
    type: 'resource_link',
    uri,
    name: `${titles.get(document_id) ?? document_id}, page ${page_number}`,
    mimeType: 'text/markdown',
  }))
}
