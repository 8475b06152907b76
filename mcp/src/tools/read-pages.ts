import type { ContentBlock } from '@modelcontextprotocol/server'
import type { Octavo, Page } from '@octavo/sdk'
import { z } from 'zod'
import { ToolFailure } from '../failures.ts'
import { documentId } from '../inputs.ts'
import { listPages, pageUri, readImage } from '../pages.ts'
import type { Tool } from '../tool.ts'

const MAX_PAGES = 20
const MAX_IMAGES = 5
/** About 25,000 tokens; the first page is always returned. */
const MAX_CHARACTERS = 100_000

const input = z.object({
  document_id: documentId,
  first: z.int().min(1).default(1).describe('First page number'),
  last: z.int().min(1).optional().describe(`Last page number; default: first. At most ${MAX_PAGES} pages`),
  include_images: z
    .boolean()
    .default(false)
    .describe(`Also return the images of scanned pages, at most ${MAX_IMAGES}. Pages with embedded text have none`),
})

export const readPages: Tool<typeof input> = {
  name: 'read_pages',
  title: 'Read pages',
  description: 'Returns pages of a document as Markdown. If next_page is not null, call again with it as first.',
  input,
  is_write: false,
  async run({ client, signal }, { document_id, first, last = first, include_images }) {
    if (last < first) throw new ToolFailure(`last is ${last}, but first is ${first}. Set last to ${first} or more.`)
    const range = { first, last: Math.min(last, first + MAX_PAGES - 1) }
    const [{ title, page_count }, pages] = await Promise.all([
      client.documents.get(document_id, { fields: 'title,page_count' }, { signal }),
      listPages(client, document_id, range, signal),
    ])
    const shown = withinLimit(pages)
    const left = pages[shown.length]?.number ?? (range.last < last ? range.last + 1 : null)
    return {
      data: {
        document_id,
        title,
        page_count,
        pages: shown.map(({ number, status, text_source, markdown, error }) => ({
          number,
          status,
          text_source,
          markdown,
          error: error?.message ?? null,
          resource: pageUri(document_id, number),
        })),
        next_page: left,
      },
      more: include_images ? await readImages(client, shown, signal) : [],
    }
  },
}

function withinLimit(pages: readonly Page[]): Page[] {
  let characters = 0
  return pages.filter(({ markdown }, index) => {
    characters += markdown.length
    return index === 0 || characters <= MAX_CHARACTERS
  })
}

function readImages(client: Octavo, pages: readonly Page[], signal: AbortSignal): Promise<ContentBlock[]> {
  const files = pages.flatMap(({ image_file_id }) => image_file_id ?? []).slice(0, MAX_IMAGES)
  return Promise.all(
    files.map(async (file_id) => ({ type: 'image' as const, ...(await readImage(client, file_id, signal)) })),
  )
}
