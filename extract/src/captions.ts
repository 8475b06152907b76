// Captions of tables and figures. A caption is a block, and the table or figure beside it repeats its text.

import { itemAt } from '@octavo/base/required.ts'
import type { Block } from '@octavo/contract'

const TABLE_WORD = 'table|tab\\.|tabelle|tableau|tabla|tabella|tabela|tabel|таблица|табл\\.|表|표'
const FIGURE_WORD =
  'figure|fig\\.|abbildung|abb\\.|figura|figuur|rysunek|rys\\.|рисунок|рис\\.|chart|diagram|scheme|photo|exhibit|図|图|圖|그림'
const NUMBER = '(?:\\p{Lu}[.-]?)?\\d{1,3}(?:[.-]\\d{1,3}){0,2}\\p{Ll}?|[IVXL]{1,6}'
const caption = (word: string): RegExp => new RegExp(`^(?:${word})\\s*(?:${NUMBER})(?![\\p{L}\\p{N}])`, 'iu')
const TABLE = caption(TABLE_WORD)
const FIGURE = caption(FIGURE_WORD)
/** "Table 3 shows" begins a sentence; "Table 3. Sales", "Table 3: Sales" and "Table 3 Sales" are captions. */
const GOES_ON = /^\s*[,;)]|^\s+\p{Ll}/u
const MAX_CAPTION = 700

type Kind = 'table' | 'figure'

/** null: not a caption. */
export function captionKind(text: string): Kind | null {
  if (text.length > MAX_CAPTION) return null
  for (const [kind, pattern] of [
    ['table', TABLE],
    ['figure', FIGURE],
  ] as const) {
    const [label] = pattern.exec(text) ?? []
    if (label !== undefined) return GOES_ON.test(text.slice(label.length)) ? null : kind
  }
  return null
}

const TEXT_TYPES = new Set(['paragraph', 'heading', 'list_item', 'caption'])

/** Marks captions, and repeats each in the table or figure it belongs to. */
export function tieCaptions(blocks: readonly Block[]): Block[] {
  const tied = [...blocks]
  for (const [index, block] of blocks.entries()) {
    const kind = TEXT_TYPES.has(block.type) ? captionKind(block.text) : null
    if (kind === null) continue
    const target = targetOf(tied, index, kind)
    // Without anything to describe it may be a heading, or a line in a list of tables.
    if (target === null && (kind === 'table' || block.type === 'list_item')) continue
    const { level: _, ...rest } = block
    tied[index] = { ...rest, type: 'caption' }
    if (target !== null) tied[target] = { ...itemAt(blocks, target), caption: block.text }
  }
  return tied
}

/** The table or figure next to the caption that has none yet, on the side where the captions of the page are. */
function targetOf(blocks: readonly Block[], index: number, kind: Kind): number | null {
  const isFree = (at: number): boolean => isTarget(blocks[at], kind) && areNear(blocks[at], blocks[index])
  const [above, below] = [isFree(index - 1), isFree(index + 1)]
  if (above && below) return areAbove(blocks, kind) ? index + 1 : index - 1
  if (above) return index - 1
  return below ? index + 1 : null
}

/** Whether captions come before what they describe: as the page has it, or else as it is usual. */
function areAbove(blocks: readonly Block[], kind: Kind): boolean {
  const of_kind = blocks.flatMap(({ type, text }, at) =>
    type === kind || (TEXT_TYPES.has(type) && captionKind(text) === kind) ? [at] : [],
  )
  const [first, last] = [blocks[of_kind[0] ?? -1]?.type, blocks[of_kind.at(-1) ?? -1]?.type]
  if ((first === kind) === (last === kind)) return kind === 'table'
  return last === kind
}

const isTarget = (block: Block | undefined, kind: Kind): boolean =>
  block !== undefined && block.caption === undefined && block.type === kind

/** In parts of the page's height. */
const MAX_DISTANCE = 0.06

/** Without boxes, blocks that follow each other are near. */
function areNear(a: Block | undefined, b: Block | undefined): boolean {
  if (!a?.bbox || !b?.bbox) return true
  const [a_x0 = 0, a_y0 = 0, a_x1 = 0, a_y1 = 0] = a.bbox
  const [b_x0 = 0, b_y0 = 0, b_x1 = 0, b_y1 = 0] = b.bbox
  return Math.max(a_y0 - b_y1, b_y0 - a_y1) < MAX_DISTANCE && Math.min(a_x1, b_x1) > Math.max(a_x0, b_x0)
}
