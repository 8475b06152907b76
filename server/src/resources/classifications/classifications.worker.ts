import type { App } from '../../app.ts'
import type { JobHandler } from '../../jobs/types.ts'
import { outcomeHandler } from '../../outcomes/outcomes.run.ts'
import { makeClassification } from './classifications.generate.ts'
import { CLASSIFICATION_PROMPT } from './classifications.service.ts'

export const classificationHandlers = (app: App): JobHandler[] => [
  outcomeHandler(app, 'classification', { prompt_version: CLASSIFICATION_PROMPT, make: makeClassification }),
]
