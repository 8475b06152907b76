// Results go to stdout; progress, remarks and errors go to stderr, so that a pipe carries only results.

import { styleText } from 'node:util'
import type { Explanation } from './errors.ts'
import { type CliColumn, mayFit, tabLine, tableLines } from './table.ts'
import { clean, jsonOf, wrap } from './width.ts'

export type CliStyle = Parameters<typeof styleText>[0]

const WIDEST_TEXT = 100
const DEFAULT_COLUMNS = 80

export class Terminal {
  readonly is_json: boolean
  /** Someone reads stdout with their eyes. */
  readonly is_human: boolean

  constructor(is_json: boolean) {
    this.is_json = is_json
    this.is_human = process.stdout.isTTY && !is_json
  }

  get columns(): number {
    return process.stdout.columns || DEFAULT_COLUMNS
  }

  /** Lines that are too long are hard to read. */
  get textColumns(): number {
    return Math.min(this.columns, WIDEST_TEXT)
  }

  /** Applies colors if stdout is a terminal that supports them (NO_COLOR, FORCE_COLOR). */
  style(style: CliStyle, text: string): string {
    return styleText(style, text, { stream: process.stdout })
  }

  line(text = ''): void {
    process.stdout.write(`${text}\n`)
  }

  /** One value in one line. */
  json(value: unknown): void {
    process.stdout.write(`${jsonOf(value)}\n`)
  }

  /** A remark beside the results; not for programs. */
  remark(text: string): void {
    if (!this.is_json) process.stderr.write(`${text}\n`)
  }

  /** Aligned with titles for people, or beneath each other where that is too wide; tabs without titles for programs. */
  table(
    columns: readonly CliColumn[],
    rows: readonly (readonly string[])[],
    styleOf?: (row: number) => CliStyle | undefined,
  ): void {
    if (!this.is_human) {
      for (const row of rows) this.line(tabLine(row))
      return
    }
    if (!mayFit(columns, rows, this.columns)) {
      for (const [i, row] of rows.entries()) {
        if (i > 0) this.line()
        this.facts(Object.fromEntries(columns.map(({ title }, at) => [title, row[at]])))
      }
      return
    }
    const [titles = '', ...lines] = tableLines(columns, rows, this.columns)
    this.line(this.style('dim', titles))
    for (const [i, line] of lines.entries()) this.line(this.style(styleOf?.(i) ?? 'reset', line))
  }

  /** Names and values of one thing; what is null is left out. */
  facts(facts: Record<string, string | number | null | undefined>): void {
    const shown = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined && value !== '')
    const widest = Math.max(...shown.map(([name]) => name.length))
    for (const [name, value] of shown) {
      if (!this.is_human) {
        this.line(tabLine([name, String(value)]))
        continue
      }
      const lines = wrap(clean(String(value)), this.textColumns - widest - 2)
      this.line(`${this.style('dim', name.padEnd(widest))}  ${lines.join(`\n${' '.repeat(widest + 2)}`)}`)
    }
  }

  complain({ message, hint, request_id, code }: Explanation): void {
    if (message === null) return
    if (this.is_json) {
      process.stderr.write(`${jsonOf({ error: { code, message, hint, request_id } })}\n`)
      return
    }
    const red = styleText('red', 'error:', { stream: process.stderr })
    const next = [hint, request_id && `(${request_id})`].filter(Boolean).join(' ')
    process.stderr.write(`${red} ${clean(message)}\n${next ? `       ${clean(next)}\n` : ''}`)
  }
}
