import { api } from '@octavo/contract'
import type { Routes } from '../../http/route/routes.ts'
import * as events from './events.service.ts'

export function eventRoutes(routes: Routes): void {
  routes.list(api.events.list, ({ db, query, page }) => events.listEvents(db, query, page))
  routes.read(api.events.get, ({ db, params }) => events.readEvent(db, params.event_id))
}
