import { clean, fit, widthOf } from './width.ts'

export interface CliColumn {
  title: string
  /** Aligns the column to the right, for numbers. */
  is_right?: boolean
  /** Gives way where the terminal is too narrow, down to this width. */
  shrinks_to?: number
  /** So many columns of the end of a cell that is cut stay. */
  tail?: number
}

const GAP = '  '

function widthsOf(columns: readonly CliColumn[], rows: readonly (readonly string[])[], available: number): number[] {
  const widths = columns.map(({ title }, i) => Math.max(widthOf(title), ...rows.map((row) => widthOf(row[i] ?? ''))))
  let excess = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (columns.length - 1) - available
  // The widest gives way first, so that two long columns end up alike.
  while (excess > 0) {
    const candidates = columns.flatMap(({ shrinks_to }, i) =>
      shrinks_to !== undefined && (widths[i] ?? 0) > shrinks_to ? [i] : [],
    )
    const widest = candidates.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0]
    if (widest === undefined) break
    widths[widest] = (widths[widest] ?? 0) - 1
    excess -= 1
  }
  return widths
}

/** Whether its lines can be made to fit. */
export function mayFit(
  columns: readonly CliColumn[],
  rows: readonly (readonly string[])[],
  available: number,
): boolean {
  const shown = rows.map((row) => row.map(clean))
  const widths = widthsOf(columns, shown, 0)
  return widths.reduce((sum, width) => sum + width, 0) + GAP.length * (columns.length - 1) <= available
}

/** Lines that fit the terminal, the first with the titles. */
export function tableLines(
  columns: readonly CliColumn[],
  rows: readonly (readonly string[])[],
  available: number,
): string[] {
  const shown = rows.map((row) => row.map(clean))
  const widths = widthsOf(columns, shown, available)
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) =>
        fit(cell, widths[i] ?? 0, { tail: columns[i]?.tail ?? 0, is_right: columns[i]?.is_right ?? false }),
      )
      .join(GAP)
      .trimEnd()
  return [line(columns.map(({ title }) => title)), ...shown.map(line)]
}

/** One line for a program: cells as they are, with tabs between them. */
export const tabLine = (cells: readonly string[]): string => cells.map(clean).join('\t')
