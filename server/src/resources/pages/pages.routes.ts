import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { serve } from '../../http/serve.ts'
import { prepareChunks } from './pages.chunks.ts'
import * as pages from './pages.service.ts'

export function pageRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.pages.list, ({ db, params, query, page }) =>
    pages.listPages(db, params.document_id, query, page),
  )
  serve(server, app, api.pages.create, {
    beforeTransaction: async ({ db, params, body }) => ({ value: await prepareChunks(app, db, params, body) }),
    handle: ({ tx, params, body, prepared }) => pages.createPage(tx, params.document_id, body, prepared),
  })
  serve(server, app, api.pages.get, ({ db, params }) => pages.readPage(db, params.document_id, params.page_id))
  serve(server, app, api.pages.replace, {
    beforeTransaction: async ({ db, params, body }) => ({ value: await prepareChunks(app, db, params, body) }),
    handle: ({ tx, params, body, fixed, prepared }) => pages.replacePage(tx, params, { input: body, fixed, prepared }),
  })
  serve(server, app, api.pages.update, {
    beforeTransaction: async ({ db, params, body }) => ({ value: await prepareChunks(app, db, params, body) }),
    handle: ({ tx, params, body, fixed, prepared }) =>
      pages.updatePage(app, tx, params, { patch: body, fixed, prepared }),
  })
  serve(server, app, api.pages.remove, ({ tx, params }) => pages.removePage(tx, params))
}
