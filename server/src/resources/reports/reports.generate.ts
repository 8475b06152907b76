// Creates a report: streams rows into a file. Its bytes are stored first; the file's row is written with the result.

import type { RequestOf } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import { objectKey } from '../../files/keys.ts'
import { floorUuid, newId, newUuid } from '../../lib/ids.ts'
import { measured } from '../../lib/streams.ts'
import { instantOf } from '../../lib/time.ts'
import type { GeneratedResult, OutcomeWork } from '../../outcomes/outcomes.run.ts'
import { renderReport } from '../../reports/render.ts'
import type { ReportContent as Written } from '../../reports/report.ts'
import { createReportFile, type NewFileRow, removeLoose } from '../files/files.service.ts'
import type { ReportSpan } from './reports.rows.ts'
import { type Above, tables } from './reports.tables.ts'

type ReportGenerateNeeds = Needs<'db' | 'models' | 'files'>
type ReportRequest = RequestOf<'report'>
const ROWS_OF_A_TELLING = 1_000

export async function makeReport(work: OutcomeWork<'report', ReportGenerateNeeds>): Promise<GeneratedResult<'report'>> {
  const asked = work.request
  const now = new Date()
  const span = spanOf(work.project_id, asked.filters, now)
  const report = await openReport(work, asked, { span, now })
  const object_id = newUuid()
  const tidy = (): Promise<void> => removeLoose(work.app, work.run.db, [object_id]).catch(() => {})
  try {
    const { file, row_count } = await storeReport(work, { report, object_id, asked })
    const keep: NonNullable<GeneratedResult<'report'>['keep']> = (tx) =>
      createReportFile(tx, { id: work.run.job.subject.id, project_id: work.project_id }, file)
    return { result: { file_id: file.id, row_count }, method: 'rules', keep, tidy }
  } catch (error) {
    await tidy()
    throw error
  }
}

/** Excludes rows that are added while the report is written, so that its figures match its rows. */
function spanOf(project_id: string | null, filters: ReportRequest['filters'], now: Date): ReportSpan {
  const { created_after, created_before } = filters ?? {}
  const before =
    created_before === undefined ? now.getTime() + 1 : Math.min(now.getTime() + 1, instantOf(created_before).getTime())
  const after = created_after === undefined ? new Date(0) : instantOf(created_after)
  return { project_id, from: floorUuid(after), to: floorUuid(new Date(before)) }
}

async function openReport(
  { run }: OutcomeWork<'report', ReportGenerateNeeds>,
  { title, type, format }: ReportRequest,
  { span, now }: { span: ReportSpan; now: Date },
): Promise<Written> {
  const table = tables[type]
  // A CSV has rows and nothing else.
  const above = format === 'csv' ? {} : await countAll(run, table.rows(run.db, span), table.count())
  const isPage = format === 'html' || format === 'pdf'
  const columns = isPage ? table.columns.filter(({ name }) => !table.data_only.includes(name)) : table.columns
  return { title, type, generated_at: now.toISOString(), columns, rows: table.rows(run.db, span), ...above }
}

async function countAll<Row>(
  { signal }: { signal: AbortSignal },
  rows: AsyncIterable<Row>,
  counting: { add(row: Row): void; above(): Above },
): Promise<Above> {
  for await (const row of rows) {
    signal.throwIfAborted()
    counting.add(row)
  }
  return counting.above()
}

async function storeReport(
  { app, run }: OutcomeWork<'report', ReportGenerateNeeds>,
  { report, object_id, asked }: { report: Written; object_id: string; asked: ReportRequest },
): Promise<{ file: NewFileRow; row_count: number }> {
  const { signal } = run
  const rows = told(report.rows, (completed) =>
    run.progress({ unit: 'items', completed, failed: 0, total: null }, 'writing'),
  )
  const rendered = renderReport({ ...report, rows }, asked.format, { signal })
  const { media_type, file_extension } = rendered
  const passing = measured(rendered.bytes)
  const size_bytes = await app.files.put(objectKey(run.tenant, object_id), passing.bytes, { media_type, signal })
  // Never of the title, which may be anything.
  const file_name = `${asked.type}-${report.generated_at.slice(0, 10)}.${file_extension}`
  const { sha256 } = passing.read()
  return {
    file: { id: newId('file'), kind: 'report', object_id, file_name, media_type, size_bytes, sha256 },
    row_count: rendered.row_count(),
  }
}

async function* told<Row>(rows: AsyncIterable<Row>, tell: (count: number) => void): AsyncGenerator<Row> {
  let count = 0
  for await (const row of rows) {
    yield row
    if (++count % ROWS_OF_A_TELLING === 0) tell(count)
  }
}
