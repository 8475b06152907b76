// A DoclingDocument → blocks. It is a tree of references into lists (`texts`, `tables`, `groups` …); their order is the reading order.

import { textOfTable } from '@octavo/base/blocks.ts'
import { type Block, type BlockType, type Cell, MAX_BLOCKS, MAX_CELLS, type Table } from '@octavo/contract'
import { findArray, findNumber, findObject, findText, type Json, type JsonObject } from './json.ts'

/** The message goes on after "could not read this page: ". */
export class InvalidDocument extends Error {}

const TYPES: Record<string, BlockType> = {
  title: 'title',
  section_header: 'heading',
  field_heading: 'heading',
  list_item: 'list_item',
  page_header: 'header',
  page_footer: 'footer',
  code: 'code',
  table: 'table',
  document_index: 'table',
  picture: 'figure',
  chart: 'figure',
}
const CHECKBOXES: Record<string, string> = { checkbox_selected: '☑ ', checkbox_unselected: '☐ ' }
const MAX_TEXT = 1_000_000
const MAX_LEVEL = 9
const MAX_SPAN = 10_000
const MAX_DEPTH = 100

interface DoclingWalk {
  document: JsonObject
  size: { width: number; height: number } | null
  /** Every item is read once, however many others refer to it. */
  seen: Set<string>
  blocks: Block[]
}

export function blocksOfDocument(document: JsonObject): Block[] {
  const body = findObject(document.body)
  if (findText(document, 'schema_name') !== 'DoclingDocument' || !body)
    throw new InvalidDocument('the response is not a DoclingDocument')
  const walk: DoclingWalk = { document, size: pageSize(document), seen: new Set(), blocks: [] }
  readChildren(walk, body, { list_level: 0, depth: 0 })
  const of_body = walk.blocks.splice(0)
  // Older servers keep headers and footers apart from the body.
  const furniture = findObject(document.furniture)
  if (furniture) readChildren(walk, furniture, { list_level: 0, depth: 0 })
  return [
    ...walk.blocks.filter(({ type }) => type !== 'footer'),
    ...of_body,
    ...walk.blocks.filter(({ type }) => type === 'footer'),
  ]
}

function pageSize(document: JsonObject): DoclingWalk['size'] {
  const [page] = Object.values(findObject(document.pages) ?? {})
  const size = findObject(findObject(page)?.size)
  const [width, height] = [findNumber(size, 'width') ?? 0, findNumber(size, 'height') ?? 0]
  return width > 0 && height > 0 ? { width, height } : null
}

interface DoclingPlace {
  list_level: number
  depth: number
}

function readChildren(walk: DoclingWalk, parent: JsonObject, place: DoclingPlace): void {
  if (place.depth > MAX_DEPTH) throw new InvalidDocument('the response is nested too deeply')
  for (const child of findArray(parent, 'children')) readItem(walk, child, place)
}

function findItem({ document, seen }: DoclingWalk, reference: Json): { item: JsonObject; list: string } | null {
  const path = findText(findObject(reference), '$ref') ?? findText(findObject(reference), 'cref')
  const [, list = '', index = ''] = /^#\/(\w+)\/(\d{1,9})$/.exec(path ?? '') ?? []
  const item = findObject(findArray(document, list)[Number(index)])
  if (!item) throw new InvalidDocument('the response has a dangling reference')
  const key = `${list}/${Number(index)}`
  if (seen.has(key)) return null
  seen.add(key)
  return { item, list }
}

function readItem(walk: DoclingWalk, reference: Json, place: DoclingPlace): void {
  const found = findItem(walk, reference)
  if (!found) return
  const { item, list } = found
  const inner = { list_level: place.list_level, depth: place.depth + 1 }
  const label = findText(item, 'label') ?? ''
  if (list === 'groups') {
    if (label === 'inline')
      return addBlock(walk, { type: 'paragraph', text: innerText(walk, item, { ...inner, between: ' ' }) }, item)
    return readChildren(walk, item, /list/.test(label) ? { ...inner, list_level: place.list_level + 1 } : inner)
  }
  if (list === 'pictures')
    return addBlock(walk, { type: 'figure', text: innerText(walk, item, { ...inner, between: '\n' }) }, item)
  if (list === 'tables') {
    for (const caption of findArray(item, 'captions')) readItem(walk, caption, inner)
    const table = readTable(item)
    addBlock(walk, { type: 'table', text: textOfTable(table), table }, item)
  } else addBlock(walk, textBlock(item, label, place), item)
  readChildren(walk, item, inner)
}

const bounded = (level: number): number => Math.min(MAX_LEVEL, Math.max(1, Math.floor(level)))

