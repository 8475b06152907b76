// Faults that the proof must catch.

import { change } from '../lib/change.ts'
import type { Proof } from '../lib/proof.ts'

const KEPT = 'await keep(tx, value)\n      runRows.insertStep(tx, this.claim.job.id, name, value)'

export const faults: Proof['faults'] = {
  answers_lost: {
    what: 'an answer is paid for, and not kept',
    plants: [change('keepWith', KEPT, 'await keep(tx, value)')],
  },
  paid_again: {
    what: 'who goes on pays once more for what was answered before',
    plants: [
      change(
        'paid',
        'const call = this.callOf(step)\n    let began_ms = 0',
        `const call = this.callOf(step)
    let began_ms = 0
    if (this.run.attempt > 1)
      return this.run.step(step, ask).then((value) =>
        this.app.db.transaction(this.run.db.caller, async (tx) => (this.pay(tx, model, { call, spent: spentOf(value), compute_ms: 0 }), value)))`,
      ),
    ],
  },
  parts_lost: {
    what: 'what was kept is taken for the answer, but the notes of it are not',
    plants: [
      change(
        'writeOfMany',
        'for (const [i, part] of parts.entries()) {',
        'for (const [i, part] of parts.entries()) {\n    if (work.run.attempt > 1 && i < 10) continue',
      ),
    ],
  },
  groups_lost: {
    what: 'what was found in pages is not kept',
    plants: [
      change(
        'keep',
        'runRows.keepStep(this.db.for(this.caller), this.claim, name, value)',
        'Promise.resolve(null as never)',
      ),
    ],
  },
}
