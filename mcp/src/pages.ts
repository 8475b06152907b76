// Pages as resources: octavo://documents/{document_id}/pages/{number}, and the image of a scanned page below it.

import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  type Variables,
} from '@modelcontextprotocol/server'
import { NotFoundError, type Octavo, type Page } from '@octavo/sdk'
import { explainFailure } from './failures.ts'
import { MAX_ID } from './inputs.ts'

export const pageUri = (document_id: string, page_number: number): string =>
  `octavo://documents/${encodeURIComponent(document_id)}/pages/${page_number}`

const MAX_SHOWN_URI = 200

export interface PageNumbers {
  first: number
  last: number
}

/**
 * The pages with these numbers, in order. Deleted pages leave gaps, so a page comes at its number or earlier in the list: the
 * first attempt skips the pages before, and a second one reads from the start if there was a gap.
 */
export async function listPages(
  client: Octavo,
  document_id: string,
  { first, last }: PageNumbers,
  signal?: AbortSignal,
): Promise<Page[]> {
  const per_page = last - first + 1
  const skipped = Math.floor((first - 1) / per_page)
  const found = await scanPages(client, document_id, { per_page, page: skipped + 1 }, { first, last, signal })
  if (skipped === 0 || (found.begins_at !== null && found.begins_at <= first)) return found.pages
  return (await scanPages(client, document_id, { per_page: 100, page: 1 }, { first, last, signal })).pages
}

async function scanPages(
  client: Octavo,
  document_id: string,
  query: { per_page: number; page: number },
  { first, last, signal }: PageNumbers & { signal: AbortSignal | undefined },
): Promise<{ pages: Page[]; begins_at: number | null }> {
  const pages: Page[] = []
  let begins_at: number | null = null
  for await (const page of client.pages.list(document_id, { ...query, sort: 'number' }, { signal })) {
    begins_at ??= page.number
    if (page.number > last) break
    if (page.number >= first) pages.push(page)
    if (page.number === last) break
  }
  return { pages, begins_at }
}

export interface PageImage {
  data: string
  mimeType: string
}

export async function readImage(client: Octavo, file_id: string, signal?: AbortSignal): Promise<PageImage> {
  const response = await client.files.download(file_id, { signal })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { data: bytes.toString('base64'), mimeType: response.headers.get('content-type') ?? 'image/png' }
}

/** The page that a resource address names. Errors of the protocol have no other form than a message. */
async function readPage(client: Octavo, uri: URL, variables: Variables, signal: AbortSignal): Promise<Page> {
  const [document_id, number] = [String(variables['document_id']), Number(variables['number'])]
  const isPossible = document_id.length <= MAX_ID && Number.isInteger(number) && number >= 1
  if (!isPossible) throw new ResourceNotFoundError(uri.href.slice(0, MAX_SHOWN_URI))
  try {
    const [page] = await listPages(client, document_id, { first: number, last: number }, signal)
    if (page) return page
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof NotFoundError))
      throw new ProtocolError(ProtocolErrorCode.InternalError, explainFailure(error))
  }
  throw new ResourceNotFoundError(uri.href)
}

export function registerPages(server: McpServer, client: Octavo): void {
  server.registerResource(
    'page',
    new ResourceTemplate('octavo://documents/{document_id}/pages/{number}', { list: undefined }),
    { title: 'Page of a document', description: 'The text of a page as Markdown.', mimeType: 'text/markdown' },
    async (uri, variables, { mcpReq }) => {
      const { markdown } = await readPage(client, uri, variables, mcpReq.signal)
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: markdown }] }
    },
  )
  server.registerResource(
    'page-image',
    new ResourceTemplate('octavo://documents/{document_id}/pages/{number}/image', { list: undefined }),
    { title: 'Image of a page', description: 'The image of a page whose text was recognized by OCR.' },
    async (uri, variables, { mcpReq }) => {
      const { image_file_id } = await readPage(client, uri, variables, mcpReq.signal)
      if (image_file_id === null) throw new ResourceNotFoundError(uri.href)
      const { data, mimeType } = await readImage(client, image_file_id, mcpReq.signal)
      return { contents: [{ uri: uri.href, mimeType, blob: data }] }
    },
  )
}
