import type { App } from '../../app.ts'
import type { JobHandler } from '../../jobs/types.ts'
import { outcomeHandler } from '../../outcomes/outcomes.run.ts'
import { makeAnswer } from './answers.run.ts'
import { ANSWER_PROMPT } from './answers.service.ts'

export const answerHandlers = (app: App): JobHandler[] => [
  outcomeHandler(app, 'answer', { prompt_version: ANSWER_PROMPT, make: makeAnswer }),
]
