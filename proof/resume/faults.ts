// Faults that the proof must catch.

import type { Proof } from '../lib/proof.ts'

const LEASE = {
  file: 'server/src/jobs/rows.ts',
  find: 'and j.id = e.id and j.lease = e.lease and',
  replace: 'and j.id = e.id and',
}

export const faults: Proof['faults'] = {
  step_not_written: {
    what: 'the result of a finished step is not written',
    plants: [
      {
        file: 'server/src/jobs/run.ts',
        find: 'rows.keepStep(this.db.for(this.caller), this.claim, name, value)',
        replace: 'Promise.resolve(null)',
      },
    ],
  },
  zombie_write: {
    what: 'a worker that wakes after its job went to another one may still write',
    plants: [
      {
        file: 'server/src/jobs/rows.ts',
        find: 'and id = $3 and lease = $4 and status',
        replace: 'and id = $3 and (lease = $4 or true) and status',
      },
      LEASE,
      { file: 'server/src/jobs/worker.ts', find: "one.stop('lost')", replace: '{}' },
    ],
  },
  zombie_settles: {
    what: 'the end of a run is written whoever holds the job now',
    plants: [LEASE],
  },
  loss_is_failure: {
    what: 'a lost worker counts as a failed attempt',
    plants: [
      {
        file: 'server/src/jobs/rows.ts',
        find: "set status = 'running', lease = gen_random_uuid(), attempt = attempt + 1,",
        replace:
          "set status = 'running', lease = gen_random_uuid(), attempt = attempt + 1, failures = failures + (b.status = 'running')::int,",
      },
    ],
  },
  silence_unnoticed: {
    what: "a lost worker's jobs are given to others after a minute",
    plants: [
      {
        file: 'server/src/jobs/pg-boss.ts',
        find: 'const HEARTBEAT_SECONDS = 10',
        replace: 'const HEARTBEAT_SECONDS = 60',
      },
    ],
  },
  write_not_retried: {
    what: 'what a step has done is thrown away when the database is gone at its end',
    plants: [
      {
        file: 'server/src/jobs/run.ts',
        find: 'if (!isPassing(error)) throw error\n        this.stopping',
        replace: 'throw error\n        this.stopping',
      },
    ],
  },
}
