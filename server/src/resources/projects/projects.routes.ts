import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { serve } from '../../http/serve.ts'
import * as projects from './projects.service.ts'

export function projectRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.projects.list, ({ db, query, page }) => projects.listProjects(db, query, page))
  serve(server, app, api.projects.create, ({ tx, body }) => projects.createProject(app, tx, body))
  serve(server, app, api.projects.get, ({ db, params }) => projects.readProject(db, params.project_id))
  serve(server, app, api.projects.replace, ({ tx, params, body }) =>
    projects.replaceProject(app, tx, params.project_id, body),
  )
  serve(server, app, api.projects.update, ({ tx, params, body }) =>
    projects.updateProject(app, tx, params.project_id, body),
  )
  serve(server, app, api.projects.remove, ({ tx, params }) => projects.removeProject(tx, params.project_id))
}
