import { api } from '@octavo/contract'
import type { App } from '../../app.ts'
import type { Routes } from '../../http/route/routes.ts'
import { listOutcomes, readOutcome, removeOutcome } from '../../outcomes/outcomes.service.ts'
import { createSearch, isPaid, prepareSearch } from './searches.service.ts'

export function searchRoutes(routes: Routes, app: App): void {
  routes.list(api.searches.list, ({ db, query, page }) => listOutcomes(db, 'search', query, page))
  routes.write(api.searches.create, {
    beforeTransaction: ({ db, body }) => prepareSearch(app, db, body),
    hasEffects: ({ db, body }) => isPaid(app, db, body),
    handle: ({ tx, body, prepared }) => createSearch(tx, body, prepared),
  })
  routes.read(api.searches.get, ({ db, params }) => readOutcome(db, 'search', params.search_id))
  routes.write(api.searches.remove, ({ tx, params }) => removeOutcome(app, tx, 'search', params.search_id))
}
