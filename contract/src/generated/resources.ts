// Derived from the resources in contract/src by `npm run openapi`. Do not edit.

import { analysis } from '../analysis.ts'
import { answers } from '../answers.ts'
import { api_keys } from '../api-keys.ts'
import { authorizations } from '../authorizations.ts'
import { chunks } from '../chunks.ts'
import { classifications } from '../classifications.ts'
import { documents } from '../documents.ts'
import { embeddings } from '../embeddings.ts'
import { events } from '../events.ts'
import { files } from '../files.ts'
import { invitations } from '../invitations.ts'
import { job_events, jobs } from '../jobs.ts'
import { members } from '../members.ts'
import { models } from '../models.ts'
import { oauth_clients } from '../oauth-clients.ts'
import { pages } from '../pages.ts'
import { projects } from '../projects.ts'
import { reports } from '../reports.ts'
import { searches } from '../searches.ts'
import { capabilities, openapi, rate_limits } from '../service.ts'
import { summaries } from '../summaries.ts'
import { uploads } from '../uploads.ts'
import { users } from '../users.ts'

export const api = {
  projects,
  documents,
  pages,
  chunks,
  uploads,
  files,
  analysis,
  summaries,
  classifications,
  embeddings,
  searches,
  answers,
  reports,
  jobs,
  job_events,
  api_keys,
  events,
  models,
  capabilities,
  rate_limits,
  openapi,
  oauth_clients,
  invitations,
  members,
  users,
  authorizations,
}

export * from '../analysis.ts'
export * from '../answers.ts'
export * from '../api-keys.ts'
export * from '../authorizations.ts'
export * from '../chunks.ts'
export * from '../classifications.ts'
export * from '../documents.ts'
export * from '../embeddings.ts'
export * from '../events.ts'
export * from '../files.ts'
export * from '../invitations.ts'
export * from '../jobs.ts'
export * from '../members.ts'
export * from '../models.ts'
export * from '../oauth-clients.ts'
export * from '../pages.ts'
export * from '../projects.ts'
export * from '../reports.ts'
export * from '../searches.ts'
export * from '../service.ts'
export * from '../summaries.ts'
export * from '../uploads.ts'
export * from '../users.ts'
