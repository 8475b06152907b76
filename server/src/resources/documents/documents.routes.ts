import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { serve } from '../../http/serve.ts'
import * as documents from './documents.service.ts'

export function documentRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.documents.list, ({ db, query, page }) => documents.listDocuments(db, query, page))
  serve(server, app, api.documents.create, {
    beforeTransaction: ({ db, body, file }) => documents.prepareDocument(app, db, body, file),
    handle: ({ tx, body, prepared: file }) => documents.createDocument(app, tx, documents.titled(body, file), { file }),
  })
  serve(server, app, api.documents.get, ({ db, params }) => documents.readDocument(db, params.document_id))
  serve(server, app, api.documents.replace, ({ tx, params, body, fixed }) =>
    documents.replaceDocument(tx, params.document_id, body, fixed),
  )
  serve(server, app, api.documents.update, ({ tx, params, body, fixed }) =>
    documents.updateDocument(tx, params.document_id, body, fixed),
  )
  serve(server, app, api.documents.remove, ({ tx, params }) => documents.removeDocument(app, tx, params.document_id))
}
