// Faults that the proof must catch.

import { change } from '../lib/change.ts'
import type { Proof } from '../lib/proof.ts'

export const faults: Proof['faults'] = {
  done_forgotten: {
    what: 'who goes on does not look which pages are there',
    plants: [change('readPages', 'new Set(await listDone(run.db, id))', 'new Set<number>()')],
  },
  one_large_part: {
    what: 'pages are committed only when all of them are read',
    plants: [
      change('documents.page-writer.ts', 'const PAGES_OF_A_PART = 50', 'const PAGES_OF_A_PART = 1e9'),
      change('CHARACTERS_OF_A_PART', 'const CHARACTERS_OF_A_PART = 1_000_000', 'const CHARACTERS_OF_A_PART = 1e9'),
      change('PART_MS', 'const PART_MS = 250', 'const PART_MS = 1e9'),
    ],
  },
  headings_lost: {
    what: 'who goes on does not know the chapter that it is in',
    plants: [
      change('add', 'this.path = await listHeadingsBefore(this.run.db, this.document.id, page.number)', 'void db'),
    ],
  },
  counts_off: {
    what: 'who goes on counts from nothing',
    plants: [
      change(
        'constructor',
        'this.count = { completed: given.document.pages_ready, failed: given.document.pages_failed }',
        'this.count = { completed: 0, failed: 0 }',
      ),
    ],
  },
  zombie_writes: {
    what: 'a worker that wakes after its job went to another one commits what it has in hand',
    plants: [
      change('run-rows.ts', 'and id = $3 and lease = $4 and status', 'and id = $3 and (lease = $4 or true) and status'),
      change('tick', "run.stop('lost')", '{}'),
    ],
  },
}
