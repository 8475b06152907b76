// Fillable form fields, each with the label beside it.

import type { FoundBlock } from './cells.ts'
import { foundFields } from './fields.ts'
import { around, shared } from './geometry.ts'
import { partsOf, type Row } from './lines.ts'
import type { Box, FormField, Word } from './types.ts'

/** In ems. */
const MAX_DISTANCE = 15
const MAX_BLOCK_GAP = 3
const MAX_LABEL_WORDS = 12

/** Fields from top to bottom, in blocks that space keeps apart. */
export function findForm(fields: readonly FormField[], rows: readonly Row[], em: number): FoundBlock[] {
  const parts = rows.flatMap((row) => partsOf(row.words, em))
  const taken = new Set<Row>()
  const groups: { field: FormField; label: Row | null }[][] = []
  for (const field of fields.toSorted((a, b) => (shared(a.y0, a.y1, b.y0, b.y1) > 0 ? a.x0 - b.x0 : a.y0 - b.y0))) {
    const label = labelOf(
      field,
      parts.filter((part) => !taken.has(part)),
      em,
    )
    if (label) taken.add(label)
    const group = groups.at(-1)
    const above = group?.at(-1)?.field
    if (group && above && field.y0 - above.y1 < em * MAX_BLOCK_GAP) group.push({ field, label })
    else groups.push([{ field, label }])
  }
  return groups.map((group) => blockOf(group))
}

/** Before a field or above it; a checkbox has its label after it. */
function labelOf(field: FormField, parts: readonly Row[], em: number): Row | null {
  const near = parts.filter((part) => part.words.length <= MAX_LABEL_WORDS)
  const beside = near.filter((part) => isBeside(part, field))
  const closest = (found: readonly Row[], distance: (part: Row) => number): Row | null => {
    const [best] = found
      .filter((part) => distance(part) > -em && distance(part) < em * MAX_DISTANCE)
      .toSorted((a, b) => distance(a) - distance(b))
    return best ?? null
  }
  const before = closest(beside, (part) => field.x0 - part.x1)
  const after = closest(beside, (part) => part.x0 - field.x1)
  if (field.is_box) return after ?? before
  const above = near.filter(
    (part) =>
      part.size < em * 1.3 && shared(part.x0, part.x1, field.x0, field.x1) > 0 && part.y1 <= field.y0 + em * 0.3,
  )
  return before ?? closest(above, (part) => (field.y0 - part.y1) * 5)
}

const isBeside = (a: Box, b: Box): boolean => shared(a.y0, a.y1, b.y0, b.y1) > Math.min(a.y1 - a.y0, b.y1 - b.y0) * 0.4

function blockOf(group: readonly { field: FormField; label: Row | null }[]): FoundBlock {
  const words: Word[] = group.flatMap(({ label }) => label?.words ?? [])
  const found = foundFields(group.map(({ field, label }) => ({ label: label?.words ?? [], value: [], field })))
  const box = around([...words, ...group.map(({ field }) => field)])
  return { ...found, box }
}
