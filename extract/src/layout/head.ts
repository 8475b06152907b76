// Headings that span several columns and are aligned with none of them, except by chance.

import type { Piece, Stretch } from './gaps.ts'
import { around } from './geometry.ts'
import { areOver, type TableLine } from './table-rows.ts'

/** In ems: what begins or ends so near to where its column does belongs to that column alone. */
const SAME_EDGE = 0.3

/** Widens headings in a table's first line over columns that are empty in it but have a heading in the next line. */
export function widenHead(lines: readonly TableLine[], columns: readonly Stretch[]): void {
  const [head, below] = lines
  if (!head || !below) return
  const isFree = (column: number): boolean =>
    below.pieces.some((piece) => piece.column === column && piece.span === 1) &&
    !head.pieces.some((piece) => areOver(piece, { column, span: 1 }))
  for (const piece of head.pieces) {
    if (piece.span > 1 || isAtEdge(piece, columns[piece.column], head.size)) continue
    if (!below.pieces.some(({ column, span }) => column === piece.column && span === 1)) continue
    Object.assign(piece, centredOver(piece, columns, isFree))
  }
}

function isAtEdge({ words }: Piece, column: Stretch | undefined, em: number): boolean {
  const { x0, x1 } = around(words)
  return column !== undefined && Math.min(Math.abs(x0 - column.x0), Math.abs(x1 - column.x1)) < em * SAME_EDGE
}

/** The columns that the heading is centered over: its own, and free ones next to it. */
function centredOver({ column, words }: Piece, columns: readonly Stretch[], isFree: (column: number) => boolean) {
  let [first, last] = [column, column]
  while (isFree(first - 1)) first--
  while (isFree(last + 1)) last++
  const { x0, x1 } = around(words)
  let best = { column, span: 1, off: Number.POSITIVE_INFINITY }
  for (let from = first; from <= column; from++) {
    for (let to = column; to <= last; to++) {
      const off = Math.abs(x0 + x1 - (columns[from]?.x0 ?? 0) - (columns[to]?.x1 ?? 0))
      if (off < best.off) best = { column: from, span: to - from + 1, off }
    }
  }
  return { column: best.column, span: best.span }
}
