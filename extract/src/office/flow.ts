// Splits a flowing document, a list of blocks and breaks, into pages.

import type { Block } from '@octavo/contract'
import { MAX_BLOCKS } from '@octavo/contract/block-limits'
import type { ParsedPage } from '../types.ts'
import { clipText } from './table.ts'

/**
 * `always`: always starts a new page. `fresh`: starts one unless this page is empty.
 * `rendered`: where a program last broke the page. Ignored while this page has no text, because programs also record explicit breaks here.
 */
export type BreakKind = 'always' | 'fresh' | 'rendered' | 'none'

/** Receives the blocks: the pages of a document, or a table cell. */
export interface Sink {
  add(block: Block): void
  /** An empty paragraph also takes up space. */
  addEmpty(): void
  breakPage(kind: BreakKind): void
  /** At the foot of the page. */
  addNote(block: Block): void
}

export interface PageSize {
  width: number
  height: number
}

/** The start of a section, whose break, size, header and footer are known only at its end. */
export interface Section {
  break: BreakKind
  size: PageSize | null
  header: Block[]
  footer: Block[]
}

type Item = Block | { break: BreakKind } | { at_foot: Block[] } | Section | 'empty'

export class Flow implements Sink {
  readonly #items: Item[] = []
  readonly #last: Block[] = []

  add(block: Block): void {
    const last = this.#items.at(-1)
    const is_more_code = block.type === 'code' && typeof last === 'object' && 'type' in last && last.type === 'code'
    if (is_more_code) last.text = clipText(`${last.text}\n${block.text}`)
    else this.#items.push({ ...block, text: clipText(block.text) })
  }

  addEmpty(): void {
    if (this.#items.at(-1) !== 'empty') this.#items.push('empty')
  }

  breakPage(kind: BreakKind): void {
    this.#items.push({ break: kind })
  }

  addNote(block: Block): void {
    this.#items.push({ at_foot: [block] })
  }

  /** At the end of the document. */
  addLast(block: Block): void {
    this.#last.push(block)
  }

  startSection(): Section {
    const section: Section = { break: 'none', size: null, header: [], footer: [] }
    this.#items.push(section)
    return section
  }

  pages(): FlowPage[] {
    const pages: FlowPage[] = []
    let page = new OpenPage(null)
    const turn = (): void => {
      pages.push(page.close())
      page = new OpenPage(page.size)
    }
    for (const item of this.#items) {
      if (item === 'empty') page.has_anything = true
      else if ('break' in item) {
        if (page.isTurnedBy(item.break)) turn()
        if ('header' in item) page.startSection(item)
      } else if ('at_foot' in item) page.notes.push(...item.at_foot)
      else page.add(item)
    }
    page.notes.push(...this.#last)
    turn()
    return pages
  }
}

export interface FlowPage {
  blocks: Block[]
  size: PageSize | null
}

class OpenPage {
  size: PageSize | null
  has_anything = false
  readonly notes: Block[] = []
  readonly #body: Block[] = []
  readonly #footer: Block[] = []
  #has_text = false

  constructor(size: PageSize | null) {
    this.size = size
  }

  isTurnedBy(kind: BreakKind): boolean {
    return kind === 'always' || (kind === 'fresh' && this.has_anything) || (kind === 'rendered' && this.#has_text)
  }

  startSection({ size, header, footer }: Section): void {
    // A section that continues in the middle of a page does not change the page.
    if (!this.has_anything || !this.size) this.size = size ?? this.size
    this.#body.unshift(...header)
    this.#footer.push(...footer)
  }

  add(block: Block): void {
    this.#body.push(block)
    this.has_anything = true
    this.#has_text ||= block.text.trim() !== '' || block.type === 'figure'
  }

  close(): FlowPage {
    return { blocks: [...this.#body, ...this.notes, ...this.#footer], size: this.size }
  }
}

/** Headers and footers are only useful if they contain words: a number alone is the page number. */
export const isRunningText = (text: string): boolean => /\p{L}/u.test(text)

/** The content of a cell, a header or a note as one text. */
export class Lines implements Sink {
  readonly #lines: string[] = []
  readonly #outer: Sink | null
  was_broken = false

  constructor(outer: Sink | null) {
    this.#outer = outer
  }

  add(block: Block): void {
    if (block.text.trim() !== '') this.#lines.push(block.text)
  }
  addEmpty(): void {}
  breakPage(kind: BreakKind): void {
    if (kind !== 'none') this.was_broken = true
  }
  addNote(block: Block): void {
    if (this.#outer) this.#outer.addNote(block)
    else this.add(block)
  }
  get text(): string {
    return clipText(this.#lines.join('\n').trim())
  }
}

const PICTURES_ONLY = 'It has images and no text. Octavo does not run OCR on images in this format; upload it as a PDF.'

const rounded = (points: number): number => Math.round(points * 100) / 100

export function pageOf(blocks: Block[], size: PageSize | null, warnings: string[] = []): ParsedPage {
  const is_pictures = blocks.length > 0 && blocks.every(({ type }) => type === 'figure')
  const cut = blocks.length > MAX_BLOCKS ? ['It has too many blocks for one page; the last ones are missing.'] : []
  return {
    width: size && rounded(size.width),
    height: size && rounded(size.height),
    blocks: blocks.slice(0, MAX_BLOCKS),
    has_image: false,
    needs_ocr: false,
    warnings: [...warnings, ...cut, ...(is_pictures ? [PICTURES_ONLY] : [])],
  }
}
