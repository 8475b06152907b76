import { api } from '@octavo/contract'
import type { App } from '../../app.ts'
import type { Routes } from '../../http/route/routes.ts'
import { createOutcome } from '../../outcomes/outcomes.create.ts'
import { listOutcomes, readOutcome, removeOutcome, updateOutcome } from '../../outcomes/outcomes.service.ts'
import { prepareSummary } from './summaries.service.ts'

export function summaryRoutes(routes: Routes, app: App): void {
  routes.list(api.summaries.list, ({ db, query, page }) => listOutcomes(db, 'summary', query, page))
  routes.write(api.summaries.create, {
    beforeTransaction: ({ db, body }) => prepareSummary(app, db, body),
    handle: ({ tx, prepared }) => createOutcome(app, tx, prepared.outcomeRequest, prepared),
  })
  routes.read(api.summaries.get, ({ db, params }) => readOutcome(db, 'summary', params.summary_id))
  routes.write(api.summaries.update, ({ tx, params, body }) => updateOutcome(tx, 'summary', params.summary_id, body))
  routes.write(api.summaries.remove, ({ tx, params }) => removeOutcome(app, tx, 'summary', params.summary_id))
}
