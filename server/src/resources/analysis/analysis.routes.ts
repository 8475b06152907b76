import { api } from '@octavo/contract'
import type { App } from '../../app.ts'
import type { Routes } from '../../http/route/routes.ts'
import * as analysis from './analysis.service.ts'

export function analysisRoutes(routes: Routes, app: App): void {
  routes.list(api.analysis.list, ({ db, params, query, page }) => analysis.listAnalyses(db, params, query, page))
  routes.write(api.analysis.create, ({ tx, params, body }) =>
    analysis.createAnalysis(app, tx, params.document_id, body),
  )
  routes.read(api.analysis.get, ({ db, params }) => analysis.readAnalysis(db, params))
  routes.write(api.analysis.update, ({ tx, params, body }) => analysis.updateAnalysis(tx, params, body))
  routes.write(api.analysis.remove, ({ tx, params }) => analysis.removeAnalysis(app, tx, params))
  routes.write(api.analysis.analyse, ({ tx, params, body }) =>
    analysis.createAnalysis(app, tx, params.document_id, body),
  )
}
