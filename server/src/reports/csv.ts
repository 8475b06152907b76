// RFC 4180: comma, CRLF, quotes doubled. UTF-8 without a byte order mark.

import type { ReportColumn, ReportCount } from './report.ts'
import { valueText } from './values.ts'

/**
 * Spreadsheets run a cell that begins with one of these characters as a formula, and document text is untrusted: an
 * apostrophe is put before it. The wide forms count as the narrow ones under East Asian input settings.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const QUOTED = /[",\r\n]/
const written_by_others: ReadonlySet<ReportColumn['kind']> = new Set(['text', 'markdown'])

function writeCell(value: unknown, kind: ReportColumn['kind']): string {
  const text = valueText(value)
  // A kind is a promise of the caller's; text where a number was promised is guarded like text.
  const is_ours =
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    (!written_by_others.has(kind) && /^-?\d+(\.\d+)?$/.test(text))
  const safe = !is_ours && FORMULA.test(text) ? `'${text}` : text
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export async function* writeCsv({ columns, rows }: ReportCount): AsyncIterable<string> {
  yield `${columns.map(({ name }) => writeCell(name, 'text')).join(',')}\r\n`
  for await (const row of rows) yield `${columns.map(({ name, kind }) => writeCell(row[name], kind)).join(',')}\r\n`
}
