import { api } from '@octavo/contract'
import type { App } from '../../app.ts'
import type { Routes } from '../../http/route/routes.ts'
import * as invitations from './invitations.service.ts'

export function invitationRoutes(routes: Routes, app: App): void {
  routes.list(api.invitations.list, ({ db, query, page }) => invitations.listInvitations(db, query, page))
  routes.write(api.invitations.create, ({ tx, body }) => invitations.createInvitation(app, tx, body))
  routes.read(api.invitations.get, ({ db, params }) => invitations.readInvitation(db, params.invitation_id))
  routes.write(api.invitations.update, ({ tx, params, body, fixed }) =>
    invitations.updateInvitation(tx, params.invitation_id, body, fixed),
  )
  routes.write(api.invitations.remove, ({ tx, params }) => invitations.removeInvitation(tx, params.invitation_id))
}
