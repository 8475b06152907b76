// Faults that the proof must catch.

import type { Proof } from '../lib/proof.ts'

const WRITER = 'server/src/resources/documents/documents.page-writer.ts'

export const faults: Proof['faults'] = {
  page_by_page: {
    what: 'each page is a transaction of its own, and the next one is not parsed meanwhile',
    plants: [
      { file: WRITER, find: 'const AHEAD = 2', replace: 'const AHEAD = 1' },
      { file: WRITER, find: 'const PAGES_OF_A_PART = 50', replace: 'const PAGES_OF_A_PART = 1' },
      {
        file: WRITER,
        find: 'this.writing = this.write(part, stage)',
        replace: 'this.writing = this.write(part, stage)\n    await this.writing',
      },
    ],
  },
  drawn_too_large: {
    what: 'pages are drawn for OCR with more points than it needs',
    plants: [{ file: 'server/src/readers/built-in.ts', find: 'const DPI = 200', replace: 'const DPI = 450' }],
  },
}
