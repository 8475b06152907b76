import { api } from '@octavo/contract'
import type { Routes } from '../../http/route/routes.ts'
import * as clients from './oauth-clients.service.ts'

export function oauthClientRoutes(routes: Routes): void {
  routes.list(api.oauth_clients.list, ({ db, query, page }) => clients.listClients(db, query, page))
  routes.write(api.oauth_clients.create, ({ tx, body }) => clients.createClient(tx, body))
  routes.read(api.oauth_clients.get, ({ db, params }) => clients.readClient(db, params.client_id))
  routes.write(api.oauth_clients.update, ({ tx, params, body, fixed }) =>
    clients.updateClient(tx, params.client_id, body, fixed),
  )
  routes.write(api.oauth_clients.remove, ({ tx, params }) => clients.removeClient(tx, params.client_id))
}
