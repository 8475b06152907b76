import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { serve } from '../../http/serve.ts'
import { readDocument } from '../documents/documents.service.ts'
import * as chunks from './chunks.service.ts'

export function chunkRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.chunks.list, async ({ db, params, query, page }) => {
    await readDocument(db, params.document_id)
    return chunks.listChunks(db, params.document_id, query, page)
  })
  serve(server, app, api.chunks.get, async ({ db, params }) => {
    await readDocument(db, params.document_id)
    return chunks.readChunk(db, params.document_id, params.chunk_id)
  })
}
