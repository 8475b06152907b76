import type { App } from '../../app.ts'
import type { JobHandler } from '../../jobs/types.ts'
import { outcomeHandler } from '../outcomes/making.service.ts'
import { CLASSIFICATION_PROMPT } from './classifications.service.ts'
import { makeClassification } from './making.service.ts'

export const classificationHandlers = (app: App): JobHandler[] => [
  outcomeHandler(app, 'classification', { prompt_version: CLASSIFICATION_PROMPT, make: makeClassification }),
]
