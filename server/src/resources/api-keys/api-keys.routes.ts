import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { serve } from '../../http/serve.ts'
import * as keys from './api-keys.service.ts'

export function apiKeyRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.api_keys.list, ({ db, query, page }) => keys.listKeys(db, query, page))
  serve(server, app, api.api_keys.create, ({ tx, body }) => keys.createKey(tx, body))
  serve(server, app, api.api_keys.get, ({ db, params }) => keys.readKey(db, params.key_id))
  serve(server, app, api.api_keys.update, ({ tx, params, body, fixed }) =>
    keys.updateKey(tx, params.key_id, body, fixed),
  )
  serve(server, app, api.api_keys.remove, ({ tx, params }) => keys.removeKey(app, tx, params.key_id))
  serve(server, app, api.api_keys.rotate, ({ tx, params, body }) => keys.rotateKey(app, tx, params.key_id, body))
}
