// Faults that the proof must catch.

import { change } from '../lib/change.ts'
import type { Proof } from '../lib/proof.ts'

const PAID = 'subject: { object, id } }, used)'

export const faults: Proof['faults'] = {
  schema_unchecked: {
    what: 'an answer is taken without a look at its schema',
    plants: [change('readJsonAnswer', 'if (validate(parsed.value))', 'if (validate(parsed.value) || true)')],
  },
  nameless: {
    what: 'an answer that is of no use fails without a name',
    plants: [
      change(
        'failureOf',
        "if (error instanceof ModelOutputInvalid) return fail('model_output_invalid', true)",
        "if (error instanceof ModelOutputInvalid) return fail('internal_error', true)",
      ),
    ],
  },
  paid_twice: {
    what: 'an answer is in the ledger twice',
    plants: [
      change(
        'pay',
        PAID,
        `${PAID}\n    recordUsage(tx, model, { project_id, key_id, job_id: this.run.job.id, subject: { object, id } }, used)`,
      ),
    ],
  },
}
