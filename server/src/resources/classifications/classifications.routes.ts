import { api } from '@octavo/contract'
import type { App } from '../../app.ts'
import type { Routes } from '../../http/route/routes.ts'
import { createOutcome } from '../../outcomes/outcomes.create.ts'
import { listOutcomes, readOutcome, removeOutcome, updateOutcome } from '../../outcomes/outcomes.service.ts'
import { prepareClassification } from './classifications.service.ts'

export function classificationRoutes(routes: Routes, app: App): void {
  routes.list(api.classifications.list, ({ db, query, page }) => listOutcomes(db, 'classification', query, page))
  routes.write(api.classifications.create, {
    beforeTransaction: ({ db, body }) => prepareClassification(app, db, body),
    handle: ({ tx, prepared }) => createOutcome(app, tx, prepared.outcomeRequest, prepared),
  })
  routes.read(api.classifications.get, ({ db, params }) => readOutcome(db, 'classification', params.classification_id))
  routes.write(api.classifications.update, ({ tx, params, body }) =>
    updateOutcome(tx, 'classification', params.classification_id, body),
  )
  routes.write(api.classifications.remove, ({ tx, params }) =>
    removeOutcome(app, tx, 'classification', params.classification_id),
  )
}
