import type { App } from '../../app.ts'
import type { JobHandler } from '../../jobs/types.ts'
import { outcomeHandler } from '../outcomes/making.service.ts'
import { EMBEDDING_VERSION } from './embeddings.service.ts'
import { makeEmbedding } from './making.service.ts'

export const embeddingHandlers = (app: App): JobHandler[] => [
  outcomeHandler(app, 'embedding', { prompt_version: EMBEDDING_VERSION, make: makeEmbedding }),
]
