// Paragraphs, lists, tables and frames of OpenDocument → blocks and breaks.

import type { Block, Cell } from '@octavo/contract'
import { Lines, type Sink } from './flow.ts'
import type { OpenList } from './odf-lists.ts'
import type { OdfStyles } from './odf-styles.ts'
import { spanOf, tableBlock } from './table.ts'
import { type Element, elementsOf, findChild, textInside } from './xml.ts'

export interface OdfContext {
  styles: OdfStyles
  addEndnote: (text: string) => void
  /** Called with each master page that a paragraph begins. */
  startMaster?: (name: string) => void
}

// biome-ignore format: names
const UNSEEN = new Set([
  'office:annotation', 'office:annotation-end', 'text:tracked-changes', 'text:note-citation', 'text:ruby-text', 'text:hidden-text',
  'text:hidden-paragraph', 'office:forms', 'office:event-listeners', 'svg:title', 'svg:desc', 'draw:glue-point', 'text:alphabetical-index-mark-start',
])
const CONTAINERS = new Set([
  'draw:frame',
  'draw:g',
  'draw:a',
  'draw:rect',
  'draw:ellipse',
  'draw:circle',
  'draw:line',
  'draw:custom-shape',
  'draw:polygon',
  'draw:path',
])
/** Limits how often one cell or row is repeated. */
const MAX_REPEATS = 1000

export function readOdfBlocks(
  elements: readonly Element[],
  sink: Sink,
  context: OdfContext,
  list: OpenList | null = null,
): void {
  for (const element of elements) {
    const { name } = element
    if (UNSEEN.has(name)) continue
    if (name === 'text:p' || name === 'text:h') readParagraph(element, sink, context, list)
    else if (name === 'text:soft-page-break') sink.breakPage('rendered')
    else if (name === 'table:table') readTable(element, sink, context)
    else if (name === 'text:list')
      readOdfBlocks(elementsOf(element), sink, context, context.styles.lists.open(element, list))
    else if (name === 'text:list-item' && list)
      readOdfBlocks(elementsOf(element), sink, context, context.styles.lists.item(element, list))
    // A header of a list has no bullet.
    else if (name === 'text:list-header') readOdfBlocks(elementsOf(element), sink, context)
    else if (CONTAINERS.has(name)) readDrawn(element, sink, context)
    else readOdfBlocks(elementsOf(element), sink, context, list)
  }
}

function startPage(family: string, style: string | undefined, sink: Sink, { styles, startMaster }: OdfContext): void {
  const master = styles.find(family, style, 'master_page')
  if (master || styles.find(family, style, 'breaks_before')) sink.breakPage('fresh')
  if (master) startMaster?.(master)
}

function readParagraph(paragraph: Element, sink: Sink, context: OdfContext, list: OpenList | null): void {
  const style = paragraph.attributes['text:style-name']
  startPage('paragraph', style, sink, context)
  const shape = shapeOf(paragraph, context.styles, list)
  const after: Element[] = []
  let text = ''
  let has_text = false
  const flush = (): void => {
    const own = shape.type === 'code' ? text.replace(/\s+$/, '') : text.trim()
    if (own !== '') sink.add({ ...shape, text: has_text ? own : `${shape.text}${own}` })
    has_text ||= own !== ''
    text = ''
  }
  const walk = (element: Element): void => {
    for (const child of element.children) {
      if (typeof child === 'string') {
        const words = child.replace(/[ \t\r\n]+/g, ' ')
        text += text === '' ? words.trimStart() : words
      } else if (UNSEEN.has(child.name)) continue
      else if (child.name === 'text:s') text += ' '.repeat(spanOf(child.attributes['text:c'], 1000))
      else if (child.name === 'text:tab') text += '\t'
      else if (child.name === 'text:line-break') text += '\n'
      else if (child.name === 'text:soft-page-break') {
        flush()
        sink.breakPage('rendered')
      } else if (child.name === 'text:note') readNote(child, sink, context)
      else if (CONTAINERS.has(child.name)) after.push(child)
      else walk(child)
    }
  }
  walk(paragraph)
  flush()
  if (!has_text) sink.addEmpty()
  for (const frame of after) readDrawn(frame, sink, context)
  if (context.styles.find('paragraph', style, 'breaks_after')) sink.breakPage('always')
}

