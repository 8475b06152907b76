import { api } from '@octavo/contract'
import type { App } from '../../app.ts'
import type { Routes } from '../../http/route/routes.ts'
import { prepareChunks } from './pages.chunks.ts'
import { readContents } from './pages.contents.ts'
import * as pages from './pages.service.ts'

export function pageRoutes(routes: Routes, app: App): void {
  routes.list(api.pages.list, ({ db, params, query, page }) => pages.listPages(db, params.document_id, query, page))
  routes.write(api.pages.create, {
    beforeTransaction: async ({ db, params, body }) => ({ value: await prepareChunks(app, db, params, body) }),
    handle: ({ tx, params, body, prepared }) => pages.createPage(tx, params.document_id, body, prepared),
  })
  routes.read(api.pages.get, ({ db, params }) => pages.readPage(db, params.document_id, params.page_id))
  routes.write(api.pages.replace, {
    beforeTransaction: async ({ db, params, body }) => ({ value: await prepareChunks(app, db, params, body) }),
    handle: ({ tx, params, body, fixed, prepared }) => pages.replacePage(tx, params, { input: body, fixed, prepared }),
  })
  routes.write(api.pages.update, {
    beforeTransaction: async ({ db, params, body }) => ({ value: await prepareChunks(app, db, params, body) }),
    handle: ({ tx, params, body, fixed, prepared }) =>
      pages.updatePage(app, tx, params, { patch: body, fixed, prepared }),
  })
  routes.text(api.documents.contents, ({ db, params }) => readContents(db, params.document_id))
  routes.write(api.pages.remove, ({ tx, params }) => pages.removePage(tx, params))
}
