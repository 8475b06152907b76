// Markdown, line by line: headings, lists, tables, code, quotes, paragraphs. Marks inside a line are taken away.

import type { Block, Cell } from '@octavo/contract'
import { decodeText } from '../decode.ts'
import type { Format } from '../types.ts'
import { headingBlock, settleTitle } from './headings.ts'
import { blocksOfHtml } from './html.ts'
import { plainOf } from './markdown-inline.ts'
import { flowOf, paginate, tableBlock } from './pages.ts'

const MAX_QUOTES = 20

export const markdown: Format = {
  name: 'markdown',
  media_types: ['text/markdown'],
  open(bytes) {
    const { lines, title } = withoutFront(decodeText(bytes).split('\n'))
    const settled = settleTitle(blocksOfLines(lines, 0))
    return { title: title ?? settled.title, warnings: [], ...flowOf(paginate(settled.blocks)) }
  },
}

/** Many generators want a head of settings between two lines of dashes. */
function withoutFront(lines: string[]): { lines: string[]; title: string | null } {
  const end =
    lines[0]?.trim() === '---' ? lines.findIndex((line, index) => index > 0 && /^(---|\.\.\.)\s*$/.test(line)) : -1
  if (end < 2 || !lines.slice(1, end).some((line) => /^\w[\w-]*:/.test(line))) return { lines, title: null }
  const title = lines.slice(1, end).find((line) => line.startsWith('title:'))
  return {
    lines: lines.slice(end + 1),
    title:
      title
        ?.slice(6)
        .trim()
        .replace(/^(["'])(.*)\1$/, '$2') || null,
  }
}

const FENCE = /^(\s*)(`{3,}|~{3,})[^`]*$/
const HEADING = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/
const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])(?:[ \t]+(.*))?$/
const QUOTE = /^ {0,3}> ?/
const TABLE_LINE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
const DEFINITION = /^ {0,3}\[[^\]^][^\]]*\]:[ \t]*\S/
const HTML_BLOCK =
  /^ {0,3}<\/?(address|article|center|details|div|dl|figure|h[1-6]|ol|p|pre|section|summary|table|ul)[\s/>]/i

interface State {
  lines: readonly string[]
  at: number
  blocks: Block[]
  paragraph: string[]
  /** Level and marker, if the paragraph is the text of a list item. */
  item: { level: number; marker: string } | null
  /** Where the text of the open items begins, from the outermost. */
  indents: number[]
  quotes: number
}

function blocksOfLines(lines: readonly string[], quotes: number): Block[] {
  const state: State = { lines, at: 0, blocks: [], paragraph: [], item: null, indents: [], quotes }
  while (state.at < lines.length) {
    const line = lines[state.at] ?? ''
    const is_taken = readers.some((read) => read(state, line))
    if (!is_taken) {
      state.paragraph.push(line)
      state.at++
    }
  }
  endParagraph(state)
  return state.blocks
}

/** Each takes its lines and says so, or leaves them to the next. */
const readers: ((state: State, line: string) => boolean)[] = [
  readEmpty,
  readFence,
  readHeading,
  readUnderline,
  readRule,
  readItem,
  readQuote,
  readTable,
  readHtml,
  readDefinition,
  readIndented,
]

function endParagraph(state: State): void {
  const { item } = state
  const text = plainOf(state.paragraph.map(withBreak).join('')).trim()
  state.paragraph = []
  state.item = null
  if (item) state.blocks.push({ type: 'list_item', level: Math.min(9, item.level), text: item.marker + text })
  else if (text !== '') state.blocks.push({ type: 'paragraph', text })
}

/** Two spaces or a backslash at its end keep a line apart from the next. */
function withBreak(line: string): string {
  if (line.endsWith('\\')) return `${line.slice(0, -1).trim()}\n`
  return line.trim() + (line.endsWith('  ') ? '\n' : ' ')
}

function readEmpty(state: State, line: string): boolean {
  if (line.trim() !== '') {
    if (state.paragraph.length === 0 && !state.item) leaveItems(state, line)
    return false
  }
  endParagraph(state)
  state.at++
  return true
}

const indentOf = (line: string): number => /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '    ').length ?? 0

/** After an empty line, the indentation decides which open items a line belongs to. */
function leaveItems(state: State, line: string): void {
  while (state.indents.length > 0 && indentOf(line) < (state.indents.at(-1) ?? 0) && !ITEM.test(line))
    state.indents.pop()
}

