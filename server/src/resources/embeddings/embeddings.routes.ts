import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { serve } from '../../http/serve.ts'
import { createOutcome } from '../outcomes/outcomes.create.ts'
import { readOutcome, removeOutcome, updateOutcome } from '../outcomes/outcomes.service.ts'
import { listEmbeddings, prepareEmbedding, showVectors } from './embeddings.service.ts'

export function embeddingRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.embeddings.list, ({ db, query, page }) => listEmbeddings(db, query, page))
  serve(server, app, api.embeddings.create, {
    beforeTransaction: ({ db, body }) => prepareEmbedding(app, db, body),
    handle: async ({ tx, prepared }) => showVectors(await createOutcome(app, tx, prepared.outcomeRequest, prepared)),
  })
  serve(server, app, api.embeddings.get, async ({ db, params }) =>
    showVectors(await readOutcome(db, 'embedding', params.embedding_id)),
  )
  serve(server, app, api.embeddings.update, async ({ tx, params, body }) =>
    showVectors(await updateOutcome(tx, 'embedding', params.embedding_id, body)),
  )
  serve(server, app, api.embeddings.remove, ({ tx, params }) =>
    removeOutcome(app, tx, 'embedding', params.embedding_id),
  )
}
