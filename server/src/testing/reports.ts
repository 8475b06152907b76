// Reports as a test reads them: made, and what is in the file.

import assert from 'node:assert/strict'
import type { NewReport, Octavo, Report } from '@octavo/sdk'
import type { TestApi } from './api.ts'
import { ask, type TestAnswer } from './ask.ts'

/** A report in JSON. */
export interface ReportJson {
  title: string
  rows: Record<string, unknown>[]
  row_count: number
  summary: { label: string; value: unknown }[]
  charts: { title: string; kind: string; data: { x: string; y: number }[] }[]
}

export const contentsOf = (
  api: Pick<TestApi, 'url' | 'owner_key'>,
  file_id: string,
  key: string = api.owner_key,
): Promise<TestAnswer> => ask(api, `/api/v1/files/${file_id}/contents`, { key })

/** Uses the owner's key by default. */
export async function makeReport(
  api: TestApi,
  input: NewReport,
  { client, secret }: { client: Octavo; secret: string } = { client: api.owner, secret: api.owner_key },
): Promise<TestAnswer & { report: Report }> {
  const report = await client.reports.create(input)
  assert.deepEqual([report.status, report.error], ['succeeded', null])
  return { ...(await contentsOf(api, report.file_id!, secret)), report }
}

export const csvLines = (csv: string): string[] => csv.split('\r\n').slice(0, -1)
