import type { App } from '../../app.ts'
import type { JobHandler } from '../../jobs/types.ts'
import { outcomeHandler } from '../outcomes/making.service.ts'
import { ANSWER_PROMPT } from './answers.service.ts'
import { makeAnswer } from './making.service.ts'

export const answerHandlers = (app: App): JobHandler[] => [
  outcomeHandler(app, 'answer', { prompt_version: ANSWER_PROMPT, make: makeAnswer }),
]
