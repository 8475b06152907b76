import { api } from '@octavo/contract'
import type { App } from '../../app.ts'
import type { Routes } from '../../http/route/routes.ts'
import * as files from './files.service.ts'
import * as unused from './files.unused.ts'

export function fileRoutes(routes: Routes, app: App): void {
  routes.write(api.files.create, {
    beforeTransaction: ({ db, file }) => unused.checkSent(app, db, file),
    handle: ({ tx, body, prepared }) => unused.createUnused(tx, body, prepared),
  })
  routes.read(api.files.get, ({ db, params }) => files.readFile(db, params.file_id))
  routes.bytes(api.files.contents, {
    open: ({ db, params }) => files.openContents(app, db, params.file_id),
    link: ({ db, params }) => files.readLink(app, db, params.file_id),
  })
  routes.read(api.files.link, ({ db, params }) => files.readSharedLink(app, db, params.file_id))
}
