// Faults that the proof must catch.

import { change } from '../lib/change.ts'
import type { Proof } from '../lib/proof.ts'

const FREE = 'await this.free(tx, waiting)'

export const faults: Proof['faults'] = {
  cancel_unheard: {
    what: 'neither the hint nor the look once a second tells the run of its cancel',
    plants: [
      change('receive', "if (word === 'cancel') this.findRun(id)?.stop('cancelled')", ''),
      change('tick', "else if (state.is_cancelled) run.stop('cancelled')", ''),
    ],
  },
  settled_twice: {
    what: 'a cancel ends running jobs itself, and the ends of their runs are written over it',
    plants: [
      change('jobs.ts', "jobs.filter(({ status }) => status === 'queued')\n", 'jobs\n'),
      change('SETTLE', "and j.id = e.id and j.lease = e.lease and j.status = 'running'", 'and j.id = e.id'),
    ],
  },
  queued_cancelled_later: {
    what: 'the end of a queued job is left to the worker that takes it',
    plants: [
      change('jobs.ts', "jobs.filter(({ status }) => status === 'queued')\n", 'jobs.slice(0, 0)\n'),
      change('cancel', "jobs.filter(({ status }) => status === 'running')", 'jobs'),
    ],
  },
  ticket_kept: {
    what: 'a queued job that is cancelled leaves its ticket with the engine',
    plants: [change('free', 'if (deliveries.length > 0) await this.engine.forget(tx, deliveries)', '')],
  },
  slot_kept: {
    what: 'a queued job that is cancelled keeps its slot',
    plants: [
      change(
        'free',
        'used: -deliveries.length, waiting: deliveries.length - jobs.length',
        'used: 0, waiting: deliveries.length - jobs.length',
      ),
    ],
  },
  end_without_lock: {
    what: 'a cancel acts on the job as it was before others changed it',
    plants: [
      change('LOCK_JOBS', 'and id = any($3) order by id for no key update`', 'and id = any($3) order by id`'),
      change('cancel', FREE, `await new Promise((go) => setTimeout(go, 15))\n      ${FREE}`),
    ],
  },
  pages_lost: {
    what: 'a cancelled ingestion takes its document for failed, whatever was read',
    plants: [change('stateAfter', "document.pages_ready > 0 ? 'partially_ready' : 'failed'", "'failed'")],
  },
}
