import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { serve } from '../../http/serve.ts'
import * as analysis from './analysis.service.ts'

export function analysisRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.analysis.list, ({ db, params, query, page }) => analysis.listAnalyses(db, params, query, page))
  serve(server, app, api.analysis.create, ({ tx, params, body }) =>
    analysis.createAnalysis(app, tx, params.document_id, body),
  )
  serve(server, app, api.analysis.get, ({ db, params }) => analysis.readAnalysis(db, params))
  serve(server, app, api.analysis.update, ({ tx, params, body }) => analysis.updateAnalysis(tx, params, body))
  serve(server, app, api.analysis.remove, ({ tx, params }) => analysis.removeAnalysis(app, tx, params))
  serve(server, app, api.analysis.analyse, ({ tx, params, body }) =>
    analysis.createAnalysis(app, tx, params.document_id, body),
  )
}
