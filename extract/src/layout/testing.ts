// Pages for tests: words of letters that are all of one width, and straight lines.

import type { Block, Table } from '@octavo/contract'
import type { Rule } from '../types.ts'
import { layoutPage } from './layout.ts'
import type { LayoutOptions, Word } from './types.ts'

const PAGE = { width: 600, height: 800 }
const LETTER = 0.5
const SPACE = 0.28

/** Words of one line from `x` on, of letters that are all of one width. */
export function line(x: number, y: number, text: string, own: Partial<Word> = {}): Word[] {
  const size = own.size ?? 10
  let at = x
  return text.split(' ').map((part) => {
    const x0 = at
    const x1 = x0 + part.length * size * LETTER
    at = x1 + size * SPACE
    return { text: part, x0, y0: y, x1, y1: y + size, size, ...own }
  })
}

/** From right to left: the first word is the rightmost one. */
export const rtlLine = (right: number, y: number, text: string): Word[] =>
  line(0, y, text).map((word) => ({ ...word, x0: right - word.x1, x1: right - word.x0 }))

export const lines = (x: number, y: number, texts: readonly string[], step = 13): Word[] =>
  texts.flatMap((text, row) => line(x, y + row * step, text))
export const across = (y: number, x0: number, x1: number): Rule => ({ x0, y0: y, x1, y1: y })
export const down = (x: number, y0: number, y1: number): Rule => ({ x0: x, y0, x1: x, y1 })
export const layout = (words: readonly Word[], rules: Rule[] = [], options: LayoutOptions = {}): Block[] =>
  layoutPage(words, { ...PAGE, rules }, options)
export const texts = (blocks: readonly Block[]) => blocks.map(({ type, text }) => `${type}: ${text}`)
export const cellsIn = (table: Table | undefined) =>
  table?.cells.map(
    ({ row, column, row_span, column_span, text }) => `${row},${column} ${row_span}x${column_span} ${text}`,
  )

export const PROSE = [
  'The river rises in the hills of',
  'the north and runs down to the',
  'sea through meadows and old',
  'towns that live from trade and',
  'from the mills along its banks',
]
