import type { App } from '../../app.ts'
import type { JobHandler } from '../../jobs/types.ts'
import { outcomeHandler } from '../outcomes/making.service.ts'
import { ANALYSIS_PROMPT } from './analysis.service.ts'
import { makeAnalysis } from './making.service.ts'

export const analysisHandlers = (app: App): JobHandler[] => [
  outcomeHandler(app, 'analysis', { prompt_version: ANALYSIS_PROMPT, make: makeAnalysis }),
]
