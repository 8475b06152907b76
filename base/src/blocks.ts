// Blocks → the text of a page, and its markdown. Both are derived, so that they never disagree with the blocks.

import type { Block, Field, Table } from '@octavo/contract'
import { MAX_BLOCKS } from '@octavo/contract/block-limits'

/** Range of a block in `text`, in code units. */
export interface BlockSpan {
  start: number
  end: number
}

/** Text that belongs to a page as such, not to the document: it would cut a sentence that goes on over the page in two. */
const isLeftOut = ({ is_running }: Block): boolean => is_running === true

/**
 * Separates blocks by an empty line, and items of one list by a line break. A running header or footer has an empty span.
 */
export function textFromBlocks(blocks: readonly Block[]): { text: string; spans: BlockSpan[] } {
  let text = ''
  const spans: BlockSpan[] = []
  let last: Block | null = null
  for (const block of blocks) {
    const own = isLeftOut(block) ? '' : block.text
    if (own !== '' && text !== '') text += last?.type === 'list_item' && block.type === 'list_item' ? '\n' : '\n\n'
    const start = text.length
    text += own
    spans.push({ start, end: text.length })
    if (own !== '') last = block
  }
  return { text, spans }
}

/** The text of a table block: a line for each row, its cells apart by tabs. */
export function textOfTable({ rows, cells }: Table): string {
  const lines: string[][] = Array.from({ length: rows }, () => [])
  for (const cell of cells) lines[cell.row - 1]?.push(cell.text.replace(/\s+/g, ' ').trim())
  return lines.map((line) => line.join('\t')).join('\n')
}

/** The text of a block of fields: a line for each label and its value. */
export const textOfFields = (fields: readonly Field[]): string =>
  fields.map(({ label, value }) => [label, value].filter((part) => part !== '').join(': ')).join('\n')

export function markdownOf(blocks: readonly Block[]): string {
  const parts: string[] = []
  let last: Block | null = null
  for (const block of blocks) {
    const own = isLeftOut(block) ? '' : markdownOfBlock(block)
    if (own === '') continue
    if (last) parts.push(last.type === 'list_item' && block.type === 'list_item' ? '\n' : '\n\n')
    parts.push(own)
    last = block
  }
  return parts.join('')
}

function markdownOfBlock(block: Block): string {
  const { type, text } = block
  if (type === 'table' && block.table) return markdownOfTable(block.table)
  if (text.trim() === '') return ''
  if (type === 'fields') return fieldLines(block)
  if (type === 'code') return fenced(text)
  if (type === 'title') return `# ${oneLine(text)}`
  if (type === 'heading') return `${'#'.repeat(Math.min(6, (block.level ?? 1) + 1))} ${oneLine(text)}`
  if (type === 'list_item') return `${'  '.repeat((block.level ?? 1) - 1)}- ${oneLine(text)}`
  return escaped(text)
}

/** Two trailing spaces keep each field on a separate line in Markdown. */
const fieldLines = ({ text }: Block): string => text.split('\n').map(oneLine).join('  \n')

const oneLine = (text: string): string =>
  escaped(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')

/** Only what would otherwise become structure or markup: a text is to be read by people as well. */
const escaped = (text: string): string =>
  text
    .replace(/[\\`*_[\]<>|]|~(?=~)|&(?=#?\w+;)/g, '\\$&')
    // Lines that Markdown would read as a heading, a list item, or an underline that turns the line above into a
    // heading.
    .replace(/^([^\S\n]*)([#+-](?=\s|$)|#{2,6}(?=\s|$)|(?:=+|-{2,})(?=[^\S\n]*$))/gm, '$1\\$2')
    .replace(/^([^\S\n]*\d{1,9})([.)])(?=\s|$)/gm, '$1\\$2')

function fenced(text: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

/** Markdown has no merged cells: the text goes into the first place, the others stay empty. */
function markdownOfTable({ rows, columns, cells }: Table): string {
  if (rows === 0 || columns === 0) return ''
  const grid = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ''))
  for (const { row, column, text } of cells) {
    const line = grid[row - 1]
    if (line && column <= columns) line[column - 1] = oneLine(text.trim())
  }
  const lines = grid.map((line) => `| ${line.join(' | ')} |`)
  lines.splice(1, 0, `|${' --- |'.repeat(columns)}`)
  return lines.join('\n')
}

/** Splits unstructured text into paragraphs. The last block holds those that are too many for one page. */
export function paragraphsOf(text: string): Block[] {
  const blocks: Block[] = []
  let start = 0
  for (const gap of text.matchAll(/\n[^\S\n]*\n\s*/g)) {
    if (blocks.length >= MAX_BLOCKS - 1) break
    addParagraph(blocks, text.slice(start, gap.index))
    start = gap.index + gap[0].length
  }
  addParagraph(blocks, text.slice(start))
  return blocks
}

function addParagraph(blocks: Block[], part: string): void {
  const text = part.trim()
  if (text !== '') blocks.push({ type: 'paragraph', text })
}
