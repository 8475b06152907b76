import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { serve } from '../../http/serve.ts'
import { createOutcome } from '../outcomes/outcomes.create.ts'
import { listOutcomes, readOutcome, removeOutcome, updateOutcome } from '../outcomes/outcomes.service.ts'
import { prepareClassification } from './classifications.service.ts'

export function classificationRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.classifications.list, ({ db, query, page }) => listOutcomes(db, 'classification', query, page))
  serve(server, app, api.classifications.create, {
    beforeTransaction: ({ db, body }) => prepareClassification(app, db, body),
    handle: ({ tx, prepared }) => createOutcome(app, tx, prepared.outcomeRequest, prepared),
  })
  serve(server, app, api.classifications.get, ({ db, params }) =>
    readOutcome(db, 'classification', params.classification_id),
  )
  serve(server, app, api.classifications.update, ({ tx, params, body }) =>
    updateOutcome(tx, 'classification', params.classification_id, body),
  )
  serve(server, app, api.classifications.remove, ({ tx, params }) =>
    removeOutcome(app, tx, 'classification', params.classification_id),
  )
}
