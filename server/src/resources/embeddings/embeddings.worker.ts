import type { App } from '../../app.ts'
import type { JobHandler } from '../../jobs/types.ts'
import { outcomeHandler } from '../../outcomes/outcomes.run.ts'
import { makeEmbedding } from './embeddings.generate.ts'
import { EMBEDDING_VERSION } from './embeddings.service.ts'

export const embeddingHandlers = (app: App): JobHandler[] => [
  outcomeHandler(app, 'embedding', { prompt_version: EMBEDDING_VERSION, make: makeEmbedding }),
]
