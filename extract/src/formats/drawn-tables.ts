// Tables that are drawn with `|` in plain text, as database clients and Markdown print them.

import type { Block, Cell } from '@octavo/contract'
import { tableBlock } from './pages.ts'

/** A line between rows, such as `+----+----+`, `|:---|---:|` or `---- | ----`. */
const SEPARATOR = /^(?=.*[-=]{3})[\s|+:=-]+$/
/** Wider rows are not hand-drawn tables. */
const MAX_COLUMNS = 100
const FRAMED = /^\s*\|.*\|\s*$/

const isTableLine = (line: string): boolean => line.includes('|') || (line.includes('+') && SEPARATOR.test(line))

/** The blocks of a paragraph: its drawn tables, and the lines around them. */
export function blocksOfParagraph(paragraph: string): Block[] {
  if (!paragraph.includes('|')) return [{ type: 'paragraph', text: paragraph }]
  const blocks: Block[] = []
  let plain: string[] = []
  const endPlain = (): void => {
    if (plain.length > 0) blocks.push({ type: 'paragraph', text: plain.join('\n') })
    plain = []
  }
  for (const lines of runsOf(paragraph.split('\n'))) {
    const table = tableOf(lines)
    if (!table) {
      for (const line of lines) plain.push(line)
      continue
    }
    endPlain()
    blocks.push(table)
  }
  endPlain()
  return blocks
}

/** Runs of lines that all may belong to a table, or that all do not. */
function runsOf(lines: readonly string[]): string[][] {
  const runs: string[][] = []
  for (const [index, line] of lines.entries()) {
    const isSame = index > 0 && isTableLine(lines[index - 1] ?? '') === isTableLine(line)
    const last = runs.at(-1)
    if (isSame && last) last.push(line)
    else runs.push([line])
  }
  return runs
}

/** Null unless all rows have the same columns, and a line between rows or a frame shows that this is a table. */
function tableOf(lines: readonly string[]): Block | null {
  const isDrawn = lines.some((line) => SEPARATOR.test(line)) || lines.every((line) => FRAMED.test(line))
  if (!isDrawn) return null
  const rows = rowsOf(lines)
  const columns = rows[0]?.length ?? 0
  if (rows.length < 2 || columns < 2 || columns > MAX_COLUMNS || rows.some((row) => row.length !== columns)) return null
  const cells: Cell[] = rows.flatMap((row, r) =>
    row.map((text, c) => ({ row: r + 1, column: c + 1, row_span: 1, column_span: 1, text })),
  )
  return tableBlock({ rows: rows.length, columns, cells })
}

function rowsOf(lines: readonly string[]): string[][] {
  const groups: string[][][] = [[]]
  for (const line of lines) {
    if (SEPARATOR.test(line)) groups.push([])
    else groups.at(-1)?.push(cellsOf(line))
  }
  const filled = groups.filter((group) => group.length > 0)
  // Lines between every two rows: a line without a first cell then continues the row above.
  return filled.length > 2 ? filled.flatMap(joinContinued) : filled.flat()
}

function joinContinued(lines: readonly string[][]): string[][] {
  const rows: string[][] = []
  for (const line of lines) {
    const above = rows.at(-1)
    if (above && line[0] === '' && line.length === above.length)
      rows[rows.length - 1] = above.map((text, column) => [text, line[column]].filter(Boolean).join(' '))
    else rows.push(line)
  }
  return rows
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim())
