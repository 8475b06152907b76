// All rows of a report, as they are read: never more than a part of them is held.

import type { Reader } from '../../db/database.ts'
import * as store from './reports.store.ts'

export type ReportSpan = store.ReportSpan

type ReadPart<Row> = (db: Reader, span: ReportSpan, before: string | null) => Promise<store.ReportPart<Row>>

async function* inParts<Row>(db: Reader, span: ReportSpan, read: ReadPart<Row>): AsyncGenerator<Row> {
  for (let before: string | null = null; ; ) {
    const { rows, next }: store.ReportPart<Row> = await read(db, span, before)
    yield* rows
    if (next === null) return
    before = next
  }
}

export const documentRows = (db: Reader, span: ReportSpan): AsyncGenerator<store.DocumentLine> =>
  inParts(db, span, store.listDocuments)
export const analysisRows = (db: Reader, span: ReportSpan): AsyncGenerator<store.AnalysisLine> =>
  inParts(db, span, store.listAnalyses)
export const classificationRows = (db: Reader, span: ReportSpan): AsyncGenerator<store.ClassificationLine> =>
  inParts(db, span, store.listClassifications)

const SUMMED = ['pages', 'input_tokens', 'output_tokens', 'compute_ms', 'cost_micros'] as const
const usageKey = ({ project_id, key_id, model, provider, locality }: store.UsageLine): string =>
  JSON.stringify([project_id, key_id, model, provider, locality])

/** One row for each day, project, key and model. A day is held until all of it is read. */
export async function* usageRows(db: Reader, span: ReportSpan): AsyncGenerator<store.UsageLine> {
  let day = ''
  const ofDay = new Map<string, store.UsageLine>()
  for await (const line of inParts(db, span, store.sumUsage)) {
    if (line.day !== day) {
      yield* inOrder(ofDay)
      ofDay.clear()
      day = line.day
    }
    const before = ofDay.get(usageKey(line))
    if (before) for (const column of SUMMED) before[column] += line[column]
    else ofDay.set(usageKey(line), line)
  }
  yield* inOrder(ofDay)
}

const inOrder = (lines: ReadonlyMap<string, store.UsageLine>): store.UsageLine[] =>
  [...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
