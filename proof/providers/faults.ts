// Faults that the proof must catch.

import { change } from '../lib/change.ts'
import type { Proof } from '../lib/proof.ts'

/** Only others feel it. */
export const BUSY = 'busy_wait'

export const faults: Proof['faults'] = {
  no_deadline: {
    what: 'an answer may take for ever',
    plants: [change('openDeadline', "controller.abort(new Trouble('timeout', 'it took too long'))", 'undefined')],
  },
  no_byte_cap: {
    what: 'an answer may be of any size',
    plants: [change('BOUNDS', 'max_bytes: 8 * 1024 * 1024', 'max_bytes: 2 ** 40')],
  },
  lies_believed: {
    what: 'what a server says of its cost is taken as it is',
    plants: [
      change(
        'isCount',
        "typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most",
        'typeof value === "number" && (least, most, true)',
      ),
    ],
  },
  refusal_taken: {
    what: 'a refusal counts as an answer',
    plants: [change('answerOf', "reason === 'content-filter'", "reason === 'never'")],
  },
  schema_unchecked: {
    what: 'an answer is taken without a look at its schema',
    plants: [change('readJsonAnswer', 'if (validate(parsed.value))', 'if (validate(parsed.value) || true)')],
  },
  unpaid: {
    what: 'an answer that is of no use is not paid for',
    plants: [change('modelError', 'const spent = trouble?.spent ?? NOTHING', 'const spent = NOTHING')],
  },
  [BUSY]: {
    what: 'a wait for a provider blocks the processor',
    plants: [
      change(
        'restFor',
        'await sleep(ms, undefined, { signal })',
        'for (const until = performance.now() + ms; performance.now() < until; );\n  await sleep(0, undefined, { signal })',
      ),
    ],
  },
}
