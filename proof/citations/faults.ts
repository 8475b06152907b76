// Faults that the proof must catch.

import { change } from '../lib/change.ts'
import type { Proof } from '../lib/proof.ts'

export const faults: Proof['faults'] = {
  utf16_offsets: {
    what: 'offsets of quotes count UTF-16 units',
    plants: [change('found', 'start: this.points[start] ?? 0, end: this.points[end] ?? 0', 'start, end')],
  },
  unverified: {
    what: 'a quote that is not found is stored as the beginning of the page',
    plants: [
      change(
        'quote',
        '    this.dropped++\n    return null',
        "    return this.cite(sources[0]!, { start: 0, end: [...quote].length, quote, match: 'exact', score: 1 })",
      ),
    ],
  },
  quote_of_the_model: {
    what: "the model's spelling of a quote is stored instead of the page's",
    plants: [
      change(
        'quote',
        'if (found) return this.cite(source, found)',
        'if (found) return this.cite(source, { ...found, quote: wanted })',
      ),
    ],
  },
  numbers_nearly: {
    what: 'a number may be nearly right',
    plants: [change('findNearly', '!== numbers) continue', '=== `${numbers}!`) continue')],
  },
  uncounted: {
    what: 'quotes are dropped silently',
    plants: [change('writeResult', 'if (dropped > 0)', 'if (dropped > 1_000_000)')],
  },
  corrected_meanwhile: {
    what: 'a page that was corrected while a model wrote is cited all the same',
    plants: [change('dropChanged', 'now.get(page_id) === page_sha256', '(now.get(page_id) === page_sha256 || true)')],
  },
  utf16_passages: {
    what: 'offsets of what the built-in engine chose count UTF-16 units',
    plants: [
      change(
        'span',
        'known.points ??= [...source.text]\n    const last',
        "known.points ??= source.text.split('')\n    const last",
      ),
    ],
  },
}
