import { api } from '@octavo/contract'
import type { App } from '../../app.ts'
import type { Routes } from '../../http/route/routes.ts'
import * as keys from './api-keys.service.ts'

export function apiKeyRoutes(routes: Routes, app: App): void {
  routes.list(api.api_keys.list, ({ db, query, page }) => keys.listKeys(db, query, page))
  routes.write(api.api_keys.create, ({ tx, body }) => keys.createKey(tx, body))
  routes.read(api.api_keys.get, ({ db, params }) => keys.readKey(db, params.key_id))
  routes.write(api.api_keys.update, ({ tx, params, body, fixed }) => keys.updateKey(tx, params.key_id, body, fixed))
  routes.write(api.api_keys.remove, ({ tx, params }) => keys.removeKey(app, tx, params.key_id))
  routes.write(api.api_keys.rotate, ({ tx, params, body }) => keys.rotateKey(app, tx, params.key_id, body))
}
