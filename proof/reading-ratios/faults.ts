// Faults that the proof must catch.

import { change } from '../lib/change.ts'
import type { Proof } from '../lib/proof.ts'

export const faults: Proof['faults'] = {
  page_by_page: {
    what: 'each page is a transaction of its own, and the next one is not parsed meanwhile',
    plants: [
      change('AHEAD', 'const AHEAD = 2', 'const AHEAD = 1'),
      change('documents.page-writer.ts', 'const PAGES_OF_A_PART = 50', 'const PAGES_OF_A_PART = 1'),
      change(
        'flush',
        'this.writing = this.write(part, stage)',
        'this.writing = this.write(part, stage)\n    await this.writing',
      ),
    ],
  },
  drawn_too_large: {
    what: 'pages are drawn for OCR with more points than it needs',
    plants: [change('built-in.ts', 'const DPI = 200', 'const DPI = 450')],
  },
}
