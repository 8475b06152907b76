// One slide of PowerPoint → blocks with boxes.

import type { Block, Cell } from '@octavo/contract'
import { drawingTexts } from './drawing.ts'
import { numberText } from './numbering.ts'
import {
  type Ancestry,
  asIs,
  autoNumberOf,
  boxOf,
  groupTransform,
  isItem,
  placeholderOf,
  placeOf,
  type Transform,
} from './slide-places.ts'
import { spanOf, tableBlock } from './table.ts'
import { childrenNamed, type Element, elementsOf, findChild, findInside, textInside } from './xml.ts'

export interface SlideContext extends Ancestry {
  size: { width: number; height: number }
  partOf: (relation_id: string | undefined) => Element | null
}

export function readSlide(slide: Element, context: SlideContext): Block[] {
  const blocks: { block: Block; is_title: boolean; is_foot: boolean }[] = []
  const walk = (parent: Element, transform: Transform): void => {
    for (const shape of elementsOf(parent)) {
      if (shape.name === 'p:grpSp') walk(shape, groupTransform(shape, transform))
      else if (shape.name === 'mc:AlternateContent')
        walk(findChild(shape, 'mc:Choice') ?? findChild(shape, 'mc:Fallback') ?? shape, transform)
      else if (isHidden(shape)) continue
      else {
        const place = placeOf(shape, context)
        const box = place ? { bbox: boxOf(transform(place), context.size) } : {}
        for (const block of readShape(shape, context))
          blocks.push({
            block: { ...block, ...box },
            is_title: block.type === 'title' || block.type === 'heading',
            is_foot: block.type === 'footer',
          })
      }
    }
  }
  const tree = findInside(slide, 'p:spTree')
  if (tree) walk(tree, asIs)
  // The title is read first wherever it was drawn; what repeats on every slide comes last.
  const pick = (title: boolean, foot: boolean) =>
    blocks.filter(({ is_title, is_foot }) => is_title === title && is_foot === foot).map(({ block }) => block)
  return [...pick(true, false), ...pick(false, false), ...pick(false, true)]
}

const isHidden = (shape: Element): boolean =>
  elementsOf(shape).some((part) => ['1', 'true'].includes(findChild(part, 'p:cNvPr')?.attributes.hidden ?? ''))

function readShape(shape: Element, context: SlideContext): Block[] {
  if (shape.name === 'p:sp') return readTextShape(shape, context)
  if (shape.name === 'p:pic') return [{ type: 'figure', text: describedBy(shape) }]
  if (shape.name !== 'p:graphicFrame') return []
  const table = findInside(shape, 'a:tbl')
  if (table) {
    const block = readTable(table)
    return block ? [block] : []
  }
  return [
    { type: 'figure', text: [describedBy(shape), ...drawingTexts(shape, context.partOf)].filter(Boolean).join('\n') },
  ]
}

function describedBy(shape: Element): string {
  for (const part of elementsOf(shape)) {
    const { descr, title } = findChild(part, 'p:cNvPr')?.attributes ?? {}
    if (descr || title) return (descr || title) ?? ''
  }
  return ''
}

function readTextShape(shape: Element, context: SlideContext): Block[] {
  const type = placeholderOf(shape)?.attributes.type ?? ''
  const paragraphs = childrenNamed(findChild(shape, 'p:txBody'), 'a:p')
  if (type === 'title' || type === 'ctrTitle') {
    const text = paragraphs.map(textOfParagraph).join(' ').replace(/\s+/g, ' ').trim()
    if (text === '') return []
    return [type === 'ctrTitle' ? { type: 'title', text } : { type: 'heading', level: 1, text }]
  }
  const is_foot = type === 'ftr' || type === 'dt' || type === 'sldNum' || type === 'hdr'
  const blocks: Block[] = []
  const counts: number[] = []
  for (const paragraph of paragraphs) {
    const text = textOfParagraph(paragraph).trim()
    if (text === '') continue
    const level = Math.min(
      8,
      Math.max(0, Number.parseInt(findChild(paragraph, 'a:pPr')?.attributes.lvl ?? '0', 10) || 0),
    )
    if (is_foot) blocks.push({ type: 'footer', text })
    else if (isItem(paragraph, shape, context)(level))
      blocks.push({ type: 'list_item', level: level + 1, text: `${markerOf(paragraph, level, counts)}${text}` })
    else blocks.push({ type: 'paragraph', text })
  }
  return blocks
}

/** `counts` of the items so far, by their level; a level begins again below another item. */
function markerOf(paragraph: Element, level: number, counts: number[]): string {
  const { type = '', startAt } = autoNumberOf(paragraph)?.attributes ?? {}
  if (type === '') {
    counts.length = Math.min(counts.length, level)
    return ''
  }
  counts.length = Math.min(counts.length, level + 1)
  const value = (counts[level] ?? spanOf(startAt, 32_767) - 1) + 1
  counts[level] = value
  const size = /Uc/.test(type) ? 'upper' : 'lower'
  const roman = type.startsWith('roman') ? (`${size}_roman` as const) : 'decimal'
  const number = numberText(value, type.startsWith('alpha') ? (`${size}_letter` as const) : roman)
  if (type.endsWith('ParenBoth')) return `(${number}) `
  if (type.endsWith('ParenR')) return `${number}) `
  return type.endsWith('Plain') ? `${number} ` : `${number}. `
}

export function textOfParagraph(paragraph: Element): string {
  let text = ''
  for (const child of elementsOf(paragraph)) {
    if (child.name === 'a:br') text += '\n'
    else if (child.name === 'a:r' || child.name === 'a:fld') text += textInside(findChild(child, 'a:t'))
    else if (child.name === 'mc:AlternateContent') text += textOfParagraph(findChild(child, 'mc:Choice') ?? child)
    else if (child.name.startsWith('a14:') || child.name.startsWith('m:')) text += textInside(child)
  }
  return text
}

function readTable(table: Element): Block | null {
  const cells: Cell[] = []
  for (const [row, element] of childrenNamed(table, 'a:tr').entries()) {
    for (const [column, cell] of childrenNamed(element, 'a:tc').entries()) {
      const { gridSpan, rowSpan, hMerge, vMerge } = cell.attributes
      if ([hMerge, vMerge].some((merge) => merge === '1' || merge === 'true')) continue
      const text = childrenNamed(findChild(cell, 'a:txBody'), 'a:p').map(textOfParagraph).join('\n').trim()
      cells.push({ row: row + 1, column: column + 1, row_span: spanOf(rowSpan), column_span: spanOf(gridSpan), text })
    }
  }
  return tableBlock(cells)
}

/** Speaker notes: the body of the notes page. */
export function readNotes(notes: Element): Block[] {
  const tree = findInside(notes, 'p:spTree')
  return childrenNamed(tree, 'p:sp')
    .filter((shape) => placeholderOf(shape)?.attributes.type === 'body')
    .flatMap((shape) => childrenNamed(findChild(shape, 'p:txBody'), 'a:p'))
    .map((paragraph) => textOfParagraph(paragraph).trim())
    .filter((text) => text !== '')
    .map((text) => ({ type: 'paragraph', text }))
}