function readFence(state: State, line: string): boolean {
  const [, space = '', fence] = FENCE.exec(line) ?? []
  if (!fence || (space.length > 3 && state.indents.length === 0)) return false
  endParagraph(state)
  const isEnd = (one: string) => one.trim().startsWith(fence) && one.trim().replaceAll(fence.slice(0, 1), '') === ''
  const start = state.at + 1
  let end = start
  while (end < state.lines.length && !isEnd(state.lines[end] ?? '')) end++
  const text = state.lines
    .slice(start, end)
    .map((one) => (one.startsWith(space) ? one.slice(space.length) : one.trimStart()))
  state.blocks.push({ type: 'code', text: text.join('\n') })
  state.at = end + 1
  return true
}

function readHeading(state: State, line: string): boolean {
  const [, marks, text = ''] = HEADING.exec(line) ?? []
  if (!marks) return false
  endParagraph(state)
  state.indents = []
  const own = plainOf(text.trim().replace(/(^|[ \t])#+$/, ''))
  if (own !== '') state.blocks.push(headingBlock(marks.length, own))
  state.at++
  return true
}

function readUnderline(state: State, line: string): boolean {
  const [, marks] = UNDERLINE.exec(line) ?? []
  if (!marks || state.paragraph.length === 0 || state.item) return false
  const text = plainOf(state.paragraph.map((one) => one.trim()).join(' '))
  state.paragraph = []
  if (text !== '') state.blocks.push(headingBlock(marks[0] === '=' ? 1 : 2, text))
  state.at++
  return true
}

function readRule(state: State, line: string): boolean {
  if (!RULE.test(line)) return false
  endParagraph(state)
  state.at++
  return true
}

function readItem(state: State, line: string): boolean {
  const [, , marker, text = ''] = ITEM.exec(line) ?? []
  if (!marker) return false
  const indent = indentOf(line)
  const is_inside = state.indents.length > 0
  if (!is_inside && indent > 3) return false
  // In the middle of a paragraph `1986. A year.` is no list; one begins at 1.
  if (!is_inside && state.paragraph.length > 0 && (text === '' || /^(?!1[.)])\d/.test(marker))) return false
  endParagraph(state)
  while (state.indents.length > 0 && indent < (state.indents.at(-1) ?? 0)) state.indents.pop()
  state.indents.push(indent + marker.length + 1)
  state.item = { level: state.indents.length, marker: /\d/.test(marker) ? `${marker} ` : '' }
  state.paragraph.push(text)
  state.at++
  return true
}

function readQuote(state: State, line: string): boolean {
  if (!QUOTE.test(line) || state.quotes >= MAX_QUOTES) return false
  endParagraph(state)
  const start = state.at
  while (state.at < state.lines.length && QUOTE.test(state.lines[state.at] ?? '')) state.at++
  const inner = state.lines.slice(start, state.at).map((one) => one.replace(QUOTE, ''))
  for (const block of blocksOfLines(inner, state.quotes + 1)) state.blocks.push(block)
  return true
}

function readTable(state: State, line: string): boolean {
  const next = state.lines[state.at + 1] ?? ''
  if (!line.includes('|') || !next.includes('-') || !TABLE_LINE.test(next)) return false
  const head = cellsOf(line)
  if (head.length !== cellsOf(next).length) return false
  endParagraph(state)
  const rows = [head]
  state.at += 2
  for (; state.lines[state.at]?.includes('|'); state.at++)
    rows.push(cellsOf(state.lines[state.at] ?? '').slice(0, head.length))
  const cells: Cell[] = rows.flatMap((row, r) =>
    row.map((text, c) => ({ row: r + 1, column: c + 1, row_span: 1, column_span: 1, text: plainOf(text) })),
  )
  state.blocks.push(tableBlock({ rows: rows.length, columns: head.length, cells }))
  return true
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

function readHtml(state: State, line: string): boolean {
  if (state.paragraph.length > 0 || !HTML_BLOCK.test(line)) return false
  const start = state.at
  while (state.at < state.lines.length && (state.lines[state.at] ?? '').trim() !== '') state.at++
  const { blocks } = blocksOfHtml(state.lines.slice(start, state.at).join('\n'))
  for (const block of blocks) state.blocks.push(block.type === 'title' ? headingBlock(1, block.text) : block)
  return true
}

function readDefinition(state: State, line: string): boolean {
  if (state.paragraph.length > 0 || !DEFINITION.test(line)) return false
  state.at++
  return true
}

function readIndented(state: State, line: string): boolean {
  const is_code = state.paragraph.length === 0 && !state.item && state.indents.length === 0 && indentOf(line) >= 4
  if (!is_code) return false
  const start = state.at
  while (
    state.at < state.lines.length &&
    (indentOf(state.lines[state.at] ?? '') >= 4 || state.lines[state.at]?.trim() === '')
  )
    state.at++
  const text = state.lines.slice(start, state.at).map((one) => one.replace(/^( {4}|\t)/, ''))
  state.blocks.push({ type: 'code', text: text.join('\n').trimEnd() })
  return true
}
