// `<collection>:read` and `<collection>:write`; write does not imply read. The words are shown on consent pages.

export const scopes = {
  'documents:read': 'Read documents and their pages',
  'documents:write': 'Create, change and delete documents and their pages',
  'jobs:read': 'Follow background jobs',
  'jobs:write': 'Start batches, cancel jobs, run them again and delete them',
  'projects:read': 'Read projects',
  'projects:write': 'Create, change and delete projects',
  'analysis:read': 'Read analyses of documents',
  'analysis:write': 'Analyse documents, and delete analyses',
  'summaries:read': 'Read summaries',
  'summaries:write': 'Have summaries written, and delete them',
  'classifications:read': 'Read classifications',
  'classifications:write': 'Have texts and documents classified, and delete the results',
  'embeddings:read': 'Read embeddings',
  'embeddings:write': 'Have texts and documents embedded, and delete the results',
  'searches:read': 'Read past searches and answers',
  'searches:write': 'Search documents and ask questions about them',
  'reports:read': 'Read reports',
  'reports:write': 'Have reports written, and delete them',
  'events:read': 'Follow what happens in the tenant',
  'api_keys:manage': 'Create, change and revoke API keys',
} as const
export type Scope = keyof typeof scopes
export const scopeNames = Object.keys(scopes) as Scope[]
