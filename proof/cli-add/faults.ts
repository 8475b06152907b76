import { change } from '../lib/change.ts'
import type { Proof } from '../lib/proof.ts'

export const faults: Proof['faults'] = {
  always_fine: {
    what: 'the exit code says that all is well',
    plants: [change('exitOf', 'return codes.size > 1 ? exits.failed : only', 'return exits.fine')],
  },
  no_reason: {
    what: 'broken files are not explained',
    plants: [change('showTroubles', 'for (const group of groups.values()) {', 'for (const group of []) {')],
  },
  no_remedy: {
    what: 'only the code of the error is shown',
    plants: [change('settle', 'message: document.error.message,', 'message: document.error.code,')],
  },
  drawn_beneath: {
    what: 'progress is not drawn in its place',
    plants: [change('openBoard', 'return rows > 0 ?', 'return rows < 0 ?')],
  },
  drawn_once: {
    what: 'progress is drawn once and then no more',
    plants: [change('openBoard', 'setInterval(draw, EVERY_MS)', 'setTimeout(draw, EVERY_MS)')],
  },
  wide_as_narrow: {
    what: 'wide characters are counted as one column',
    plants: [change('widthOfCharacter', 'eastAsianWidth(character.codePointAt(0) ?? 0)', '1')],
  },
  first_failure_ends: {
    what: 'after one broken file the others are not sent',
    plants: [change('addDocuments', 'isHopeless ||= ', 'isHopeless ||= task.trouble !== null || ')],
  },
}
