import { api } from '@octavo/contract'
import type { App } from '../../app.ts'
import type { Routes } from '../../http/route/routes.ts'
import * as documents from './documents.service.ts'

export function documentRoutes(routes: Routes, app: App): void {
  routes.list(api.documents.list, ({ db, query, page }) => documents.listDocuments(db, query, page))
  routes.write(api.documents.create, {
    beforeTransaction: ({ db, body, file }) => documents.prepareDocument(app, db, body, file),
    hasEffects: ({ body, file }) => documents.hasBytes(body, file),
    handle: ({ tx, body, prepared: file }) => documents.createDocument(app, tx, documents.titled(body, file), { file }),
  })
  routes.read(api.documents.get, ({ db, params }) => documents.readDocument(db, params.document_id))
  routes.write(api.documents.replace, ({ tx, params, body, fixed }) =>
    documents.replaceDocument(tx, params.document_id, body, fixed),
  )
  routes.write(api.documents.update, ({ tx, params, body, fixed }) =>
    documents.updateDocument(tx, params.document_id, body, fixed),
  )
  routes.write(api.documents.remove, ({ tx, params }) => documents.removeDocument(app, tx, params.document_id))
}
