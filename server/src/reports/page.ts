// Content of a human-readable report: formatted texts, limited in number and size so that they fit in memory.

import type { Chart, ColumnKind, ReportCount } from './report.ts'
import { cutText, isNumber, showValue } from './values.ts'

export interface ReportPage {
  title: string
  generated_at: string
  columns: { title: string; kind: ColumnKind; is_number: boolean }[]
  cells: string[][]
  row_count: number
  summary: { label: string; value: string }[]
  charts: Chart[]
  /** States which rows are left out and where to find them; null: everything is shown. */
  note: string | null
}

interface PageLimits {
  rows: number
  cell: number
  /** Total over all cells. */
  characters: number
}

const limits: Record<'html' | 'pdf', PageLimits> = {
  html: { rows: 10_000, cell: 1_000, characters: 8_000_000 },
  pdf: { rows: 2_000, cell: 300, characters: 600_000 },
}
const LINE = 300
const MOST_FIGURES = 24
const MOST_CHARTS = 12
const MOST_POINTS = { bar: 30, line: 1_000 }

const inLine = (text: string): string => cutText(readable(text).replace(/\s+/g, ' ').trim(), LINE)

/** Control characters that no page can show, and halves of a character. */
const readable = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are what is meant
  text.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]/g, '�')

const cutChart = ({ title, kind, x, y, data }: Chart): Chart => ({
  title: inLine(title),
  kind,
  x: inLine(x),
  y: inLine(y),
  data: data.slice(0, MOST_POINTS[kind]).map((point) => ({ x: cutText(readable(point.x), LINE), y: point.y })),
})

const grouped = (count: number): string => showValue(count, 'integer')

function noteOf(shown: number, row_count: number, is_cut: boolean): string | null {
  const rows =
    shown < row_count ? `The first ${grouped(shown)} of ${grouped(row_count)} rows; the CSV has all of them.` : ''
  return (
    [rows, is_cut ? 'Long texts are truncated here; the CSV has the full text.' : ''].filter(Boolean).join(' ') || null
  )
}

/** Reads all rows, so that it is known how many are not shown. */
export async function collectPage(report: ReportCount, format: 'html' | 'pdf'): Promise<ReportPage> {
  const most = limits[format]
  const cells: string[][] = []
  let left = most.characters
  let is_cut = false
  for await (const row of report.rows) {
    if (cells.length === most.rows || left <= 0) continue
    const texts = report.columns.map(({ name, kind }) => {
      const whole = showValue(row[name], kind)
      const text = cutText(whole, most.cell)
      is_cut ||= text !== whole
      return readable(text)
    })
    left -= texts.reduce((sum, text) => sum + text.length, 0)
    cells.push(texts)
  }
  const row_count = report.count()
  return {
    title: inLine(report.title),
    generated_at: showValue(report.generated_at, 'time'),
    columns: report.columns.map(({ title, kind }) => ({ title: inLine(title), kind, is_number: isNumber(kind) })),
    cells,
    row_count,
    summary: (report.summary ?? [])
      .slice(0, MOST_FIGURES)
      .map(({ label, value, kind }) => ({ label: inLine(label), value: inLine(showValue(value, kind ?? 'text')) })),
    charts: (report.charts ?? []).slice(0, MOST_CHARTS).map(cutChart),
    note: noteOf(cells.length, row_count, is_cut),
  }
}
