// The boxes of a block: its own and those of its cells, labels and values.

import type { Block } from '@octavo/contract'

/** Left, top, right, bottom. */
export type Bbox = number[]

export function withBoxes(block: Block, change: (bbox: Bbox) => Bbox): Block {
  const { bbox, table, fields } = block
  return {
    ...block,
    ...(bbox && { bbox: change(bbox) }),
    ...(table && {
      table: {
        ...table,
        cells: table.cells.map((cell) => ({ ...cell, ...(cell.bbox && { bbox: change(cell.bbox) }) })),
      },
    }),
    ...(fields && {
      fields: fields.map((field) => ({
        ...field,
        ...(field.label_bbox && { label_bbox: change(field.label_bbox) }),
        ...(field.value_bbox && { value_bbox: change(field.value_bbox) }),
      })),
    }),
  }
}
