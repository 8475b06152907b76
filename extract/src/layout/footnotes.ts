// Notes in small print at the bottom of a page or column, each with a mark at its start.

import type { PlacedBlock } from './blocks.ts'
import { shared } from './geometry.ts'

const MAX_SIZE = 0.93
const MARK = /^(?:\(?\d{1,3}[.)]?|[⁰¹²³⁴-⁹]{1,3}|[*†‡§¶]{1,3}|[a-z][.)])\s*\p{L}/u

/** A note is below all larger text of its column. */
export function markFootnotes(placed: readonly PlacedBlock[], { em, height }: { em: number; height: number }): void {
  const isSmall = ({ size }: PlacedBlock): boolean => size !== undefined && size < em * MAX_SIZE
  for (const one of placed) {
    const isText = one.block.type === 'paragraph' || one.block.type === 'list_item'
    if (!isText || !isSmall(one) || one.box.y0 < height / 2 || !MARK.test(one.block.text)) continue
    const below = placed.filter(
      (other) =>
        other.box.y0 > one.box.y0 &&
        shared(other.box.x0, other.box.x1, one.box.x0, one.box.x1) > 0 &&
        other.block.type !== 'footer',
    )
    if (below.every(isSmall)) one.block = { type: 'footnote', text: one.block.text }
  }
}
