import { api } from '@octavo/contract'
import type { App } from '../../app.ts'
import type { Routes } from '../../http/route/routes.ts'
import * as uploads from './uploads.service.ts'

export function uploadRoutes(routes: Routes, app: App): void {
  routes.list(api.uploads.list, ({ db, query, page }) => uploads.listUploads(db, query, page))
  routes.write(api.uploads.create, {
    beforeTransaction: ({ db, body }) => uploads.beginUpload(app, db, body),
    handle: ({ tx, body, prepared }) => uploads.createUpload(app, tx, body, prepared),
  })
  routes.read(api.uploads.get, ({ db, params }) => uploads.readUpload(app, db, params.upload_id))
  routes.write(api.uploads.remove, ({ tx, params }) => uploads.removeUpload(app, tx, params.upload_id))
}
