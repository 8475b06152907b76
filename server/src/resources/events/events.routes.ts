import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { serve } from '../../http/serve.ts'
import * as events from './events.service.ts'

export function eventRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.events.list, ({ db, query, page }) => events.listEvents(db, query, page))
  serve(server, app, api.events.get, ({ db, params }) => events.readEvent(db, params.event_id))
}
