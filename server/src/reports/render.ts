// A report is a table with a few figures above it, written as a file. `json`, `csv` and `markdown` are streamed row by row
// and hold everything; `html` and `pdf` are pages for people, of a bounded length.

import { Readable } from 'node:stream'
import { writeCsv } from './csv.ts'
import { writeJson } from './json.ts'
import { writeMarkdown } from './markdown.ts'
import { collectPage } from './page.ts'
import { pressPage } from './press.ts'
import type { RenderedReport, ReportContent, ReportCount, ReportFormat } from './report.ts'

/** Small pieces cost a system call each. */
const PIECE_CHARACTERS = 65_536

type Writer = (report: ReportCount, signal: AbortSignal | undefined) => AsyncIterable<string | Uint8Array>

const formats: Record<ReportFormat, { media_type: string; file_extension: string; write: Writer }> = {
  json: { media_type: 'application/json', file_extension: 'json', write: writeJson },
  csv: { media_type: 'text/csv; charset=utf-8', file_extension: 'csv', write: writeCsv },
  markdown: { media_type: 'text/markdown; charset=utf-8', file_extension: 'md', write: writeMarkdown },
  html: {
    media_type: 'text/html; charset=utf-8',
    file_extension: 'html',
    write: (report, signal) => writePage(report, 'html', signal),
  },
  pdf: {
    media_type: 'application/pdf',
    file_extension: 'pdf',
    write: (report, signal) => writePage(report, 'pdf', signal),
  },
}

export function renderReport(
  report: ReportContent,
  format: ReportFormat,
  more: { signal?: AbortSignal } = {},
): RenderedReport {
  let row_count = 0
  async function* counted() {
    for await (const row of report.rows) {
      more.signal?.throwIfAborted()
      row_count += 1
      yield row
    }
  }
  const { media_type, file_extension, write } = formats[format]
  const written = write({ ...report, rows: counted(), count: () => row_count }, more.signal)
  return {
    media_type,
    file_extension,
    bytes: Readable.from(inPieces(written), { objectMode: false }),
    row_count: () => row_count,
  }
}

async function* inPieces(written: AsyncIterable<string | Uint8Array>): AsyncIterable<Uint8Array> {
  let waiting = ''
  for await (const piece of written) {
    if (typeof piece !== 'string') {
      yield piece
      continue
    }
    waiting += piece
    if (waiting.length < PIECE_CHARACTERS) continue
    yield Buffer.from(waiting)
    waiting = ''
  }
  if (waiting) yield Buffer.from(waiting)
}

async function* writePage(
  report: ReportCount,
  format: 'html' | 'pdf',
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  yield await pressPage(await collectPage(report, format), format, signal)
}
