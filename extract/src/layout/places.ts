// Places of a table → cells. Every place gets exactly one owner, so two cells cannot overlap.

import type { Cell, Table } from '@octavo/contract'

export interface Places<Content> {
  rows: number
  columns: number
  /** The area that a place belongs to, counted row by row. Equal numbers that touch form one cell where they are a rectangle. */
  owners: Int32Array
  /** The content of each place. */
  content: readonly (readonly Content[])[]
}

/** Areas that are no rectangle, such as an L, are cut into rectangles. */
export function tableFromPlaces<Content>(
  { rows, columns, owners, content }: Places<Content>,
  cellFrom: (content: Content[]) => Pick<Cell, 'text' | 'bbox'>,
): Table {
  const cells: Table['cells'] = []
  const is_covered = new Uint8Array(owners.length)
  const isFree = (row: number, column: number, owner: number | undefined): boolean => {
    const place = row * columns + column
    return row < rows && column < columns && is_covered[place] === 0 && owners[place] === owner
  }
  for (let place = 0; place < owners.length; place++) {
    if (is_covered[place] === 1) continue
    const [row, column, owner] = [Math.floor(place / columns), place % columns, owners[place]]
    let [column_span, row_span] = [1, 1]
    while (isFree(row, column + column_span, owner)) column_span++
    const isRowFree = (other: number) =>
      Array.from({ length: column_span }, (_, step) => column + step).every((at) => isFree(other, at, owner))
    while (isRowFree(row + row_span)) row_span++
    const own: Content[] = []
    for (let other = row; other < row + row_span; other++) {
      for (let at = column; at < column + column_span; at++) {
        is_covered[other * columns + at] = 1
        for (const one of content[other * columns + at] ?? []) own.push(one)
      }
    }
    cells.push({ row: row + 1, column: column + 1, row_span, column_span, ...cellFrom(own) })
  }
  return { rows, columns, cells }
}
