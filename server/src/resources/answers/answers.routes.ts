import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { serve } from '../../http/serve.ts'
import { findDraft, listOutcomes, readOutcome, removeOutcome } from '../outcomes/outcomes.service.ts'
import { createAnswer, prepareAnswer } from './answers.service.ts'

export function answerRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.answers.list, ({ db, query, page }) => listOutcomes(db, 'answer', query, page))
  serve(server, app, api.answers.create, {
    beforeTransaction: ({ db, body }) => prepareAnswer(app, db, body),
    handle: ({ tx, body, prepared, is_streamed }) => createAnswer(app, tx, body, { ...prepared, is_streamed }),
    draft: (db, id) => findDraft(db, 'answer', id),
  })
  serve(server, app, api.answers.get, ({ db, params }) => readOutcome(db, 'answer', params.answer_id))
  serve(server, app, api.answers.remove, ({ tx, params }) => removeOutcome(app, tx, 'answer', params.answer_id))
}
