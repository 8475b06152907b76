// Faults that the proof must catch.

import type { Proof } from '../lib/proof.ts'

const CITER = 'server/src/outcomes/outcomes.citations.ts'
const QUOTES = 'server/src/text/quotes.ts'

export const faults: Proof['faults'] = {
  utf16_offsets: {
    what: 'offsets of quotes count UTF-16 units',
    plants: [
      { file: QUOTES, find: 'start: this.points[start] ?? 0, end: this.points[end] ?? 0', replace: 'start, end' },
    ],
  },
  unverified: {
    what: 'a quote that is not found is stored as the beginning of the page',
    plants: [
      {
        file: CITER,
        find: '    this.dropped++\n    return null',
        replace:
          "    return this.cite(sources[0]!, { start: 0, end: [...quote].length, quote, match: 'exact', score: 1 })",
      },
    ],
  },
  quote_of_the_model: {
    what: "the model's spelling of a quote is stored instead of the page's",
    plants: [
      {
        file: CITER,
        find: 'if (found) return this.cite(source, found)',
        replace: 'if (found) return this.cite(source, { ...found, quote: wanted })',
      },
    ],
  },
  numbers_nearly: {
    what: 'a number may be nearly right',
    plants: [{ file: QUOTES, find: '!== numbers) continue', replace: '=== `${numbers}!`) continue' }],
  },
  uncounted: {
    what: 'quotes are dropped silently',
    plants: [
      {
        file: 'server/src/outcomes/outcomes.run.ts',
        find: 'if (dropped > 0)',
        replace: 'if (dropped > 1_000_000)',
      },
    ],
  },
  corrected_meanwhile: {
    what: 'a page that was corrected while a model wrote is cited all the same',
    plants: [
      {
        file: 'server/src/outcomes/outcomes.run.ts',
        find: 'now.get(page_id) === page_sha256',
        replace: '(now.get(page_id) === page_sha256 || true)',
      },
    ],
  },
  utf16_passages: {
    what: 'offsets of what the built-in engine chose count UTF-16 units',
    plants: [
      {
        file: CITER,
        find: 'known.points ??= [...source.text]\n    const last',
        replace: "known.points ??= source.text.split('')\n    const last",
      },
    ],
  },
}
