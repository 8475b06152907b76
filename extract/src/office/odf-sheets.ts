// The sheets of OpenDocument, row by row. All of them are in one part, which is read through once as long as they are asked for in order.

import type { Block } from '@octavo/contract'
import type { SheetCell, SheetRow } from './sheets.ts'
import { spanOf } from './table.ts'
import { scanXmlSlices } from './xml.ts'

/** Rows and cells that repeat may make a small file endless; this many more than are written are made of them. */
const MAX_REPEATED_CELLS = 1_000_000
const MAX_ROW = 1_048_576
const MAX_COLUMN = 16_384

export interface OdfSheetHead {
  name: string
  style: string | undefined
}

type Event = { sheet: number; row: SheetRow | null }
type Handler = {
  is_cell: boolean
  column: number
  cell: (SheetCell & { times: number; value: string; lines: string[] }) | null
}

export class OdfSheets {
  readonly heads: OdfSheetHead[] = []
  /** By the sheet: text boxes and pictures. */
  readonly others: Block[][] = []
  was_cut = false
  readonly #content: Uint8Array
  #events: Generator<Event, void> | null = null
  #held: Event | null = null
  #next_sheet = 0

  constructor(content: Uint8Array) {
    this.#content = content
    // The first reading finds out which sheets there are.
    for (const _ of this.#read());
  }

  *rows(sheet: number): Generator<SheetRow, void> {
    if (!this.#events || this.#next_sheet !== sheet) {
      this.#events = this.#read()
      this.#held = null
    }
    this.#next_sheet = -1
    const events = this.#events
    for (;;) {
      const event: Event | void = this.#held ?? events.next().value
      this.#held = null
      if (!event) break
      if (event.sheet > sheet) {
        this.#held = event
        break
      }
      if (event.sheet === sheet && event.row) yield event.row
    }
    this.#next_sheet = sheet + 1
  }

  *#read(): Generator<Event, void> {
    const done: Event[] = []
    const scan = new SheetScan(this, done)
    for (const _ of scanXmlSlices(this.#content, scan)) {
      for (const event of done.splice(0)) yield* scan.repeated(event)
    }
  }
}

/** State of one pass over the part. */
class SheetScan {
  readonly #sheets: OdfSheets
  readonly #done: Event[]
  readonly #state: Handler = { is_cell: false, column: 0, cell: null }
  #sheet = -1
  #tables = 0
  #row = 0
  #row_times = 1
  #cells: SheetCell[] = []
  #drawn = 0
  #unseen = 0
  #paragraphs = 0
  #line = ''
  #left = MAX_REPEATED_CELLS
  readonly #times = new Map<SheetRow, number>()

  constructor(sheets: OdfSheets, done: Event[]) {
    this.#sheets = sheets
    this.#done = done
  }

  open(name: string, attributes: Record<string, string>): void {
    if (name === 'table:table') this.#openTable(attributes)
    else if (this.#tables !== 1) return
    else if (name.startsWith('draw:') || name === 'table:shapes') {
      this.#drawn++
      if (name === 'draw:image') this.#others.push({ type: 'figure', text: '' })
    } else if (name === 'office:annotation') this.#unseen++
    else if (name === 'table:table-row') {
      this.#row_times = spanOf(attributes['table:number-rows-repeated'], MAX_ROW)
      this.#row += 1
      this.#state.column = 0
      this.#cells = []
    } else if (name === 'table:table-cell' && this.#drawn === 0) this.#openCell(attributes)
    else if (name === 'table:covered-table-cell')
      this.#state.column += spanOf(attributes['table:number-columns-repeated'])
    else if (name === 'text:p') {
      if (this.#paragraphs++ === 0) this.#line = ''
    } else if (name === 'text:s') this.#line += ' '.repeat(spanOf(attributes['text:c'], 1000))
    else if (name === 'text:tab') this.#line += '\t'
    else if (name === 'text:line-break') this.#line += '\n'
  }

  #openTable(attributes: Record<string, string>): void {
    if (++this.#tables !== 1) return
    this.#sheet++
    this.#row = 0
    this.#sheets.heads[this.#sheet] ??= { name: attributes['table:name'] ?? '', style: attributes['table:style-name'] }
    this.#sheets.others[this.#sheet] = []
    this.#done.push({ sheet: this.#sheet, row: null })
  }

  #openCell(attributes: Record<string, string>): void {
    this.#state.cell = {
      column: this.#state.column + 1,
      times: spanOf(attributes['table:number-columns-repeated']),
      row_span: spanOf(attributes['table:number-rows-spanned'], MAX_ROW),
      column_span: spanOf(attributes['table:number-columns-spanned']),
      value: attributes['office:value'] ?? attributes['office:date-value'] ?? attributes['office:string-value'] ?? '',
      text: '',
      lines: [],
    }
  }

  text(text: string): void {
    if (this.#paragraphs > 0 && this.#unseen === 0) this.#line += text.replace(/[ \t\r\n]+/g, ' ')
  }

  close(name: string): void {
    if (name === 'table:table') this.#tables--
    else if (this.#tables !== 1) return
    else if (name.startsWith('draw:') || name === 'table:shapes') this.#drawn--
    else if (name === 'office:annotation') this.#unseen--
    else if (name === 'text:p' && this.#unseen === 0) {
      if (--this.#paragraphs > 0) return
      if (this.#drawn === 0) this.#state.cell?.lines.push(this.#line)
      else if (this.#line.trim() !== '') this.#others.push({ type: 'paragraph', text: this.#line.trim() })
    } else if (name === 'text:p') this.#paragraphs--
    else if (name === 'table:table-cell' && this.#drawn === 0) this.#closeCell()
    else if (name === 'table:table-row') this.#closeRow()
  }

  #closeCell(): void {
    const { cell } = this.#state
    if (!cell) return
    this.#state.cell = null
    const { times, value, lines, column, row_span, column_span } = cell
    const text = lines.join('\n').trim() || value
    this.#state.column = Math.min(MAX_COLUMN, this.#state.column + times)
    if (text === '' || column > MAX_COLUMN) return
    const made = this.#afford(times, 1)
    for (let i = 0; i < made && column + i <= MAX_COLUMN; i++)
      this.#cells.push({ column: column + i, text, row_span, column_span })
  }

  #closeRow(): void {
    if (this.#cells.length > 0 && this.#row <= MAX_ROW) {
      const row: SheetRow = { row: this.#row, cells: this.#cells }
      this.#times.set(row, this.#afford(this.#row_times, this.#cells.length))
      this.#done.push({ sheet: this.#sheet, row })
    }
    this.#row += this.#row_times - 1
  }

  /** How often something is really repeated. */
  #afford(times: number, cells: number): number {
    const more = Math.min(times - 1, Math.floor(this.#left / cells))
    if (more < times - 1) this.#sheets.was_cut = true
    this.#left -= more * cells
    return 1 + more
  }

  *repeated(event: Event): Generator<Event, void> {
    const { sheet, row } = event
    const times = (row && this.#times.get(row)) ?? 1
    if (row) this.#times.delete(row)
    yield event
    if (row) for (let i = 1; i < times; i++) yield { sheet, row: { row: row.row + i, cells: row.cells } }
  }

  get #others(): Block[] {
    return this.#sheets.others[this.#sheet] ?? []
  }
}
