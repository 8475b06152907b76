import { api } from '@octavo/contract'
import type { App } from '../../app.ts'
import type { Routes } from '../../http/route/routes.ts'
import { createOutcome } from '../../outcomes/outcomes.create.ts'
import { readOutcome, removeOutcome, updateOutcome } from '../../outcomes/outcomes.service.ts'
import { listEmbeddings, prepareEmbedding, showVectors } from './embeddings.service.ts'

export function embeddingRoutes(routes: Routes, app: App): void {
  routes.list(api.embeddings.list, ({ db, query, page }) => listEmbeddings(db, query, page))
  routes.write(api.embeddings.create, {
    beforeTransaction: ({ db, body }) => prepareEmbedding(app, db, body),
    handle: async ({ tx, prepared }) => showVectors(await createOutcome(app, tx, prepared.outcomeRequest, prepared)),
  })
  routes.read(api.embeddings.get, async ({ db, params }) =>
    showVectors(await readOutcome(db, 'embedding', params.embedding_id)),
  )
  routes.write(api.embeddings.update, async ({ tx, params, body }) =>
    showVectors(await updateOutcome(tx, 'embedding', params.embedding_id, body)),
  )
  routes.write(api.embeddings.remove, ({ tx, params }) => removeOutcome(app, tx, 'embedding', params.embedding_id))
}
