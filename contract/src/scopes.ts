// `<collection>:read` and `<collection>:write`; write does not imply read. The words are shown on consent pages.

import { namesOf } from './names.ts'

export const scopes = {
  'documents:read': 'Read documents and their pages',
  'documents:write': 'Create, change and delete documents and their pages',
  'jobs:read': 'Read background jobs',
  'jobs:write': 'Create batches; cancel, retry and delete jobs',
  'projects:read': 'Read projects',
  'projects:write': 'Create, change and delete projects',
  'analysis:read': 'Read analyses',
  'analysis:write': 'Analyze documents and delete analyses',
  'summaries:read': 'Read summaries',
  'summaries:write': 'Create and delete summaries',
  'classifications:read': 'Read classifications',
  'classifications:write': 'Create and delete classifications',
  'embeddings:read': 'Read embeddings',
  'embeddings:write': 'Create and delete embeddings',
  'searches:read': 'Read past searches and answers',
  'searches:write': 'Search documents and ask questions about them',
  'reports:read': 'Read reports',
  'reports:write': 'Create and delete reports',
  'events:read': 'Read the events of the tenant',
  'api_keys:manage': 'Create, change and revoke API keys',
} as const
export type Scope = keyof typeof scopes
export const scopeNames = namesOf(scopes)
