import type { App } from '../../app.ts'
import type { JobHandler } from '../../jobs/types.ts'
import { outcomeHandler } from '../../outcomes/outcomes.run.ts'
import { makeSummary } from './summaries.generate.ts'
import { SUMMARY_PROMPT } from './summaries.service.ts'

export const summaryHandlers = (app: App): JobHandler[] => [
  outcomeHandler(app, 'summary', { prompt_version: SUMMARY_PROMPT, make: makeSummary }),
]
