// Lists under change, and a reader that follows events.

import { change } from './lib/change.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { openWorld } from './lib/world.ts'
import { followEvents } from './pagination/follow.ts'
import { lists } from './pagination/lists.ts'
import { newTally, type PaginationTally, passThrough } from './pagination/passes.ts'
import { WRITERS } from './pagination/writers.ts'

const ROWS = { short: 300, normal: 1_000, long: 1_000 }
const RUNS = { short: 6, normal: 50, long: 200 }
const FOLLOW_SECONDS = { short: 5, normal: 30, long: 120 }
/** A short run is a test, beside others on a busy machine. */
const MAX_LAG_MS = { short: 20_000, normal: 1_000, long: 1_000 }
/** The last one does not divide the number of rows. */
const LIMITS = [100, 50, 25, 70]

export const proof: Proof = {
  promise: 'Reading a list page by page shows every unchanged row exactly once, and a follower of events misses none.',
  goal: `50 runs x ${ROWS.normal} rows and 30 s of ${WRITERS} writers: 0 missed, repeated or out of order; events seen within ${MAX_LAG_MS.normal} ms of their commit`,
  faults: {
    sort_by_updated_at: {
      what: 'lists are sorted by updated_at',
      plants: [
        change(
          'listRows',
          'const values: Value[] = []\n',
          "const values: Value[] = []\n  source = source.key === 'id' ? { ...source, key: 'updated_at' } : source\n",
        ),
        change('sortKey', 'const id = uuid(value)', 'const id = String(row.updated_at)'),
      ],
    },
    positions_by_id: {
      what: 'the position of an event is that of its id',
      plants: [
        change(
          'sequenceText',
          'set position = m.position - c.count + b.place',
          "set position = ('x' || replace(left(b.id::text, 13), '-', ''))::bit(48)::bigint * 4096 + ('x' || substr(b.id::text, 16, 3))::bit(12)::bigint",
        ),
      ],
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld(run.plants, { RATE_LIMITS: 'off', DATABASE_POOL: '20' })
  const first = await world.startApi()
  const second = await world.startApi()
  await world.startWorker()
  const tally = newTally()
  const rows = ROWS[run.length]
  for (let i = 0; i < RUNS[run.length]; i++) {
    const [name, open] = lists[i % lists.length]!
    const limit = LIMITS[(i + Math.floor(i / lists.length)) % LIMITS.length]!
    await passThrough(await open(world, rows), { limit, is_descending: false, is_exact: false }, tally)
    await passThrough(await open(world, rows), { limit, is_descending: true, is_exact: false }, tally)
    await passThrough(await open(world, rows), { limit, is_descending: i % 2 === 0, is_exact: true }, tally)
    run.say(`run ${i + 1}: ${name}, ${limit} rows a page; so far ${tallyText(tally)}`)
  }
  const following = await followEvents(world, [first.url, second.url], FOLLOW_SECONDS[run.length])
  const { events, missed, repeated, disordered, p99_ms, max_ms } = following
  const figure =
    `${RUNS[run.length]} runs x ${rows} rows in both orders: ${tallyText(tally)}; ${events} events of ${WRITERS} writers: ` +
    `${missed} missed, ${repeated} repeated, ${disordered} out of order, seen after p99 ${p99_ms} ms, at most ${max_ms} ms`
  return { figure, is_met: isClean(tally) && missed + repeated + disordered === 0 && max_ms <= MAX_LAG_MS[run.length] }
}

const isClean = ({ missed, repeated, disordered, misshapen }: PaginationTally): boolean =>
  missed + repeated + disordered + misshapen === 0

const tallyText = ({ pages, changes, missed, repeated, disordered, misshapen }: PaginationTally): string =>
  `${missed} missed, ${repeated} repeated, ${disordered} out of order, ${misshapen} misshapen (${pages} pages, ${changes} changes)`
