// The API as data: one line for each resource.

import { analysis } from './analysis.ts'
import { answers } from './answers.ts'
import { api_keys } from './api-keys.ts'
import { chunks } from './chunks.ts'
import { classifications } from './classifications.ts'
import { documents } from './documents.ts'
import { embeddings } from './embeddings.ts'
import type { Endpoint } from './endpoint.ts'
import { events } from './events.ts'
import { files } from './files.ts'
import { job_events, jobs } from './jobs.ts'
import { models } from './models.ts'
import { pages } from './pages.ts'
import { projects } from './projects.ts'
import { reports } from './reports.ts'
import { searches } from './searches.ts'
import { capabilities, openapi, rate_limits } from './service.ts'
import { summaries } from './summaries.ts'
import { uploads } from './uploads.ts'

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
}

/** Every operation with its name: `documents.create` and so on. */
export const operations: readonly { name: string; endpoint: Endpoint }[] = Object.entries(api).flatMap(
  ([resource, endpoints]) =>
    Object.entries(endpoints).map(([verb, endpoint]) => ({
      name: `${resource}.${verb}`,
      endpoint: endpoint as unknown as Endpoint,
    })),
)

export * from './analysis.ts'
export * from './answers.ts'
export * from './api-keys.ts'
export * from './batches.ts'
export * from './blocks.ts'
export * from './chunks.ts'
export * from './classifications.ts'
export * from './documents.ts'
export * from './embeddings.ts'
export * from './endpoint.ts'
export * from './errors.ts'
export * from './event-types.ts'
export * from './events.ts'
export * from './files.ts'
export * from './ids.ts'
export * from './job-words.ts'
export * from './jobs.ts'
export * from './models.ts'
export * from './names.ts'
export * from './outcome.ts'
export * from './outcome-kinds.ts'
export * from './pages.ts'
export * from './processing.ts'
export * from './projects.ts'
export * from './reports.ts'
export * from './schema.ts'
export * from './scopes.ts'
export * from './searches.ts'
export * from './service.ts'
export * from './summaries.ts'
export * from './tiers.ts'
export * from './uploads.ts'
