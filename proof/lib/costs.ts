// CPU time of two sides for the same work. Their slices alternate, so that both meet the same machine. On a shared
// machine CPU time varies much less than rates: waiting for a processor does not count.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { asAdmin } from './admin.ts'
import { backendsOf, type Connections } from './backends.ts'
import { cpuBetween, descendantsOf, readCpu } from './processes.ts'
import { median, type ProofRun, round } from './proof.ts'

const REPETITIONS = { short: 3, normal: 5, long: 5 }
const PAIRS = { short: 16, normal: 40, long: 60 }

export type SideName = 'ours' | 'bare'

export interface CostSide {
  /** Processes that count, with everything below them. */
  pids: readonly number[]
  /** Not these, nor anything below them. */
  except?: readonly number[]
  /** Null: the side uses no database. */
  connections: Connections | null
  /** It polls only when it has nothing to do, so this must not be subtracted from the cost of work. */
  polls_when_idle?: boolean
  /** Does the work of one slice; returns the number of operations. */
  slice: (number: number) => Promise<number>
}

/** Milliseconds of processor for one operation, and operations each second. */
type SliceCost = Record<'total' | 'processes' | 'postgres' | 'per_second', number>

export interface CostComparison {
  /** The bare side's cost as a share of ours: 1 means that Octavo adds nothing. Median of the repetitions. */
  share: number
  /** Distance between the lowest and the highest repetition, in percent of the median. */
  spread: number
  /** Median of one figure of one side. */
  of: (side: SideName, figure: keyof SliceCost, digits?: number) => number
  /** `0.52 ± 2% (1.9 ms, bare 1 ms)` */
  figure: string
}

interface CostPlan {
  name: string
  /** Pairs of slices in a repetition, where a slice takes much longer than a second. */
  pairs?: number
}

export const compareCosts = (
  run: Pick<ProofRun, 'length' | 'say'>,
  plan: CostPlan,
  sides: Record<SideName, CostSide>,
): Promise<CostComparison> => asAdmin('postgres', (admin) => compareWith(admin, run, plan, sides))

async function compareWith(
  admin: pg.Client,
  run: Pick<ProofRun, 'length' | 'say'>,
  { name, pairs = PAIRS[run.length] }: CostPlan,
  sides: Record<SideName, CostSide>,
): Promise<CostComparison> {
  const idle = { ours: await measureIdle(admin, sides.ours), bare: await measureIdle(admin, sides.bare) }
  run.say(`${name} idle: ours ${describeIdle(idle.ours)}, bare ${describeIdle(idle.bare)}`)
  let number = 0
  const measurePair = async (): Promise<Record<SideName, SliceCost>> => {
    const measure = (side: SideName) => measureSlice(admin, sides[side], { number, idle: idle[side] })
    // The order changes from pair to pair, so that a machine that becomes slower favors no side.
    const first = number % 2 === 0 ? 'bare' : 'ours'
    const [one, other] = [await measure(first), await measure(first === 'bare' ? 'ours' : 'bare')]
    number++
    return first === 'bare' ? { bare: one, ours: other } : { ours: one, bare: other }
  }
  // A warm-up.
  await measurePair()
  const measured: Record<SideName, SliceCost>[] = []
  const shares: number[] = []
  for (let repetition = 1; repetition <= REPETITIONS[run.length]; repetition++) {
    const slices: Record<SideName, SliceCost>[] = []
    for (let i = 0; i < pairs; i++) slices.push(await measurePair())
    shares.push(median(slices.map(({ ours, bare }) => bare.total / ours.total)))
    measured.push(...slices)
    run.say(
      `${name} ${repetition}: ${describe('ours', slices)}, ${describe('bare', slices)} = ${round(shares.at(-1) ?? 0, 3)}`,
    )
  }
  const of: CostComparison['of'] = (side, figure, digits = 2) =>
    round(median(measured.map((slice) => slice[side][figure])), digits)
  const share = median(shares)
  const spread = round(((Math.max(...shares) - Math.min(...shares)) / share) * 100, 1)
  const figure = `${round(share)} (${of('ours', 'total')} ms, bare ${of('bare', 'total')} ms; repetitions ${spread}% apart)`
  return { share: round(share, 3), spread, of, figure }
}

function describe(side: SideName, slices: readonly Record<SideName, SliceCost>[]): string {
  const of = (figure: keyof SliceCost): number => round(median(slices.map((slice) => slice[side][figure])), 3)
  return `${side} ${of('total')} ms (processes ${of('processes')}, PostgreSQL ${of('postgres')})`
}

/** Milliseconds of processor, in total or for each second. */
type CpuUse = Record<'processes' | 'postgres', number>
const IDLE_MS = 2_000
const NO_USE: CpuUse = { processes: 0, postgres: 0 }
const describeIdle = ({ processes, postgres }: CpuUse): string => `${round(processes + postgres, 1)} ms/s`

/** A server without work polls and has timers. This is not a cost of its requests, however few there are. */
async function measureIdle(admin: pg.Client, side: CostSide): Promise<CpuUse> {
  if (side.polls_when_idle) return NO_USE
  const { seconds, processes, postgres } = await measureUse(admin, side, () => sleep(IDLE_MS))
  return { processes: processes / seconds, postgres: postgres / seconds }
}

async function measureSlice(
  admin: pg.Client,
  side: CostSide,
  { number, idle }: { number: number; idle: CpuUse },
): Promise<SliceCost> {
  const { seconds, result: count, ...used } = await measureUse(admin, side, () => side.slice(number))
  const processes = (used.processes - idle.processes * seconds) / count
  const postgres = (used.postgres - idle.postgres * seconds) / count
  return { processes, postgres, total: processes + postgres, per_second: count / seconds }
}

async function measureUse<T>(
  admin: pg.Client,
  { pids, except = [], connections }: CostSide,
  work: () => Promise<T>,
): Promise<CpuUse & { seconds: number; result: T }> {
  const readProcesses = () => readCpu(pids.flatMap((pid) => [pid, ...descendantsOf(pid, except)]))
  const readBackends = async () => readCpu(connections ? await backendsOf(admin, connections) : [])
  const backends = await readBackends()
  const before = readProcesses()
  const began = performance.now()
  const result = await work()
  const seconds = (performance.now() - began) / 1000
  const processes = cpuBetween(before, readProcesses())
  const postgres = cpuBetween(backends, await readBackends())
  return { processes, postgres, seconds, result }
}
