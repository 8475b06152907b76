// Text in four directions: each is laid out as if it stood upright, and its boxes are turned back.

import type { Block } from '@octavo/contract'
import { withBoxes } from '../layout/boxes.ts'
import { layoutPage } from '../layout/layout.ts'
import type { Box, FormField, LayoutOptions, Word } from '../layout/types.ts'
import type { PageText } from './chars.ts'
import type { Frame } from './frame.ts'
import type { Shapes } from './shapes.ts'

/** Lines and areas belong to the direction that most of the text has; it comes first. */
export function layoutTurned(
  { words }: PageText,
  shapes: Shapes & { form?: readonly FormField[] },
  frame: Frame,
  options: LayoutOptions,
): Block[] {
  const weights = words.map((own) => own.reduce((sum, { text }) => sum + text.length, 0))
  const main = Math.max(0, weights.indexOf(Math.max(...weights)))
  const turns = [main, ...[0, 1, 2, 3].filter((turn) => turn !== main && (weights[turn] ?? 0) > 0)]
  return turns.flatMap((turn) => {
    const own = shifted(words[turn] ?? [], turn, frame)
    const turnAll = (boxes: readonly Box[]) => (turn === 0 ? boxes : boxes.map((box) => turnedBox(box, turn, frame)))
    const [width, height] = turn % 2 === 0 ? [frame.width, frame.height] : [frame.height, frame.width]
    const form = turn === 0 && shapes.form ? { form: shapes.form } : {}
    const drawn = {
      fills: turnAll(shapes.fills),
      images: turnAll(shapes.images),
      drawings: turnAll(shapes.drawings),
      frames: turnAll(shapes.frames),
      ...form,
    }
    const rules = turn === main ? turnAll(shapes.rules) : []
    const blocks = layoutPage(own, { width, height, rules, ...(turn === main && drawn) }, turn === main ? options : {})
    return turn === 0 ? blocks : blocks.map((block) => withBoxes(block, (bbox) => turnedBack(bbox, turn)))
  })
}

/** Words of a rotated direction are relative to the page's origin; this moves them inside the rotated page. */
function shifted(words: readonly Word[], turn: number, { width, height }: Frame): readonly Word[] {
  if (turn === 0) return words
  const moves = [[0, width] as const, [width, height] as const]
  const [right, down] = moves[turn - 1] ?? [height, 0]
  return words.map((word) => ({
    ...word,
    x0: word.x0 + right,
    x1: word.x1 + right,
    y0: word.y0 + down,
    y1: word.y1 + down,
  }))
}

function turnedBox({ x0, y0, x1, y1 }: Box, turn: number, { width, height }: Frame): Box {
  if (turn === 1) return { x0: y0, y0: width - x1, x1: y1, y1: width - x0 }
  if (turn === 2) return { x0: width - x1, y0: height - y1, x1: width - x0, y1: height - y0 }
  return { x0: height - y1, y0: x0, x1: height - y0, y1: x1 }
}

const rest = (part: number): number => Math.round((1 - part) * 1e5) / 1e5

function turnedBack([x0 = 0, y0 = 0, x1 = 1, y1 = 1]: number[], turn: number): number[] {
  if (turn === 1) return [rest(y1), x0, rest(y0), x1]
  if (turn === 2) return [rest(x1), rest(y1), rest(x0), rest(y0)]
  return [y0, rest(x1), y1, rest(x0)]
}
