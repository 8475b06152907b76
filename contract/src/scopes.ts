// `<collection>:read` and `<collection>:write`; write does not imply read. The words are shown on consent pages.

export const scopes = {
  'documents:read': 'Read documents and their pages',
  'documents:write': 'Create, change and delete documents and their pages',
  'jobs:read': 'Follow background jobs',
  'jobs:write': 'Start batches, cancel jobs, run them again and delete them',
  'projects:read': 'Read projects',
  'projects:write': 'Create, change and delete projects',
  'events:read': 'Follow what happens in the tenant',
  'api_keys:manage': 'Create, change and revoke API keys',
} as const
export type Scope = keyof typeof scopes
export const scopeNames = Object.keys(scopes) as Scope[]
