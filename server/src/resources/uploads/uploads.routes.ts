import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { serve } from '../../http/serve.ts'
import * as uploads from './uploads.service.ts'

export function uploadRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.uploads.list, ({ db, query, page }) => uploads.listUploads(db, query, page))
  serve(server, app, api.uploads.create, {
    beforeTransaction: ({ db, body }) => uploads.beginUpload(app, db, body),
    handle: ({ tx, body, prepared }) => uploads.createUpload(app, tx, body, prepared),
  })
  serve(server, app, api.uploads.get, ({ db, params }) => uploads.readUpload(app, db, params.upload_id))
  serve(server, app, api.uploads.remove, ({ tx, params }) => uploads.removeUpload(app, tx, params.upload_id))
}
