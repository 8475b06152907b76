import { api } from '@octavo/contract'
import type { App } from '../../app.ts'
import type { Routes } from '../../http/route/routes.ts'
import { listOutcomes, readOutcome, updateOutcome } from '../../outcomes/outcomes.service.ts'
import { createReport, removeReport } from './reports.service.ts'

export function reportRoutes(routes: Routes, app: App): void {
  routes.list(api.reports.list, ({ db, query, page }) => listOutcomes(db, 'report', query, page))
  routes.write(api.reports.create, ({ tx, body }) => createReport(app, tx, body))
  routes.read(api.reports.get, ({ db, params }) => readOutcome(db, 'report', params.report_id))
  routes.write(api.reports.update, ({ tx, params, body }) => updateOutcome(tx, 'report', params.report_id, body))
  routes.write(api.reports.remove, ({ tx, params }) => removeReport(app, tx, params.report_id))
}
