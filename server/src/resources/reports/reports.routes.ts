import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { serve } from '../../http/serve.ts'
import { listOutcomes, readOutcome, updateOutcome } from '../outcomes/outcomes.service.ts'
import { createReport, removeReport } from './reports.service.ts'

export function reportRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.reports.list, ({ db, query, page }) => listOutcomes(db, 'report', query, page))
  serve(server, app, api.reports.create, ({ tx, body }) => createReport(app, tx, body))
  serve(server, app, api.reports.get, ({ db, params }) => readOutcome(db, 'report', params.report_id))
  serve(server, app, api.reports.update, ({ tx, params, body }) => updateOutcome(tx, 'report', params.report_id, body))
  serve(server, app, api.reports.remove, ({ tx, params }) => removeReport(app, tx, params.report_id))
}