function textBlock(item: JsonObject, label: string, { list_level }: DoclingPlace): Block {
  const type = (Object.hasOwn(TYPES, label) && TYPES[label]) || 'paragraph'
  const text = (findText(item, 'text') || findText(item, 'orig')) ?? ''
  if (type === 'heading') return { type, text, level: bounded(findNumber(item, 'level') ?? 1) }
  if (type === 'list_item') {
    const marker = item.enumerated === true ? (findText(item, 'marker') ?? '').trim() : ''
    return { type, text: marker ? `${marker} ${text}` : text, level: bounded(list_level) }
  }
  return { type: type === 'table' || type === 'figure' ? 'paragraph' : type, text: (CHECKBOXES[label] ?? '') + text }
}

/** The words of all that is in it, captions first. */
function innerText(
  walk: DoclingWalk,
  item: JsonObject,
  { between, ...place }: DoclingPlace & { between: string },
): string {
  const inside: DoclingWalk = { ...walk, blocks: [] }
  for (const caption of findArray(item, 'captions')) readItem(inside, caption, place)
  readChildren(inside, item, place)
  return inside.blocks.map(({ text }) => text).join(between)
}

function addBlock(walk: DoclingWalk, block: Block, item: JsonObject): void {
  const text = block.text.replaceAll('\0', '').slice(0, MAX_TEXT)
  if (text.trim() === '' && block.type !== 'figure') return
  if (walk.blocks.length >= MAX_BLOCKS) throw new InvalidDocument('the response has too many parts')
  const bbox = findBox(item, walk.size)
  walk.blocks.push({ ...block, text, ...(bbox ? { bbox } : {}) })
}

/** Around all its places; a page is read alone, so they are all of one page. */
function findBox(item: JsonObject, size: DoclingWalk['size']): number[] | null {
  if (!size) return null
  let around: DoclingBox | null = null
  for (const one of findArray(item, 'prov')) {
    const box = readBox(findObject(findObject(one)?.bbox), size)
    if (box)
      around = around
        ? [min(around[0], box[0]), min(around[1], box[1]), max(around[2], box[2]), max(around[3], box[3])]
        : box
  }
  return around
}

type DoclingBox = [number, number, number, number]
const { min, max } = Math

function readBox(box: JsonObject | null, { width, height }: NonNullable<DoclingWalk['size']>): DoclingBox | null {
  const [l, t, r, b] = [findNumber(box, 'l'), findNumber(box, 't'), findNumber(box, 'r'), findNumber(box, 'b')]
  if (l === null || t === null || r === null || b === null) return null
  // The default origin is the top, as in docling-core's models.
  const [top, bottom] = findText(box, 'coord_origin') === 'BOTTOMLEFT' ? [height - t, height - b] : [t, b]
  return [
    part(min(l, r), width),
    part(min(top, bottom), height),
    part(max(l, r), width),
    part(max(top, bottom), height),
  ]
}

const part = (value: number, whole: number): number => Math.round(min(1, max(0, value / whole)) * 1e5) / 1e5

function readTable(item: JsonObject): Table {
  const data = findObject(item.data)
  const [rows, columns] = [findSpan(data, 'num_rows'), findSpan(data, 'num_cols')]
  const given = findArray(data, 'table_cells')
  if (given.length > MAX_CELLS) throw new InvalidDocument('a table has too many cells')
  const cells = given.map((one) => readCell(findObject(one), { rows, columns }))
  const taken = new Set<string>()
  const own = cells.filter(({ row, column }) => !taken.has(`${row},${column}`) && taken.add(`${row},${column}`))
  return { rows, columns, cells: own.toSorted((a, b) => a.row - b.row || a.column - b.column) }
}

function findSpan(object: JsonObject | null, name: string): number {
  const value = findNumber(object, name)
  if (value === null || !Number.isInteger(value) || value < 0 || value > MAX_SPAN)
    throw new InvalidDocument('a table has no size')
  return value
}

function readCell(cell: JsonObject | null, { rows, columns }: { rows: number; columns: number }): Cell {
  const [top, bottom] = [findSpan(cell, 'start_row_offset_idx'), findSpan(cell, 'end_row_offset_idx')]
  const [left, right] = [findSpan(cell, 'start_col_offset_idx'), findSpan(cell, 'end_col_offset_idx')]
  if (top >= bottom || left >= right || bottom > rows || right > columns)
    throw new InvalidDocument('a cell lies outside its table')
  const text = (findText(cell, 'text') ?? '').replaceAll('\0', '').slice(0, MAX_TEXT)
  return { row: top + 1, column: left + 1, row_span: bottom - top, column_span: right - left, text }
}
