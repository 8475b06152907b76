import type { App } from '../../app.ts'
import type { JobHandler } from '../../jobs/types.ts'
import { outcomeHandler } from '../../outcomes/outcomes.run.ts'
import { ANALYSIS_PROMPT } from './analysis.service.ts'

export const analysisHandlers = (app: App): JobHandler[] => [
  outcomeHandler(app, 'analysis', {
    prompt_version: ANALYSIS_PROMPT,
    // An API process lists handlers too, and never needs the tables of telephone numbers and words behind this one.
    make: async (work) => (await import('./analysis.generate.ts')).makeAnalysis(work),
  }),
]
