import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { serve } from '../../http/serve.ts'
import { listOutcomes, readOutcome, removeOutcome } from '../outcomes/outcomes.service.ts'
import { createSearch, prepareSearch } from './searches.service.ts'

export function searchRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.searches.list, ({ db, query, page }) => listOutcomes(db, 'search', query, page))
  serve(server, app, api.searches.create, {
    beforeTransaction: ({ db, body }) => prepareSearch(app, db, body),
    handle: ({ tx, body, prepared }) => createSearch(tx, body, prepared),
  })
  serve(server, app, api.searches.get, ({ db, params }) => readOutcome(db, 'search', params.search_id))
  serve(server, app, api.searches.remove, ({ tx, params }) => removeOutcome(app, tx, 'search', params.search_id))
}
