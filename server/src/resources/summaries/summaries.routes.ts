import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { serve } from '../../http/serve.ts'
import { createOutcome } from '../outcomes/outcomes.create.ts'
import { listOutcomes, readOutcome, removeOutcome, updateOutcome } from '../outcomes/outcomes.service.ts'
import { prepareSummary } from './summaries.service.ts'

export function summaryRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.summaries.list, ({ db, query, page }) => listOutcomes(db, 'summary', query, page))
  serve(server, app, api.summaries.create, {
    beforeTransaction: ({ db, body }) => prepareSummary(app, db, body),
    handle: ({ tx, prepared }) => createOutcome(app, tx, prepared.outcomeRequest, prepared),
  })
  serve(server, app, api.summaries.get, ({ db, params }) => readOutcome(db, 'summary', params.summary_id))
  serve(server, app, api.summaries.update, ({ tx, params, body }) =>
    updateOutcome(tx, 'summary', params.summary_id, body),
  )
  serve(server, app, api.summaries.remove, ({ tx, params }) => removeOutcome(app, tx, 'summary', params.summary_id))
}
