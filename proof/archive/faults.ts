import { change } from '../lib/change.ts'
import type { Proof } from '../lib/proof.ts'

export const faults: Proof['faults'] = {
  forgotten_table: {
    what: 'a table is not part of archives',
    plants: [change('isArchived', '!(name in LEFT_OUT)', `!(name in LEFT_OUT) && name !== 'outcome_sources'`)],
  },
  skipped_object: {
    what: 'the export skips some objects',
    plants: [change('exportObjects', 'if (!object) continue', 'if (!object || work.counter.count % 2 === 0) continue')],
  },
  json_values: {
    what: 'values are exported as JSON, so that a JSON null becomes a missing value',
    plants: [change('readRows', '::text as', ' as')],
  },
  kept_rows: {
    what: 'the deletion forgets a table',
    plants: [change('removeRows', '.toReversed()', `.toReversed().filter(({ name }) => name !== 'events')`)],
  },
  kept_objects: {
    what: 'the deletion forgets the objects',
    plants: [change('removeObjects', 'if (page.length === 0) break', 'if (page.length >= 0) break')],
  },
}
