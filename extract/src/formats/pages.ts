// Flowing documents have no fixed pages: a page ends at a block, once there is enough text.

import { textOfTable } from '@octavo/base/blocks.ts'
import type { Block, Table } from '@octavo/contract'
import { tieCaptions } from '../captions.ts'
import type { OpenFormat, ParsedPage } from '../types.ts'

export const PAGE_CHARACTERS = 20_000
const PAGE_BLOCKS = 2_000
const PAGE_CELLS = 20_000

/** A page ends before a block that no longer fits, and before each block whose index is in `breaks`. No page is empty. */
export function paginate(blocks: readonly Block[], breaks: ReadonlySet<number> = new Set()): Block[][] {
  const pages: Block[][] = []
  let page: Block[] = []
  let [characters, cells] = [0, 0]
  function turn(is_forced: boolean): void {
    // A heading belongs to what follows it.
    const kept = is_forced ? page.length : page.findLastIndex((block) => !isHeading(block)) + 1
    const moved = kept > 0 ? page.splice(kept) : []
    if (page.length > 0) pages.push(page)
    page = moved
    characters = moved.reduce((sum, block) => sum + block.text.length, 0)
    cells = 0
  }
  for (const [index, block] of blocks.entries()) {
    if (breaks.has(index)) turn(true)
    for (const piece of piecesOf(block)) {
      const own_cells = piece.table?.cells.length ?? 0
      const is_full =
        characters + piece.text.length > PAGE_CHARACTERS || cells + own_cells > PAGE_CELLS || page.length >= PAGE_BLOCKS
      if (page.length > 0 && is_full) turn(false)
      page.push(piece)
      characters += piece.text.length
      cells += own_cells
    }
  }
  turn(true)
  return pages
}

/** Pages of a format that has neither positions nor images. */
export function flowOf(pages: readonly Block[][]): Pick<OpenFormat, 'page_count' | 'page'> {
  const page = (number: number): ParsedPage => ({
    width: null,
    height: null,
    blocks: tieCaptions(pages[number - 1] ?? []),
    has_image: false,
    needs_ocr: false,
    warnings: [],
  })
  return { page_count: pages.length, page }
}

export function tableBlock(table: Table): Block {
  return { type: 'table', text: textOfTable(table), table }
}

const isHeading = (block: Block): boolean => block.type === 'heading' || block.type === 'title'

function piecesOf(block: Block): Block[] {
  const { table, text } = block
  if (table) {
    const is_large = text.length > PAGE_CHARACTERS || table.cells.length > PAGE_CELLS
    return is_large && table.rows > 1 ? splitTable(table).map((part) => ({ ...block, ...tableBlock(part) })) : [block]
  }
  if (text.length <= PAGE_CHARACTERS) return [block]
  return splitText(text).map((part) => ({ ...block, text: part }))
}

function splitText(text: string): string[] {
  const parts: string[] = []
  let at = 0
  while (text.length - at > PAGE_CHARACTERS) {
    const most = text.slice(at, at + PAGE_CHARACTERS)
    const end =
      [most.lastIndexOf('\n'), most.lastIndexOf(' ')].find((place) => place > PAGE_CHARACTERS / 2) ?? pairEnd(most)
    parts.push(text.slice(at, at + end))
    at += end + (/\s/.test(text[at + end] ?? '') ? 1 : 0)
  }
  parts.push(text.slice(at))
  return parts
}

/** Two code units of one character stay together. */
const pairEnd = (text: string): number => (/[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length)

/** Only between rows that no cell connects. */
function splitTable(table: Table): Table[] {
  const last_rows: number[] = []
  const sizes: number[] = []
  const counts: number[] = []
  for (const { row, row_span, text } of table.cells) {
    last_rows[row] = Math.max(last_rows[row] ?? row, row + row_span - 1)
    sizes[row] = (sizes[row] ?? 0) + text.length + 1
    counts[row] = (counts[row] ?? 0) + 1
  }
  const starts = [1]
  let [reach, characters, cells] = [0, 0, 0]
  for (let row = 1; row <= table.rows; row++) {
    const start = starts.at(-1) ?? 1
    const is_full = characters + (sizes[row] ?? 0) > PAGE_CHARACTERS || cells + (counts[row] ?? 0) > PAGE_CELLS
    if (row > start && is_full && reach < row) {
      starts.push(row)
      characters = 0
      cells = 0
    }
    reach = Math.max(reach, last_rows[row] ?? row)
    characters += sizes[row] ?? 0
    cells += counts[row] ?? 0
  }
  return rowsFrom(table, starts)
}

function rowsFrom(table: Table, starts: readonly number[]): Table[] {
  const cells = table.cells.toSorted((a, b) => a.row - b.row || a.column - b.column)
  let at = 0
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? table.rows + 1
    const first = at
    while (at < cells.length && (cells[at]?.row ?? 0) < end) at++
    const own = cells.slice(first, at).map((cell) => ({ ...cell, row: cell.row - start + 1 }))
    return { rows: end - start, columns: table.columns, cells: own }
  })
}
