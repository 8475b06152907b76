import type { Chart, ReportColumn, ReportCount } from './report.ts'
import { isNumber, showValue } from './values.ts'

/** Nothing of it means anything to a reader of Markdown, and it stays within its cell. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_{}[\]|~#!$]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\r\n|[\n\r\u2028\u2029\v\f\u0085]/g, '<br>')
    .replaceAll('\t', ' ')
}

const inLine = (text: string): string => escapeMarkdown(text.replace(/\s+/g, ' '))
const markdownRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`

function headOf(columns: readonly Pick<ReportColumn, 'title' | 'kind'>[]): string {
  return (
    markdownRow(columns.map(({ title }) => inLine(title))) +
    markdownRow(columns.map(({ kind }) => (isNumber(kind) ? '---:' : '---')))
  )
}

function writeChart({ title, x, y, data }: Chart): string {
  const head = headOf([
    { title: x, kind: 'text' },
    { title: y, kind: 'number' },
  ])
  const body = data.map((point) => markdownRow([escapeMarkdown(point.x), showValue(point.y, 'number')])).join('')
  return `## ${inLine(title)}\n\n${head}${body}\n`
}

export async function* writeMarkdown({
  title,
  generated_at,
  columns,
  rows,
  summary = [],
  charts = [],
}: ReportCount): AsyncIterable<string> {
  yield `# ${inLine(title)}\n\n${showValue(generated_at, 'time')} UTC\n\n`
  for (const { label, value, kind } of summary)
    yield `- **${inLine(label)}:** ${escapeMarkdown(showValue(value, kind ?? 'text'))}\n`
  if (summary.length) yield '\n'
  yield* charts.map(writeChart)
  yield headOf(columns)
  for await (const row of rows)
    yield markdownRow(columns.map(({ name, kind }) => escapeMarkdown(showValue(row[name], kind))))
}
