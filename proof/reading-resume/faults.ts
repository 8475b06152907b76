// Faults that the proof must catch.

import type { Proof } from '../lib/proof.ts'

const WRITER = 'server/src/resources/documents/documents.page-writer.ts'

export const faults: Proof['faults'] = {
  done_forgotten: {
    what: 'who goes on does not look which pages are there',
    plants: [
      {
        file: 'server/src/resources/documents/documents.ingest-file.ts',
        find: 'new Set(await listDone(run.db, id))',
        replace: 'new Set<number>()',
      },
    ],
  },
  one_large_part: {
    what: 'pages are committed only when all of them are read',
    plants: [
      { file: WRITER, find: 'const PAGES_OF_A_PART = 50', replace: 'const PAGES_OF_A_PART = 1e9' },
      { file: WRITER, find: 'const CHARACTERS_OF_A_PART = 1_000_000', replace: 'const CHARACTERS_OF_A_PART = 1e9' },
      { file: WRITER, find: 'const PART_MS = 250', replace: 'const PART_MS = 1e9' },
    ],
  },
  headings_lost: {
    what: 'who goes on does not know the chapter that it is in',
    plants: [
      {
        file: WRITER,
        find: 'this.path = await listHeadingsBefore(this.run.db, this.document.id, page.number)',
        replace: 'void db',
      },
    ],
  },
  counts_off: {
    what: 'who goes on counts from nothing',
    plants: [
      {
        file: WRITER,
        find: 'this.count = { completed: given.document.pages_ready, failed: given.document.pages_failed }',
        replace: 'this.count = { completed: 0, failed: 0 }',
      },
    ],
  },
  zombie_writes: {
    what: 'a worker that wakes after its job went to another one commits what it has in hand',
    plants: [
      {
        file: 'server/src/jobs/rows.ts',
        find: 'and id = $3 and lease = $4 and status',
        replace: 'and id = $3 and (lease = $4 or true) and status',
      },
      { file: 'server/src/jobs/worker.ts', find: "one.stop('lost')", replace: '{}' },
    ],
  },
}
