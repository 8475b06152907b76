import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import type { Db } from '../../db/database.ts'
import { serve } from '../../http/serve.ts'
import { readDocument } from '../documents/documents.service.ts'
import * as pages from './pages.service.ts'

export function pageRoutes(server: FastifyInstance, app: App): void {
  const loadDocument = (db: Db, params: { document_id: string }) => readDocument(db, params.document_id)
  const load = (db: Db, params: { document_id: string; page_id: string }) => pages.readPage(db, params.document_id, params.page_id)
  serve(server, app, api.pages.list, ({ db, params, query, page }) => pages.listPages(db, params.document_id, query, page))
  serve(server, app, api.pages.create, ({ tx, params, body }) => pages.createPage(tx, params.document_id, body), loadDocument)
  serve(server, app, api.pages.get, ({ db, params }) => pages.readPage(db, params.document_id, params.page_id))
  serve(server, app, api.pages.replace, ({ tx, params, body, fixed }) => pages.replacePage(tx, params, body, fixed), load)
  serve(server, app, api.pages.update, ({ tx, params, body, fixed }) => pages.updatePage(tx, params, body, fixed), load)
  serve(server, app, api.pages.remove, ({ tx, params }) => pages.removePage(tx, params))
}
