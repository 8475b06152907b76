import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { serve } from '../../http/serve.ts'
import * as pages from './pages.service.ts'

export function pageRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.pages.list, ({ db, params, query, page }) => pages.listPages(db, params.document_id, query, page))
  serve(server, app, api.pages.create, ({ tx, params, body }) => pages.createPage(tx, params.document_id, body))
  serve(server, app, api.pages.get, ({ db, params }) => pages.readPage(db, params.document_id, params.page_id))
  serve(server, app, api.pages.replace, ({ tx, params, body, fixed }) => pages.replacePage(tx, params, body, fixed))
  serve(server, app, api.pages.update, ({ tx, params, body, fixed }) => pages.updatePage(app, tx, params, { patch: body, fixed }))
  serve(server, app, api.pages.remove, ({ tx, params }) => pages.removePage(tx, params))
}
