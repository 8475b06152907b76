// Faults that the proof must catch.

import type { Proof } from '../lib/proof.ts'

const MODEL_CALLS = 'server/src/outcomes/model-calls.ts'
const PAID = 'subject: { object, id } }, used)'

export const faults: Proof['faults'] = {
  schema_unchecked: {
    what: 'an answer is taken without a look at its schema',
    plants: [
      {
        file: 'server/src/ai/compatible/json-answer.ts',
        find: 'if (validate(parsed.value))',
        replace: 'if (validate(parsed.value) || true)',
      },
    ],
  },
  nameless: {
    what: 'an answer that is of no use fails without a name',
    plants: [
      {
        file: MODEL_CALLS,
        find: "if (error instanceof ModelOutputInvalid) return fail('model_output_invalid', true)",
        replace: "if (error instanceof ModelOutputInvalid) return fail('internal_error', true)",
      },
    ],
  },
  paid_twice: {
    what: 'an answer is in the ledger twice',
    plants: [
      {
        file: MODEL_CALLS,
        find: PAID,
        replace: `${PAID}\n    recordUsage(tx, model, { project_id, key_id, job_id: this.run.job.id, subject: { object, id } }, used)`,
      },
    ],
  },
}
