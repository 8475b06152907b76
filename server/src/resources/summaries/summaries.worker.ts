import type { App } from '../../app.ts'
import type { JobHandler } from '../../jobs/types.ts'
import { outcomeHandler } from '../outcomes/making.service.ts'
import { makeSummary } from './making.service.ts'
import { SUMMARY_PROMPT } from './summaries.service.ts'

export const summaryHandlers = (app: App): JobHandler[] => [
  outcomeHandler(app, 'summary', { prompt_version: SUMMARY_PROMPT, make: makeSummary }),
]
