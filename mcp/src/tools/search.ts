import { z } from 'zod'
import { pageLinks } from '../citations.ts'
import { documentIds, projectId } from '../inputs.ts'
import { pageUri } from '../pages.ts'
import type { Tool } from '../tool.ts'

const input = z.object({
  query: z.string().min(1).describe('Keywords or a question'),
  document_ids: documentIds,
  project_id: projectId,
  mode: z.enum(['hybrid', 'keyword', 'semantic']).optional().describe('Default: hybrid'),
  limit: z.int().min(1).max(50).default(8),
})

export const search: Tool<typeof input> = {
  name: 'search',
  title: 'Search documents',
  description: 'Finds passages in the documents, best first. Each has its document, page, text and score from 0 to 1.',
  input,
  is_write: false,
  async run({ client, signal }, query) {
    const { results, warnings } = await client.searches.create({ ...query, store: false }, { signal })
    const titles = new Map(results.map(({ document_id, document }) => [document_id, document.title]))
    const passages = results.map(({ document_id, page_number, text, heading_path, score }) => ({
      document_id,
      title: titles.get(document_id) ?? null,
      page_number,
      heading_path,
      text,
      score,
      resource: pageUri(document_id, page_number),
    }))
    return { data: { passages, warnings }, more: pageLinks(results, titles) }
  },
}
