// A run of paragraphs of RTF: the document itself, a note, a header, a text box.

import type { Block } from '@octavo/contract'
import type { Sink } from './flow.ts'
import { type CellEdge, type RtfRow, rtfTable } from './rtf-table.ts'

export interface Paragraph {
  style: number
  outline: number | null
  list: number
  level: number
  indent: number
  first: number
  breaks_before: boolean
  in_table: boolean
}

export const PLAIN: Paragraph = {
  style: 0,
  outline: null,
  list: 0,
  level: 0,
  indent: 0,
  first: 0,
  breaks_before: false,
  in_table: false,
}

/** Data from the tables at the start of the file. */
export interface RtfLooks {
  styles: ReadonlyMap<number, { name: string; outline: number | null }>
  /** Whether code can be recognized by its font: not if the default font is a code font. */
  is_code_told: boolean
}

export class Story {
  kind: 'body' | 'footnote' | 'endnote' | 'header' | 'footer' | 'box'
  readonly sink: Sink
  /** Blocks drawn inside the paragraph; they are placed after it. */
  readonly after: Block[] = []
  /** The number or the bullet of an item, where the file writes it. */
  marker = ''
  #text = ''
  #letters = 0
  #code_letters = 0
  #rows: RtfRow[] = []
  #cells: string[] = []
  #lines: string[] = []
  #edges: CellEdge[] = []
  #left = 0
  #joins = { joins_left: false, joins_above: false }

  constructor(kind: Story['kind'], sink: Sink) {
    this.kind = kind
    this.sink = sink
  }

  write(text: string, is_code: boolean): void {
    this.#text += text
    const letters = text.replace(/\s+/g, '').length
    this.#letters += letters
    if (is_code) this.#code_letters += letters
  }

  /** Whether the word was about a table. */
  tableWord(word: string, number: number): boolean {
    if (word === 'trowd') {
      this.#edges = []
      this.#left = 0
    } else if (word === 'trleft') this.#left = number
    else if (word === 'clvmrg') this.#joins.joins_above = true
    else if (word === 'clmrg') this.#joins.joins_left = true
    else if (word === 'cellx') {
      this.#edges.push({ ...this.#joins, right: number })
      this.#joins = { joins_left: false, joins_above: false }
    } else if (word === 'cell') {
      this.#endLine()
      this.#cells.push(this.#lines.join('\n'))
      this.#lines = []
    } else if (word === 'row') this.#endRow()
    else return false
    return true
  }

  #endRow(): void {
    if (this.#cells.length > 0) this.#rows.push({ left: this.#left, edges: this.#edges, texts: this.#cells })
    this.#cells = []
  }

  /** `is_cut`: nothing said that the paragraph ends here. */
  endParagraph(paragraph: Paragraph, looks: RtfLooks, is_cut: boolean): void {
    if (is_cut && this.#text.trim() === '' && this.after.length === 0) {
      this.#text = ''
      return
    }
    if (paragraph.in_table || this.#cells.length > 0) {
      this.#endLine()
      return
    }
    this.endTable()
    if (paragraph.breaks_before) this.sink.breakPage('fresh')
    const block = this.#blockOf(paragraph, looks)
    if (block.text.trim() === '') this.sink.addEmpty()
    else this.sink.add(block)
    this.#clear()
    for (const other of this.after.splice(0)) this.sink.add(other)
  }

  endTable(): void {
    this.#endRow()
    const block = this.#rows.length > 0 ? rtfTable(this.#rows) : null
    this.#rows = []
    if (block) this.sink.add(block)
  }

  #endLine(): void {
    const text = this.#numbered().trim()
    if (text !== '') this.#lines.push(text)
    this.#clear()
    for (const { text: words } of this.after.splice(0)) if (words !== '') this.#lines.push(words)
  }

  #clear(): void {
    this.#text = ''
    this.marker = ''
    this.#letters = 0
    this.#code_letters = 0
  }

  #numbered(): string {
    const marker = this.marker.trim()
    return /[\p{L}\p{N}]/u.test(marker) ? `${marker} ${this.#text.trim()}` : this.#text.trim()
  }

  #blockOf(paragraph: Paragraph, { styles, is_code_told }: RtfLooks): Block {
    const style = styles.get(paragraph.style)
    const text = this.#text.trim()
    if (/^title$/i.test(style?.name ?? '')) return { type: 'title', text }
    const outline = paragraph.outline ?? style?.outline ?? null
    if (outline !== null) return { type: 'heading', level: Math.min(9, outline), text: this.#numbered() }
    if (paragraph.list > 0 || this.marker !== '')
      return { type: 'list_item', level: paragraph.level + 1, text: this.#numbered() }
    const [, sign = '', item = ''] = /^([\u2022\u2013\u25e6\u25aa\u2023*\u00b7-]|\w{1,3}[.)])\t(.*)$/s.exec(text) ?? []
    if (sign !== '' && paragraph.first < 0) {
      const level = Math.min(9, Math.max(1, Math.round(paragraph.indent / 360)))
      return { type: 'list_item', level, text: /\w/.test(sign) ? `${sign} ${item}` : item }
    }
    const is_code = is_code_told && this.#letters > 0 && this.#code_letters === this.#letters
    if (is_code || /^(html )?preformatted( text)?$/i.test(style?.name ?? ''))
      return { type: 'code', text: this.#text.trimEnd() }
    return { type: 'paragraph', text }
  }
}
