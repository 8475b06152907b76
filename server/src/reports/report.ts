// The content of a report. `json` and `csv` are data with API field names; the other formats are for people and use
// titles.

import type { Readable } from 'node:stream'

/** `markdown`: text that a model wrote; a page shows its paragraphs, lists and emphasis, and nothing else of it. */
export type ColumnKind = 'text' | 'markdown' | 'integer' | 'number' | 'time' | 'money_micros' | 'boolean'

export interface ReportColumn {
  /** As on the wire: the member in `json`, the heading in `csv`. */
  name: string
  /** As people read it. */
  title: string
  kind: ColumnKind
}

export interface Chart {
  title: string
  kind: 'bar' | 'line'
  /** Titles of the axes. */
  x: string
  y: string
  /** `x`: a name, or for a line also a time. */
  data: readonly { x: string; y: number }[]
}

export interface ReportContent {
  title: string
  generated_at: string
  type: string
  columns: readonly ReportColumn[]
  rows: AsyncIterable<Record<string, unknown>>
  charts?: readonly Chart[]
  summary?: readonly { label: string; value: unknown; kind?: ColumnKind }[]
}

export type ReportFormat = 'json' | 'csv' | 'markdown' | 'html' | 'pdf'

/** The rows as they pass, counted. */
export type ReportCount = Omit<ReportContent, 'rows'> & {
  rows: AsyncIterable<Record<string, unknown>>
  count: () => number
}

export interface RenderedReport {
  media_type: string
  file_extension: string
  bytes: Readable
  /** All rows of the report, once the bytes are at their end. */
  row_count(): number
}
