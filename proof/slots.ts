// A tenant never runs more jobs than its slots, whatever happens to them, and afterwards every slot is free again.

import { setTimeout as sleep } from 'node:timers/promises'
import { Repairs } from './crash/repairs.ts'
import { change } from './lib/change.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { announceSeed, newRandom } from './lib/random.ts'
import { prepareScripts } from './lib/scripts.ts'
import { openWorld } from './lib/world.ts'
import { type SlotsLoad, startLoad } from './slots/load.ts'
import { countRuns, readEnd, watchSlots } from './slots/watch.ts'

const SLOTS = 4
const WORKERS = 3
/** Enough for all the slots of two tenants; with three, some admitted jobs wait for a worker. */
const WORKER_SLOTS = 3
/** Jobs of the tenant, and of each of the two other tenants. */
const JOBS = { short: [150, 75, 75], normal: [2_000, 500, 500], long: [10_000, 2_500, 2_500] }
const KILLS = { short: 2, normal: 12, long: 60 }
const WILD_SHARE = { short: 0.4, normal: 0.9, long: 0.95 }
const PATIENCE_MS = { short: 60_000, normal: 120_000, long: 180_000 }

export const proof: Proof = {
  promise: "A tenant never runs more jobs at once than its tier's slots, and no slot is ever lost.",
  goal: `${SLOTS} slots, ${WORKERS} workers, ${JOBS.normal[0]} jobs and those of two other tenants with cancels, failures, timeouts and kill -9: never more than ${SLOTS} at once in the handlers; at the end 0 slots used, 0 waiting, 0 jobs unfinished, an empty engine, 0 repairs`,
  faults: {
    cancel_keeps_slot: {
      what: 'a cancelled job that waits for a worker keeps its slot',
      plants: [
        change(
          'free',
          'slotRows.countSlots(tx, { used: -deliveries.length, waiting: deliveries.length - jobs.length })',
          'slotRows.countSlots(tx, { used: 0, waiting: deliveries.length - jobs.length })',
        ),
      ],
    },
    one_too_many: {
      what: 'admission goes one beyond the slots',
      plants: [change('ADMIT', 'greatest(0, most - used)', 'greatest(0, most + 1 - used)')],
    },
    counts_what_runs: {
      what: 'admission counts the running jobs instead of the slots that are held',
      plants: [
        change(
          'ADMIT',
          'select s.used, s.waiting, coalesce',
          "select (select count(*) from jobs where tenant_id = $1 and status = 'running') as used, s.waiting, coalesce",
        ),
      ],
    },
    frees_twice: {
      what: 'the end of a run frees its slot twice',
      plants: [change('settle', 'used: -settled.length,', 'used: -2 * settled.length,')],
    },
    cancel_frees_at_once: {
      what: 'a cancel frees the slot of a running job before its handler has ended',
      plants: [
        change(
          'cancel',
          'tx.afterCommit(() => this.hints.cancel(uuid(job.id)))',
          'tx.afterCommit(() => this.hints.cancel(uuid(job.id)))\n      slotRows.countSlots(tx, { used: -1, waiting: 0 })',
        ),
      ],
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const seed = announceSeed(run)
  const repairs = new Repairs()
  await using world = await openWorld(run.plants, {
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    WORKER_SLOTS: String(WORKER_SLOTS),
    TIER_FREE: `running_jobs:${SLOTS},queued_jobs:100000`,
  })
  await prepareScripts(world)
  await world.startApi()
  const tenants: SlotsLoad['tenants'] = await Promise.all(
    JOBS[run.length].map(async (jobs) => ({ jobs, ...(await world.newTenant('free')) })),
  )
  const watch = await watchSlots(world, SLOTS)
  const isHopeless = (): boolean => run.fault !== null && (repairs.counts.size > 0 || watch.isMiscounted)
  const amounts = { kills: KILLS[run.length], wild_share: WILD_SHARE[run.length] }
  const scene: SlotsLoad = { world, tenants, random: newRandom(seed), ...amounts, isHopeless }
  const load = await startLoad(scene, WORKERS, (line) => repairs.hear(line))
  await load.done
  run.say(
    `seed ${seed}: ${load.jobs.size} jobs made, ${load.cancels} cancels asked for, ${load.exits.size} workers killed`,
  )
  const waited_ms = await watch.waitForEnd(PATIENCE_MS[run.length], isHopeless)
  const { samples, faults } = await watch.stop()
  // One more round of the reconciler, for what it alone would find.
  if (!isHopeless()) await sleep(5_500)

  const runs = await countRuns(world, load)
  const end = await readEnd(world)
  for (const [kind, count] of repairs.counts) run.say(`repaired: ${kind} ${count} times`)
  for (const [what, count] of faults) run.say(`seen: ${what}, ${count} times`)
  const repaired = [...repairs.counts.values()].reduce((sum, count) => sum + count, 0)
  const wrong = [...faults.values()].reduce((sum, count) => sum + count, 0)
  const figure =
    `${load.jobs.size} jobs of 3 tenants (${end.succeeded} succeeded, ${end.failed} failed, ${end.cancelled} cancelled, ${end.timed_out} of the failed by timeout), ` +
    `${runs.runs} runs, ${load.exits.size} kills with ${runs.killed} runs in them: at most ${runs.peak} of ${SLOTS} at once; ` +
    `${samples} looks at the counters, ${wrong} wrong; at the end ${end.used} slots used, ${end.waiting} waiting, ${end.unfinished} jobs unfinished, ` +
    `${end.tickets} tickets in the engine, ${repaired} repairs; ${runs.zombies} runs outlived their lease; settled ${Math.round(waited_ms / 1000)} s after the last job (seed ${seed})`
  const isClean = end.used + end.waiting + end.unfinished + end.tickets + repaired + wrong === 0
  return { figure, is_met: isClean && runs.peak <= SLOTS && end.total === load.jobs.size }
}
