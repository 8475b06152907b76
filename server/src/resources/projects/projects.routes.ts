import { api } from '@octavo/contract'
import type { App } from '../../app.ts'
import type { Routes } from '../../http/route/routes.ts'
import * as projects from './projects.service.ts'

export function projectRoutes(routes: Routes, app: App): void {
  routes.list(api.projects.list, ({ db, query, page }) => projects.listProjects(db, query, page))
  routes.write(api.projects.create, ({ tx, body }) => projects.createProject(app, tx, body))
  routes.read(api.projects.get, ({ db, params }) => projects.readProject(db, params.project_id))
  routes.write(api.projects.replace, ({ tx, params, body }) =>
    projects.replaceProject(app, tx, params.project_id, body),
  )
  routes.write(api.projects.update, ({ tx, params, body }) => projects.updateProject(app, tx, params.project_id, body))
  routes.write(api.projects.remove, ({ tx, params }) => projects.removeProject(tx, params.project_id))
}
