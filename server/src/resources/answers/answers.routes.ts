import { api } from '@octavo/contract'
import type { App } from '../../app.ts'
import type { Routes } from '../../http/route/routes.ts'
import { findDraft, listOutcomes, readOutcome, removeOutcome } from '../../outcomes/outcomes.service.ts'
import { createAnswer, prepareAnswer } from './answers.service.ts'

export function answerRoutes(routes: Routes, app: App): void {
  routes.list(api.answers.list, ({ db, query, page }) => listOutcomes(db, 'answer', query, page))
  routes.write(api.answers.create, {
    beforeTransaction: ({ db, body }) => prepareAnswer(app, db, body),
    handle: ({ tx, body, prepared, is_streamed }) => createAnswer(app, tx, body, { ...prepared, is_streamed }),
    draft: (db, id) => findDraft(db, 'answer', id),
  })
  routes.read(api.answers.get, ({ db, params }) => readOutcome(db, 'answer', params.answer_id))
  routes.write(api.answers.remove, ({ tx, params }) => removeOutcome(app, tx, 'answer', params.answer_id))
}
