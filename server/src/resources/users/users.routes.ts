import { api } from '@octavo/contract'
import type { Routes } from '../../http/route/routes.ts'
import * as users from './users.service.ts'

export function userRoutes(routes: Routes): void {
  routes.list(api.users.list, ({ db, query, page }) => users.listUsers(db, query, page))
  routes.write(api.users.create, ({ tx, body }) => users.createUser(tx, body))
  routes.read(api.users.get, ({ db, params }) => users.readUser(db, params.user_id))
  routes.write(api.users.update, ({ tx, params, body, fixed }) => users.updateUser(tx, params.user_id, body, fixed))
  routes.write(api.users.remove, ({ tx, params }) => users.removeUser(tx, params.user_id))
}
