// Faults that the proof must catch.

import type { Proof } from '../lib/proof.ts'

const FREE = 'await this.free(tx, waiting)'

export const faults: Proof['faults'] = {
  cancel_unheard: {
    what: 'neither the hint nor the look once a second tells the run of its cancel',
    plants: [
      { file: 'server/src/jobs/worker.ts', find: "if (word === 'cancel') findRun(id)?.stop('cancelled')", replace: '' },
      { file: 'server/src/jobs/worker.ts', find: "else if (row.is_cancelled) one.stop('cancelled')", replace: '' },
    ],
  },
  settled_twice: {
    what: 'a cancel ends running jobs itself, and the ends of their runs are written over it',
    plants: [
      {
        file: 'server/src/jobs/jobs.ts',
        find: "jobs.filter(({ status }) => status === 'queued')\n",
        replace: 'jobs\n',
      },
      {
        file: 'server/src/jobs/rows.ts',
        find: "and j.id = e.id and j.lease = e.lease and j.status = 'running'",
        replace: 'and j.id = e.id',
      },
    ],
  },
  queued_cancelled_later: {
    what: 'the end of a queued job is left to the worker that takes it',
    plants: [
      {
        file: 'server/src/jobs/jobs.ts',
        find: "jobs.filter(({ status }) => status === 'queued')\n",
        replace: 'jobs.slice(0, 0)\n',
      },
      { file: 'server/src/jobs/jobs.ts', find: "jobs.filter(({ status }) => status === 'running')", replace: 'jobs' },
    ],
  },
  ticket_kept: {
    what: 'a queued job that is cancelled leaves its ticket with the engine',
    plants: [
      {
        file: 'server/src/jobs/jobs.ts',
        find: 'if (deliveries.length > 0) await this.engine.forget(tx, deliveries)',
        replace: '',
      },
    ],
  },
  slot_kept: {
    what: 'a queued job that is cancelled keeps its slot',
    plants: [
      {
        file: 'server/src/jobs/jobs.ts',
        find: 'used: -deliveries.length, waiting: deliveries.length - jobs.length',
        replace: 'used: 0, waiting: deliveries.length - jobs.length',
      },
    ],
  },
  end_without_lock: {
    what: 'a cancel acts on the job as it was before others changed it',
    plants: [
      {
        file: 'server/src/jobs/rows.ts',
        find: 'and id = any($3) order by id for no key update`',
        replace: 'and id = any($3) order by id`',
      },
      {
        file: 'server/src/jobs/jobs.ts',
        find: FREE,
        replace: `await new Promise((go) => setTimeout(go, 15))\n      ${FREE}`,
      },
    ],
  },
  pages_lost: {
    what: 'a cancelled ingestion takes its document for failed, whatever was read',
    plants: [
      {
        file: 'server/src/resources/documents/documents.rules.ts',
        find: "document.pages_ready > 0 ? 'partially_ready' : 'failed'",
        replace: "'failed'",
      },
    ],
  },
}
