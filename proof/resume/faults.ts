// Faults that the proof must catch.

import { change } from '../lib/change.ts'
import type { Proof } from '../lib/proof.ts'

const LEASE = change('SETTLE', 'and j.id = e.id and j.lease = e.lease and', 'and j.id = e.id and')

export const faults: Proof['faults'] = {
  step_not_written: {
    what: 'the result of a finished step is not written',
    plants: [
      change('keep', 'runRows.keepStep(this.db.for(this.caller), this.claim, name, value)', 'Promise.resolve(null)'),
    ],
  },
  zombie_write: {
    what: 'a worker that wakes after its job went to another one may still write',
    plants: [
      change('run-rows.ts', 'and id = $3 and lease = $4 and status', 'and id = $3 and (lease = $4 or true) and status'),
      LEASE,
      change('tick', "run.stop('lost')", '{}'),
    ],
  },
  zombie_settles: { what: 'a run writes its result even if another worker holds the job', plants: [LEASE] },
  loss_is_failure: {
    what: 'a lost worker counts as a failed attempt',
    plants: [
      change(
        'CLAIM',
        "set status = 'running', lease = gen_random_uuid(), attempt = attempt + 1,",
        "set status = 'running', lease = gen_random_uuid(), attempt = attempt + 1, failures = failures + (b.status = 'running')::int,",
      ),
    ],
  },
  silence_unnoticed: {
    what: "a lost worker's jobs are given to others after a minute",
    plants: [change('HEARTBEAT_SECONDS', 'const HEARTBEAT_SECONDS = 10', 'const HEARTBEAT_SECONDS = 60')],
  },
  write_not_retried: {
    what: 'what a step has done is thrown away when the database is gone at its end',
    plants: [
      change(
        'retrying',
        'if (!isPassing(error)) throw error\n        this.stopping',
        'throw error\n        this.stopping',
      ),
    ],
  },
}
