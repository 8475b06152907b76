import { api } from '@octavo/contract'
import type { Routes } from '../../http/route/routes.ts'
import * as authorizations from './authorizations.service.ts'

export function authorizationRoutes(routes: Routes): void {
  routes.list(api.authorizations.list, ({ db, query, page }) => authorizations.listAuthorizations(db, query, page))
  routes.read(api.authorizations.get, ({ db, params }) => authorizations.readAuthorization(db, params.authorization_id))
  routes.write(api.authorizations.remove, ({ tx, params }) =>
    authorizations.removeAuthorization(tx, params.authorization_id),
  )
}
