import type { App } from '../../app.ts'
import type { JobHandler } from '../../jobs/types.ts'
import { outcomeHandler } from '../../outcomes/outcomes.run.ts'
import { makeReport } from './reports.generate.ts'
import { REPORT_VERSION } from './reports.service.ts'

export const reportHandlers = (app: App): JobHandler[] => [
  outcomeHandler<'report', App>(app, 'report', { prompt_version: REPORT_VERSION, make: makeReport }),
]
