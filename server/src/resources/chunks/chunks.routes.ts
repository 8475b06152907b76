import { api } from '@octavo/contract'
import type { Routes } from '../../http/route/routes.ts'
import { readDocument } from '../documents/documents.service.ts'
import * as chunks from './chunks.service.ts'

export function chunkRoutes(routes: Routes): void {
  routes.list(api.chunks.list, async ({ db, params, query, page }) => {
    await readDocument(db, params.document_id)
    return chunks.listChunks(db, params.document_id, query, page)
  })
  routes.read(api.chunks.get, async ({ db, params }) => {
    await readDocument(db, params.document_id)
    return chunks.readChunk(db, params.document_id, params.chunk_id)
  })
}
