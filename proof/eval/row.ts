// A row of the evaluation: one task, measured on data that nothing was tuned on. A file in rows/ exports one as `row`.

import type { Embed } from '../../server/src/ai/built-in/vectors.ts'

export interface RowFigure {
  /** Name of the measurement, with its unit: 'STS-B English, rank correlation'. */
  what: string
  /** A model, or 'rules'. */
  model: string
  value: number
  /** Bootstrap standard error over the items; null where none was drawn. */
  standard_error: number | null
  /** 95% Wilson interval of a share. */
  interval?: readonly [number, number]
  items: number
  /** null: reported, nothing is promised. */
  goal: number | null
  /** Result of a simple method, measured in the same run if possible. */
  baseline: string
}

export interface RowContext {
  embed: (model: ModelId) => Embed
  say: (line: string) => void
}

export type ModelId = 'all-minilm-l6-v2' | 'bge-small-en-v1.5'

export interface EvalRow {
  /** Notes for readers of the page: data, protocol. */
  about: string
  /** Where it is weak; null: nothing special. */
  weak: string | null
  measure(context: RowContext): Promise<RowFigure[]>
}

/** A goal is reached when the figure is not more than one standard error below it. */
export const isReached = ({ value, standard_error, goal }: RowFigure): boolean =>
  goal === null || value >= goal - (standard_error ?? 0)

export function uncertaintyOf({ standard_error, interval }: RowFigure): string {
  if (interval) return ` (${interval.map((end) => end.toFixed(3)).join(' to ')})`
  return standard_error === null ? '' : ` ± ${standard_error.toFixed(3)}`
}
