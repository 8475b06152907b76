// HTML: what a reader of the page would see. Nothing is fetched and no script is run.

import type { Block } from '@octavo/contract'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { decodeText } from '../decode.ts'
import type { Format } from '../types.ts'
import { headingBlock, settleTitle } from './headings.ts'
import { isLayout, tableOf } from './html-table.ts'
import {
  childrenOf,
  type Element,
  findAttribute,
  isElement,
  isHidden,
  isText,
  type Node,
  oneLine,
  textWithin,
} from './html-tree.ts'
import { flowOf, paginate, tableBlock } from './pages.ts'

/** Deeper than any page that people write; what is below is taken as text. */
const MAX_DEPTH = 256

export const html: Format = {
  name: 'html',
  media_types: ['text/html', 'application/xhtml+xml'],
  open(bytes) {
    const { blocks, title, breaks } = blocksOfHtml(decodeText(bytes, declaredEncoding(bytes)))
    return { title, warnings: [], ...flowOf(paginate(blocks, breaks)) }
  },
}

/** `breaks`: the blocks that a page begins with. */
export function blocksOfHtml(text: string): { blocks: Block[]; title: string | null; breaks: Set<number> } {
  const document = parse(text)
  const is_from_tika = /<meta name="X-TIKA:/i.test(text.slice(0, 4096))
  const walk: Walk = { blocks: [], line: [], list: [], item: null, breaks: new Set(), is_from_tika }
  visitAll(document, walk, 0)
  endLine(walk)
  const settled = settleTitle(walk.blocks)
  return { blocks: settled.blocks, title: titleOf(document) ?? settled.title, breaks: walk.breaks }
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 2048)).toString('latin1')
  return (
    /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1] ??
    /^<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(start)?.[1]
  )
}

function titleOf(document: DefaultTreeAdapterTypes.Document): string | null {
  const root = document.childNodes.find((node) => node.nodeName === 'html')
  const head = root && childrenOf(root).find((node) => node.nodeName === 'head')
  const title = head && childrenOf(head).find((node) => node.nodeName === 'title')
  return title ? oneLine(textWithin(title)) || null : null
}

interface Walk {
  blocks: Block[]
  /** Text that belongs to the block being made. */
  line: string[]
  /** The open lists: the number of the next item, or null where they have none. */
  list: (number | null)[]
  /** Level and marker, if the current block is the first of a list item. */
  item: { level: number; marker: string } | null
  breaks: Set<number>
  /** Tika marks sheets and slides by the class of their element. */
  is_from_tika: boolean
}

const BREAKING = new Set(
  (
    'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form header hgroup ' +
    'hr html legend li main menu nav ol option p section select summary tbody td tfoot th thead tr ul'
  ).split(' '),
)
const SILENT = new Set('script style noscript template head iframe object embed svg math audio video canvas'.split(' '))

function visitAll(parent: Node, walk: Walk, depth: number): void {
  for (const node of childrenOf(parent)) {
    if (isText(node)) walk.line.push(node.value.replace(/\s+/g, ' '))
    else if (isElement(node) && !SILENT.has(node.tagName) && !isHidden(node)) visit(node, walk, depth + 1)
  }
}

function visit(element: Element, walk: Walk, depth: number): void {
  const { tagName } = element
  if (depth > MAX_DEPTH) return void walk.line.push(textWithin(element))
  if (tagName === 'br') return void walk.line.push('\n')
  if (tagName === 'wbr') return
  if (tagName === 'img') return addFigure(element, walk)
  if (/^h[1-6]$/.test(tagName)) return addWhole(walk, headingBlock(Number(tagName[1]), oneLine(textWithin(element))))
  if (tagName === 'pre') return addWhole(walk, { type: 'code', text: textWithin(element).replace(/^\n/, '').trimEnd() })
  if (tagName === 'table' && !isLayout(element)) return addTable(element, walk)
  if (tagName === 'ul' || tagName === 'ol' || tagName === 'menu') return visitList(element, walk, depth)
  if (tagName === 'li') return visitItem(element, walk, depth)
  const is_block = BREAKING.has(tagName) || tagName === 'table'
  if (is_block) endLine(walk)
  const style = findAttribute(element, 'style') ?? ''
  if (BREAK_BEFORE.test(style) || (walk.is_from_tika && isTikaPage(element))) walk.breaks.add(walk.blocks.length)
  visitAll(element, walk, depth)
  if (is_block) endLine(walk)
  if (BREAK_AFTER.test(style)) walk.breaks.add(walk.blocks.length)
}

const BREAK_BEFORE = /(?:^|;)\s*(?:page-break-before\s*:\s*always|break-before\s*:\s*page)/i
const BREAK_AFTER = /(?:^|;)\s*(?:page-break-after\s*:\s*always|break-after\s*:\s*page)/i
const isTikaPage = (element: Element): boolean => /^(page|slide-content)$/.test(findAttribute(element, 'class') ?? '')

function visitList(element: Element, walk: Walk, depth: number): void {
  endLine(walk)
  const start = Number.parseInt(findAttribute(element, 'start') ?? '1', 10)
  walk.list.push(element.tagName === 'ol' ? start || 1 : null)
  visitAll(element, walk, depth)
  endLine(walk)
  walk.list.pop()
}

function visitItem(element: Element, walk: Walk, depth: number): void {
  endLine(walk)
  const number = walk.list.at(-1) ?? null
  if (number !== null) walk.list[walk.list.length - 1] = number + 1
  walk.item = { level: Math.min(9, Math.max(1, walk.list.length)), marker: number === null ? '' : `${number}. ` }
  visitAll(element, walk, depth)
  endLine(walk)
  walk.item = null
}

function addTable(element: Element, walk: Walk): void {
  endLine(walk)
  const { table, caption } = tableOf(element)
  const isFilled = table.cells.some(({ text }) => text !== '')
  if (caption !== '') walk.blocks.push({ type: isFilled ? 'caption' : 'paragraph', text: caption })
  if (isFilled) walk.blocks.push({ ...tableBlock(table), ...(caption !== '' && { caption }) })
}

function addWhole(walk: Walk, block: Block): void {
  endLine(walk)
  if (block.text.trim() !== '') walk.blocks.push(block)
}

function addFigure(element: Element, walk: Walk): void {
  const text = oneLine(findAttribute(element, 'alt') ?? '')
  if (text === '') return
  const is_inline = walk.line.some((part) => part.trim() !== '') || walk.item !== null
  if (is_inline) walk.line.push(text)
  else walk.blocks.push({ type: 'figure', text })
}

function endLine(walk: Walk): void {
  const text = walk.line
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim()
  walk.line = []
  if (text === '') return
  const { item } = walk
  walk.item = null
  walk.blocks.push(
    item ? { type: 'list_item', level: item.level, text: item.marker + text } : { type: 'paragraph', text },
  )
}
