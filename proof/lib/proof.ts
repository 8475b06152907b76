// A proof: a promise, a goal, a program that measures, and faults that it must catch.

/** A change of the server's source, made while it is loaded; it exists nowhere else. */
export interface Plant {
  /** The declaration that it changes, or a file. */
  at: string
  /** Path from the root of the repository. */
  readonly file: string
  find: string
  replace: string
}

interface Fault {
  what: string
  plants: readonly Plant[]
}

export interface ProofRun {
  /** `short` in CI, `long` for a release. */
  length: 'short' | 'normal' | 'long'
  /** The part to measure, for proofs that have parts; null: all. */
  only: string | null
  /** Given to every process of the server that the proof starts. */
  plants: readonly Plant[]
  /** The fault that is planted in this run, if any. */
  fault: string | null
  /** Whether what was measured is to be kept in docs/. */
  is_recorded: boolean
  say: (line: string) => void
}

export interface ProofOutcome {
  /** One line with the measured numbers. */
  figure: string
  is_met: boolean
}

/** One measured part of a proof. */
export interface Part {
  figure: string
  /** Each in words; none when the promise holds. */
  findings: readonly string[]
}

const SHOWN = 10

/** Measures the parts in order and joins their figures. A planted fault is caught by its first finding. */
export async function proveParts(run: ProofRun, parts: readonly (() => Promise<Part>)[]): Promise<ProofOutcome> {
  const measured: Part[] = []
  for (const measure of parts) {
    const part = await measure()
    measured.push(part)
    run.say(part.figure)
    for (const finding of part.findings.slice(0, SHOWN)) run.say(`  ${finding}`)
    if (run.fault !== null && part.findings.length > 0) return { figure: part.findings[0] ?? '', is_met: false }
  }
  const is_met = measured.every(({ findings }) => findings.length === 0)
  const figure = run.fault === null ? measured.map((part) => part.figure).join('; ') : 'nothing was found'
  return { figure, is_met }
}

/** A part that keeps to a limit or does not. */
export const partOf = ({ figure, is_met }: ProofOutcome): Part => ({ figure, findings: is_met ? [] : [figure] })

export interface Proof {
  promise: string
  goal: string
  faults: Readonly<Record<string, Fault>>
  run(run: ProofRun): Promise<ProofOutcome>
}

export const quantile = (values: readonly number[], q: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
}
export const median = (values: readonly number[]): number => quantile(values, 0.5)
export const round = (value: number, digits = 2): number => Number(value.toFixed(digits))

/** Describes a value that is not the expected one. */
export function differs(what: string, found: unknown, expected: unknown): string[] {
  const [is, should] = [JSON.stringify(found), JSON.stringify(expected)]
  return is === should ? [] : [`${what} is ${is.slice(0, 300)}, not ${should.slice(0, 300)}`]
}
