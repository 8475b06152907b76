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
