// Paragraphs, tables and sections of Word → blocks and breaks.

import type { Block, Cell } from '@octavo/contract'
import { drawingTexts } from './drawing.ts'
import { Lines, type Sink } from './flow.ts'
import { spanOf, tableBlock } from './table.ts'
import { valueOf } from './word-lists.ts'
import { flagOf, type WordStyles } from './word-styles.ts'
import { childrenNamed, type Element, elementsOf, findChild, findInside } from './xml.ts'

export interface WordContext {
  styles: WordStyles
  /** Text of a footnote; an endnote goes to the end of the document. */
  noteOf: (element: Element) => string | null
  endnote: (element: Element) => void
  /** The parts that a drawing shows: a chart, a diagram. */
  partOf: (relation_id: string | undefined) => Element | null
}

/** Deleted text, and what Word keeps for itself. */
const UNSEEN = new Set([
  'w:del',
  'w:moveFrom',
  'w:instrText',
  'w:delText',
  'w:delInstrText',
  'w:rt',
  'w:pPr',
  'w:rPr',
  'w:fldData',
  'mc:Fallback',
])
const CODE = /^(source ?code|preformatted( text)?|html ?preformatted|(macro|code|listing)( text| block)?|verbatim)$/i

export function readBlocks(elements: readonly Element[], sink: Sink, context: WordContext): void {
  for (const element of elements) {
    if (element.name === 'w:p') readParagraph(element, sink, context)
    else if (element.name === 'w:tbl') readTable(element, sink, context)
    else if (element.name === 'mc:AlternateContent') readBlocks(elementsOf(chosenOf(element)), sink, context)
    else if (!UNSEEN.has(element.name)) readBlocks(elementsOf(element), sink, context)
  }
}

const chosenOf = (element: Element): Element | null =>
  findChild(element, 'mc:Choice') ?? findChild(element, 'mc:Fallback')

function readParagraph(paragraph: Element, sink: Sink, context: WordContext): void {
  const properties = findChild(paragraph, 'w:pPr')
  const look = context.styles.lookOf(properties)
  if (look.breaks_before) sink.breakPage('fresh')
  const shape = shapeOf(look, context.styles)
  let text = ''
  let has_text = false
  const after: Element[] = []
  const flush = () => {
    const own = shape.type === 'code' ? text.replace(/\s+$/, '') : text.trim()
    if (own !== '') sink.add({ ...shape, text: has_text ? own : `${shape.text}${own}` })
    has_text ||= own !== ''
    text = ''
  }
  const walk = (element: Element): void => {
    for (const child of elementsOf(element)) {
      const { name, attributes } = child
      if (UNSEEN.has(name) || (name === 'w:r' && flagOf(findChild(findChild(child, 'w:rPr'), 'w:vanish')))) continue
      const sign = SIGNS[name]
      if (name === 'w:t' || name === 'm:t') text += child.children.join('')
      else if (name === 'w:lastRenderedPageBreak' || (name === 'w:br' && attributes['w:type'] === 'page')) {
        flush()
        sink.breakPage(name === 'w:br' ? 'always' : 'rendered')
      } else if (sign !== undefined) text += sign
      else if (name === 'w:sym') text += symbolOf(attributes['w:char'])
      else if (name === 'w:footnoteReference') {
        const note = context.noteOf(child)
        if (note) sink.addNote({ type: 'paragraph', text: note })
      } else if (name === 'w:endnoteReference') context.endnote(child)
      else if (name === 'w:drawing' || name === 'w:pict' || name === 'w:object') after.push(child)
      else if (name === 'mc:AlternateContent') {
        const chosen = chosenOf(child)
        if (chosen) walk(chosen)
      } else walk(child)
    }
  }
  walk(paragraph)
  flush()
  if (!has_text) sink.addEmpty()
  for (const drawing of after) readDrawing(drawing, sink, context)
}

const SIGNS: Record<string, string> = {
  'w:tab': '\t',
  'w:ptab': '\t',
  'w:br': '\n',
  'w:cr': '\n',
  'w:noBreakHyphen': '\u2011',
}

/** Symbol fonts put their signs into a private range, where nothing says what they look like. */
function symbolOf(code: string | undefined): string {
  const point = Number.parseInt(code ?? '', 16)
  return point >= 0x20 && (point < 0xd800 || (point > 0xf8ff && point <= 0xffff)) ? String.fromCharCode(point) : ''
}

/** The block to be, with only what Word writes before the text. */
function shapeOf(look: ReturnType<WordStyles['lookOf']>, styles: WordStyles): Block {
  const item = styles.itemOf(look)
  const marker = item?.marker ? `${item.marker} ` : ''
  if (/^title$/i.test(look.name)) return { type: 'title', text: marker }
  if (look.outline !== null && look.outline >= 1 && look.outline <= 9)
    return { type: 'heading', level: look.outline, text: marker }
  if (item) return { type: 'list_item', level: item.level, text: marker }
  return { type: CODE.test(look.name) ? 'code' : 'paragraph', text: '' }
}

