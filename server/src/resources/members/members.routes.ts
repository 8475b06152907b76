import { api } from '@octavo/contract'
import type { Routes } from '../../http/route/routes.ts'
import * as members from './members.service.ts'

export function memberRoutes(routes: Routes): void {
  routes.list(api.members.list, ({ db, params, query, page }) =>
    members.listMembers(db, params.project_id, query, page),
  )
  routes.write(api.members.create, ({ tx, params, body }) => members.createMember(tx, params.project_id, body))
  routes.read(api.members.get, ({ db, params }) => members.readMember(db, params))
  routes.write(api.members.update, ({ tx, params, body, fixed }) => members.updateMember(tx, params, body, fixed))
  routes.write(api.members.remove, ({ tx, params }) => members.removeMember(tx, params))
}
