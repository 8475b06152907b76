// Faults that the proof must catch.

import type { Proof } from '../lib/proof.ts'

const COMPATIBLE = 'server/src/ai/compatible'

/** Only others feel it. */
export const BUSY = 'busy_wait'

export const faults: Proof['faults'] = {
  no_deadline: {
    what: 'an answer may take for ever',
    plants: [
      {
        file: `${COMPATIBLE}/line.ts`,
        find: "controller.abort(new Trouble('timeout', 'it took too long'))",
        replace: 'undefined',
      },
    ],
  },
  no_byte_cap: {
    what: 'an answer may be of any size',
    plants: [
      { file: `${COMPATIBLE}/compatible.ts`, find: 'max_bytes: 8 * 1024 * 1024', replace: 'max_bytes: 2 ** 40' },
    ],
  },
  lies_believed: {
    what: 'what a server says of its cost is taken as it is',
    plants: [
      {
        file: `${COMPATIBLE}/usage.ts`,
        find: "typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most",
        replace: 'typeof value === "number" && (least, most, true)',
      },
    ],
  },
  refusal_taken: {
    what: 'a refusal counts as an answer',
    plants: [{ file: `${COMPATIBLE}/chat.ts`, find: "reason === 'content-filter'", replace: "reason === 'never'" }],
  },
  schema_unchecked: {
    what: 'an answer is taken without a look at its schema',
    plants: [
      {
        file: `${COMPATIBLE}/json-answer.ts`,
        find: 'if (validate(parsed.value))',
        replace: 'if (validate(parsed.value) || true)',
      },
    ],
  },
  unpaid: {
    what: 'an answer that is of no use is not paid for',
    plants: [
      {
        file: `${COMPATIBLE}/line.ts`,
        find: 'const spent = trouble?.spent ?? NOTHING',
        replace: 'const spent = NOTHING',
      },
    ],
  },
  [BUSY]: {
    what: 'whoever waits for a provider keeps the processor meanwhile',
    plants: [
      {
        file: `${COMPATIBLE}/line.ts`,
        find: 'await sleep(ms, undefined, { signal })',
        replace:
          'for (const until = performance.now() + ms; performance.now() < until; );\n  await sleep(0, undefined, { signal })',
      },
    ],
  },
}
