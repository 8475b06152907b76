// The figures of a run, and whether they are what was promised.

import { type ProofOutcome, type ProofRun, quantile, round } from '../lib/proof.ts'
import { faults } from './faults.ts'
import type { CrashFindings } from './findings.ts'
import { type Course, type CrashScene, isEnough } from './load.ts'
import { outcomeMix } from './outcomes.ts'
import { outages, silences } from './recovery.ts'
import type { CrashRows } from './rows.ts'

const spread = (values: readonly number[]): string =>
  values.length === 0
    ? 'not seen'
    : `p50 ${round(quantile(values, 0.5) / 1000, 2)} s, max ${round(Math.max(...values) / 1000, 2)} s`

interface CrashResult {
  course: Course
  rows: CrashRows
  findings: CrashFindings
  /** The sweeper's output. */
  swept: string
}

export function judge(
  run: ProofRun,
  { ledger, repairs }: CrashScene,
  { course, rows, findings, swept }: CrashResult,
): ProofOutcome {
  run.say(`sweeper: ${swept}`)
  findings.show(run.say)
  for (const [reason, times] of ledger.refusals) run.say(`${times} × refused, ${reason}`)
  for (const [why, times] of ledger.setbacks) run.say(`${times} × tried again, ${why}`)
  for (const [kind, times] of repairs.counts) run.say(`${times} × repaired, ${kind}`)
  const { kills, zombies } = course
  const ended = rows.jobs.flatMap(({ finished_at }) => (finished_at === null ? [] : [finished_at]))
  const of = (victim: string) => kills.filter((kill) => kill.victim === victim)
  const files = ledger.entries.filter(({ kind, file }) => file !== null && kind !== 'begin').length
  const outcomes = ledger.entries.filter(({ kind }) => kind in outcomeMix).length
  const figure =
    `${ledger.entries.length} acknowledged writes (${ledger.repeats} sent again, ${files} documents from files, ${outcomes} outcomes), ${rows.jobs.length} jobs, ` +
    `${kills.length} kills (API ${of('api').length}, worker ${of('worker').length}, PostgreSQL ${of('postgres').length}, ` +
    `Valkey ${of('valkey').length}, object store ${of('s3').length}), ${zombies.woken} zombies in ${round(course.load_ms / 60_000, 1)} min: ` +
    `${findings.figure}; ` +
    `next write after a kill ${spread(outages(kills, ledger.times))} (PostgreSQL ${spread(outages(of('postgres'), ledger.times))}), ` +
    `next finished job ${spread(silences(kills, ended))}`
  if (run.fault === null && !isEnough(run, ledger, course))
    throw new Error(`too few writes, kills or zombies: ${figure}`)
  const counted = run.fault === null ? findings.kinds : faults[run.fault]!.shows_as
  return { figure, is_met: counted.every((kind) => findings.count(kind) === 0) }
}
