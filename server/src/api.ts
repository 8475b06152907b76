// The HTTP server with every resource's routes, one line each.

import { describe } from '@octavo/contract/openapi'
import type { FastifyInstance } from 'fastify'
import type { App } from './app.ts'
import type { Authenticator } from './auth/authenticator.ts'
import { serveDescription } from './http/description.ts'
import { Routes } from './http/route/routes.ts'
import { buildServer } from './http/server.ts'
import { serveSigned } from './http/streaming/signed.ts'
import { serveMcp } from './mcp/mcp.routes.ts'
import { serveOauth } from './oauth/mount.ts'
import { analysisRoutes } from './resources/analysis/analysis.routes.ts'
import { answerRoutes } from './resources/answers/answers.routes.ts'
import { apiKeyRoutes } from './resources/api-keys/api-keys.routes.ts'
import { authorizationRoutes } from './resources/authorizations/authorizations.routes.ts'
import { chunkRoutes } from './resources/chunks/chunks.routes.ts'
import { classificationRoutes } from './resources/classifications/classifications.routes.ts'
import { documentRoutes } from './resources/documents/documents.routes.ts'
import { embeddingRoutes } from './resources/embeddings/embeddings.routes.ts'
import { eventRoutes } from './resources/events/events.routes.ts'
import { fileRoutes } from './resources/files/files.routes.ts'
import { openFile } from './resources/files/files.service.ts'
import { invitationRoutes } from './resources/invitations/invitations.routes.ts'
import { jobRoutes } from './resources/jobs/jobs.routes.ts'
import { memberRoutes } from './resources/members/members.routes.ts'
import { modelRoutes } from './resources/models/models.routes.ts'
import { oauthClientRoutes } from './resources/oauth-clients/oauth-clients.routes.ts'
import { pageRoutes } from './resources/pages/pages.routes.ts'
import { projectRoutes } from './resources/projects/projects.routes.ts'
import { reportRoutes } from './resources/reports/reports.routes.ts'
import { searchRoutes } from './resources/searches/searches.routes.ts'
import { serviceRoutes } from './resources/service/service.routes.ts'
import { summaryRoutes } from './resources/summaries/summaries.routes.ts'
import { uploadRoutes } from './resources/uploads/uploads.routes.ts'
import { receiveUpload } from './resources/uploads/uploads.service.ts'
import { userRoutes } from './resources/users/users.routes.ts'
import { serveSignIn } from './sign-in/sign-in.routes.ts'
import { handlersOf } from './worker.ts'

export function buildApi(app: App, authenticator: Authenticator): FastifyInstance {
  app.jobs.use(handlersOf(app))
  const server = buildServer(app, authenticator)
  const routes = new Routes(server, app)
  projectRoutes(routes, app)
  documentRoutes(routes, app)
  pageRoutes(routes, app)
  chunkRoutes(routes)
  uploadRoutes(routes, app)
  fileRoutes(routes, app)
  analysisRoutes(routes, app)
  summaryRoutes(routes, app)
  classificationRoutes(routes, app)
  embeddingRoutes(routes, app)
  searchRoutes(routes, app)
  answerRoutes(routes, app)
  reportRoutes(routes, app)
  jobRoutes(routes, app)
  apiKeyRoutes(routes, app)
  oauthClientRoutes(routes)
  authorizationRoutes(routes)
  userRoutes(routes)
  invitationRoutes(routes, app)
  memberRoutes(routes)
  eventRoutes(routes)
  modelRoutes(routes, app)
  const { version, base_url } = app.config
  const description = { ...describe({ version, server_url: base_url }) }
  serviceRoutes(routes, app, description)
  serveDescription(server, description)
  serveOauth(server, app)
  serveMcp(server, app)
  serveSigned(server, app, {
    readFile: (db, { id }) => openFile(app, db, id),
    putUpload: (db, link, body) => receiveUpload(app, db, link, body),
  })
  serveSignIn(server, app)
  return server
}
