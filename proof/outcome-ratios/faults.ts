// Faults that the proof must catch. Two of them are in the database; the part that detects them adds them.

import { change } from '../lib/change.ts'
import type { Proof } from '../lib/proof.ts'

export const faults: Proof['faults'] = {
  spinning: {
    what: 'threads of models use the processor while they wait',
    plants: [change('load', "allow_spinning: '0'", "allow_spinning: '1'")],
  },
  all_candidates: {
    what: 'each ranking hands over all that it has found',
    plants: [change('CANDIDATES', 'const CANDIDATES = 200', 'const CANDIDATES = 20_000')],
  },
  no_term_index: { what: 'the index of terms is missing', plants: [] },
  short_walk: { what: 'the graph is left after a few steps', plants: [] },
}
