// The HTTP server with every resource's routes, one line each.

import type { FastifyInstance } from 'fastify'
import type { App } from './app.ts'
import type { Authenticator } from './auth/authenticator.ts'
import { buildServer } from './http/server.ts'
import { apiKeyRoutes } from './resources/api-keys/api-keys.routes.ts'
import { documentRoutes } from './resources/documents/documents.routes.ts'
import { eventRoutes } from './resources/events/events.routes.ts'
import { jobRoutes } from './resources/jobs/jobs.routes.ts'
import { pageRoutes } from './resources/pages/pages.routes.ts'
import { projectRoutes } from './resources/projects/projects.routes.ts'
import { serviceRoutes } from './resources/service/service.routes.ts'
import { handlersOf } from './worker.ts'

export function buildApi(app: App, authenticator: Authenticator): FastifyInstance {
  app.jobs.use(handlersOf(app))
  const server = buildServer(app, authenticator)
  projectRoutes(server, app)
  documentRoutes(server, app)
  pageRoutes(server, app)
  jobRoutes(server, app)
  apiKeyRoutes(server, app)
  eventRoutes(server, app)
  serviceRoutes(server, app)
  return server
}
