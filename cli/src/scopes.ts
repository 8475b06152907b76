import type { Scope } from '@octavo/sdk'

export const scopes: readonly Scope[] = [
  'documents:read',
  'documents:write',
  'jobs:read',
  'jobs:write',
  'projects:read',
  'projects:write',
  'analysis:read',
  'analysis:write',
  'summaries:read',
  'summaries:write',
  'classifications:read',
  'classifications:write',
  'embeddings:read',
  'embeddings:write',
  'searches:read',
  'searches:write',
  'reports:read',
  'reports:write',
  'events:read',
  'api_keys:manage',
]
