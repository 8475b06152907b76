import { z } from 'zod'
import { cursor, projectId } from '../inputs.ts'
import type { Tool } from '../tool.ts'

const FIELDS = 'title,status,page_count,language,project_id,media_type,created_at'

const input = z.object({
  project_id: projectId,
  status: z.enum(['processing', 'ready', 'partially_ready', 'failed']).optional(),
  limit: z.int().min(1).max(100).default(20),
  cursor: cursor.optional().describe('next_cursor of the previous result'),
})

export const listDocuments: Tool<typeof input> = {
  name: 'list_documents',
  title: 'List documents',
  description: 'Lists the documents that the user can see, newest first, with id, title, status and number of pages.',
  input,
  is_write: false,
  async run({ client, signal }, query) {
    const { data, cursor } = await client.documents.list({ ...query, fields: FIELDS }, { signal })
    const documents = data.map(({ object: _, ...document }) => document)
    return { data: { documents, next_cursor: cursor ?? null } }
  },
}