function shapeOf({ name, attributes }: Element, styles: OdfStyles, list: OpenList | null): Block {
  const text = list?.marker ? `${list.marker} ` : ''
  if (name === 'text:h') {
    if (list) list.marker = null
    const outline = Number.parseInt(attributes['text:outline-level'] ?? '1', 10)
    return { type: 'heading', level: Math.min(9, Math.max(1, outline || 1)), text }
  }
  for (const [style] of styles.chain('paragraph', attributes['text:style-name'])) {
    if (style === 'Title') return { type: 'title', text: '' }
    if (/^(Preformatted_20_Text|Source_20_Code|Source_Code)$/i.test(style)) return { type: 'code', text: '' }
  }
  if (list === null || list.marker === null) return { type: 'paragraph', text: '' }
  // Only the first paragraph of an item has its bullet.
  list.marker = null
  return { type: 'list_item', level: list.level, text }
}

function readNote(note: Element, sink: Sink, context: OdfContext): void {
  const lines = new Lines(null)
  readOdfBlocks(elementsOf(findChild(note, 'text:note-body')), lines, context)
  if (lines.text === '') return
  if (note.attributes['text:note-class'] === 'endnote') context.addEndnote(lines.text)
  else sink.addNote({ type: 'paragraph', text: lines.text })
}

export function readDrawn(frame: Element, sink: Sink, context: OdfContext): void {
  const described = [findChild(frame, 'svg:title'), findChild(frame, 'svg:desc')]
    .map((part) => textInside(part).trim())
    .filter(Boolean)
  const parts = elementsOf(frame).filter(({ name }) => !UNSEEN.has(name))
  const has_text = parts.some(
    ({ name }) =>
      ['draw:text-box', 'text:p', 'text:list', 'text:h', 'table:table'].includes(name) || CONTAINERS.has(name),
  )
  readOdfBlocks(
    parts.filter(({ name }) => name !== 'draw:image' && name !== 'draw:object'),
    sink,
    context,
  )
  // A table comes with a picture of itself.
  const is_picture = !has_text && parts.some(({ name }) => /^draw:(image|object|object-ole|plugin)$/.test(name))
  if (is_picture) sink.add({ type: 'figure', text: described.join('\n') })
}

type Row = { element: Element | null }

/** Rows in their groups; `null` is where a program broke the page. */
const rowsOf = (table: Element): Row[] =>
  elementsOf(table).flatMap((child): Row[] => {
    if (child.name === 'table:table-row') return [{ element: child }]
    if (child.name === 'text:soft-page-break') return [{ element: null }]
    return /^table:table-(header-rows|rows|row-group)$/.test(child.name) ? rowsOf(child) : []
  })

function readTable(table: Element, sink: Sink, context: OdfContext): void {
  startPage('table', table.attributes['table:style-name'], sink, context)
  let cells: Cell[] = []
  let row = 0
  const flush = (): void => {
    const block = tableBlock(cells, row)
    if (block) sink.add(block)
    cells = []
    row = 0
  }
  for (const { element } of rowsOf(table)) {
    if (!element) {
      if (sink instanceof Lines) continue
      flush()
      sink.breakPage('rendered')
      continue
    }
    const own = readRow(element, sink, context)
    const times = own.some(({ text }) => text !== '')
      ? spanOf(element.attributes['table:number-rows-repeated'], MAX_REPEATS)
      : 1
    for (let i = 0; i < times; i++) {
      row++
      for (const cell of own) cells.push({ ...cell, row })
    }
  }
  flush()
}

function readRow(row: Element, sink: Sink, context: OdfContext): Omit<Cell, 'row'>[] {
  const cells: Omit<Cell, 'row'>[] = []
  let column = 1
  for (const element of elementsOf(row)) {
    const { name, attributes } = element
    const times = spanOf(attributes['table:number-columns-repeated'], MAX_REPEATS)
    if (name === 'table:table-cell') {
      const lines = new Lines(sink)
      readOdfBlocks(elementsOf(element), lines, context)
      const row_span = spanOf(attributes['table:number-rows-spanned'])
      const column_span = spanOf(attributes['table:number-columns-spanned'])
      for (let i = 0; i < times; i++) cells.push({ column: column + i, row_span, column_span, text: lines.text })
    }
    if (name === 'table:table-cell' || name === 'table:covered-table-cell') column += times
  }
  return cells
}