function readDrawing(drawing: Element, sink: Sink, context: WordContext): void {
  const boxes: Element[] = []
  const collect = (element: Element): void => {
    for (const child of elementsOf(element)) {
      if (child.name === 'mc:Fallback') continue
      if (child.name === 'w:txbxContent') boxes.push(child)
      else collect(child)
    }
  }
  collect(drawing)
  for (const box of boxes) readBlocks(elementsOf(box), sink, context)
  const words = drawingTexts(drawing, context.partOf)
  const described = findInside(drawing, 'wp:docPr') ?? findInside(drawing, 'v:shape')
  const { descr, title, alt } = described?.attributes ?? {}
  const text = [descr || title || alt || '', ...words].filter((line) => line.trim() !== '').join('\n')
  const is_picture = ['pic:pic', 'v:imagedata', 'c:chart', 'dgm:relIds'].some((name) => findInside(drawing, name))
  if (is_picture || (text !== '' && boxes.length === 0)) sink.add({ type: 'figure', text })
}

function readTable(table: Element, sink: Sink, context: WordContext): void {
  let rows: { cells: Cell[]; is_broken: boolean }[] = []
  const flush = (): void => {
    const block = tableBlock(
      rows.flatMap(({ cells }) => cells),
      rows.length,
    )
    if (block) sink.add(block)
    rows = []
  }
  let open = new Map<number, Cell>()
  for (const row of rowsOf(table)) {
    let read = readRow(row, { number: rows.length + 1, open }, sink, context)
    // A program noted that this row begins a page: what is above it stays on the page before.
    if (read.is_broken && rows.length > 0 && !(sink instanceof Lines)) {
      flush()
      sink.breakPage('rendered')
      open = new Map()
      read = { ...read, cells: read.cells.map((cell) => ({ ...cell, row: 1 })) }
    }
    rows.push(read)
    open = read.open
  }
  flush()
}

/** Rows may be nested in content controls and tracked insertions. */
function rowsOf(table: Element): Element[] {
  return elementsOf(table).flatMap((child) => {
    if (child.name === 'w:tr') return findChild(findChild(child, 'w:trPr'), 'w:del') ? [] : [child]
    return ['w:tblPr', 'w:tblGrid', 'w:del', 'w:moveFrom'].includes(child.name) ? [] : rowsOf(child)
  })
}

const cellsOf = (row: Element): Element[] =>
  elementsOf(row)
    .filter(({ name }) => name !== 'w:trPr')
    .flatMap((child) => (child.name === 'w:tc' ? [child] : cellsOf(child)))

function readRow(row: Element, above: { number: number; open: Map<number, Cell> }, sink: Sink, context: WordContext) {
  const cells: Cell[] = []
  const open = new Map<number, Cell>()
  let column = 1 + Number.parseInt(valueOf(findChild(findChild(row, 'w:trPr'), 'w:gridBefore')) ?? '0', 10)
  if (!(column >= 1 && column <= 1000)) column = 1
  let is_broken = false
  for (const element of cellsOf(row)) {
    const properties = findChild(element, 'w:tcPr')
    const span = spanOf(valueOf(findChild(properties, 'w:gridSpan')), 1000)
    const merge = findChild(properties, 'w:vMerge')
    const upper = merge && valueOf(merge) !== 'restart' ? above.open.get(column) : undefined
    const lines = new Lines(sink)
    readBlocks(elementsOf(element), lines, context)
    is_broken ||= lines.was_broken
    const beside = cells.at(-1)
    if (upper) {
      upper.row_span += 1
      open.set(column, upper)
    } else if (valueOf(findChild(properties, 'w:hMerge')) === 'continue' && beside) beside.column_span += span
    else {
      const cell = { row: above.number, column, row_span: 1, column_span: span, text: lines.text }
      cells.push(cell)
      if (merge) open.set(column, cell)
    }
    column += span
  }
  return { cells, open, is_broken }
}

/** Every text of a header, a footer or a note. */
export function textOfPart(elements: readonly Element[], context: WordContext): string {
  const lines = new Lines(null)
  readBlocks(elements, lines, context)
  return lines.text
}

export const sectionOf = (paragraph: Element): Element | null => findChild(findChild(paragraph, 'w:pPr'), 'w:sectPr')

export const referencesOf = (section: Element, name: string): (string | undefined)[] =>
  childrenNamed(section, name).map(({ attributes }) => attributes['r:id'])
