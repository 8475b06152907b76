// A tenant does not wait for another tenant's bulk upload: not behind many jobs, not behind long ones, and not for the
// pick itself.

import { GOAL_RATIO, readBuffers } from './fairness/buffers.ts'
import { GOAL_BEHIND_LONG_MS, startBehindLongJobs } from './fairness/long-jobs.ts'
import { GOAL_BEHIND_MANY_MS, startBehindManyJobs } from './fairness/many-jobs.ts'
import { change } from './lib/change.ts'
import { type Proof, type ProofOutcome, type ProofRun, partOf, proveParts } from './lib/proof.ts'

export const proof: Proof = {
  promise: "A tenant's job starts soon, however many jobs another tenant has and however long they are.",
  goal:
    `200 tenants, one with 50,000 queued jobs on every slot: another tenant's job starts in < ${GOAL_BEHIND_MANY_MS / 1000} s, p99 of 200; ` +
    `every slot held by one tenant's ten-minute jobs: another tenant's job starts in < ${GOAL_BEHIND_LONG_MS / 1000} s, worst; ` +
    `buffers to pick the next job of 1,000,000 at most ${GOAL_RATIO} × those of 1,000`,
  faults: {
    first_come_first_served: {
      what: 'admission ignores the slots: everything goes into the engine as it comes',
      plants: [change('ADMIT', '(select greatest(0, most - used) from slot)', '1000')],
    },
    no_giving_way: {
      what: 'long jobs never give way',
      plants: [change('step', 'if (this.mustGiveWay && this.hasFinishedStep) throw new GiveWay()', '')],
    },
  },
  run: prove,
}

function prove(run: ProofRun): Promise<ProofOutcome> {
  const parts = [startBehindManyJobs, startBehindLongJobs, readBuffers]
  return proveParts(
    run,
    parts.map((measure) => async () => partOf(await measure(run))),
  )
}
