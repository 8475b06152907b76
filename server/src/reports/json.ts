import type { ReportCount } from './report.ts'
import { dataOf } from './values.ts'

/** Writes one object. The number of rows comes last, because it is only known at the end. */
export async function* writeJson({ rows, columns, count, ...report }: ReportCount): AsyncIterable<string> {
  const { title, type, generated_at, summary = [], charts = [] } = report
  const about = {
    title,
    type,
    generated_at,
    columns,
    summary: summary.map(({ label, value }) => ({ label, value: dataOf(value) })),
    charts,
  }
  yield `${JSON.stringify(about).slice(0, -1)},"rows":[`
  let separator = '\n'
  for await (const row of rows) {
    yield separator + JSON.stringify(Object.fromEntries(columns.map(({ name }) => [name, dataOf(row[name])])))
    separator = ',\n'
  }
  yield `\n],"row_count":${count()}}\n`
}
