// The four types of reports: where their rows come from, which columns they have, and what is counted above them.

import { namesOf, type ReportType } from '@octavo/contract'
import type { Reader } from '../../db/database.ts'
import type { Chart, ReportColumn } from '../../reports/report.ts'
import { ByDay, ByName, type Figure } from './reports.figures.ts'
import { analysisRows, classificationRows, documentRows, type ReportSpan, usageRows } from './reports.rows.ts'
import type { AnalysisLine, ClassificationLine, DocumentLine, UsageLine } from './reports.store.ts'

export interface Above {
  summary: Figure[]
  charts: Chart[]
}
interface CountColumn<Row> {
  add(row: Row): void
  above(): Above
}
interface ReportTable<Row> {
  title: string
  columns: readonly ReportColumn[]
  /** Columns for programs, which a page for people does not show. */
  data_only: readonly string[]
  rows(db: Reader, span: ReportSpan): AsyncGenerator<Row>
  count(): CountColumn<Row>
}

const MICROS = 1_000_000
const column = (name: string, title: string, kind: ReportColumn['kind'] = 'text'): ReportColumn => ({
  name,
  title,
  kind,
})
const project = [column('project_id', 'Project id'), column('project_name', 'Project')]

const documents: ReportTable<DocumentLine> = {
  title: 'Documents',
  columns: [
    column('document_id', 'Document id'),
    column('title', 'Title'),
    ...project,
    column('status', 'Status'),
    column('page_count', 'Pages', 'integer'),
    column('language', 'Language'),
    column('media_type', 'Media type'),
    column('size_bytes', 'Bytes', 'integer'),
    column('created_at', 'Created', 'time'),
  ],
  data_only: ['document_id', 'project_id'],
  rows: documentRows,
  count() {
    const [byStatus, byDay, sums] = [new ByName(), new ByDay(), { documents: 0, pages: 0, bytes: 0 }]
    return {
      add({ status, page_count, size_bytes, created_at }) {
        byStatus.add(status)
        byDay.add(created_at)
        sums.documents++
        sums.pages += page_count
        sums.bytes += size_bytes ?? 0
      },
      above: () => ({
        summary: [
          { label: 'Documents', value: sums.documents, kind: 'integer' },
          { label: 'Pages', value: sums.pages, kind: 'integer' },
          { label: 'Bytes', value: sums.bytes, kind: 'integer' },
        ],
        charts: [
          ...byStatus.chart({ title: 'Documents by status', x: 'Status', y: 'Documents' }),
          ...byDay.chart({ title: 'New documents', y: 'Documents' }),
        ],
      }),
    }
  },
}

const analysis: ReportTable<AnalysisLine> = {
  title: 'Analysis',
  columns: [
    column('document_id', 'Document id'),
    column('title', 'Title'),
    ...project,
    column('analysis_id', 'Analysis id'),
    column('language', 'Language'),
    column('words', 'Words', 'integer'),
    column('sentences', 'Sentences', 'integer'),
    column('key_phrases', 'Key phrases'),
    column('sentiment', 'Sentiment'),
    column('sentiment_score', 'Score', 'number'),
    column('topics', 'Topics'),
    column('personal_data_count', 'Personal data', 'integer'),
    column('model', 'Model'),
    column('created_at', 'Analysed', 'time'),
  ],
  data_only: ['document_id', 'project_id', 'analysis_id', 'sentences', 'sentiment_score', 'model'],
  rows: analysisRows,
  count() {
    const [byLanguage, byTopic, bySentiment, sums] = [
      new ByName(),
      new ByName(),
      new ByName(),
      { documents: 0, words: 0, personal: 0 },
    ]
    return {
      add({ language, words, sentiment, topics, personal_data_count }) {
        if (language) byLanguage.add(language)
        if (sentiment) bySentiment.add(sentiment)
        for (const topic of topics ?? []) byTopic.add(topic)
        sums.documents++
        sums.words += words ?? 0
        sums.personal += personal_data_count ?? 0
      },
      above: () => ({
        summary: [
          { label: 'Documents', value: sums.documents, kind: 'integer' },
          { label: 'Words', value: sums.words, kind: 'integer' },
          { label: 'Personal data', value: sums.personal, kind: 'integer' },
        ],
        charts: [
          ...byLanguage.chart({ title: 'Documents by language', x: 'Language', y: 'Documents' }),
          ...byTopic.chart({ title: 'Documents by topic', x: 'Topic', y: 'Documents' }),
          ...bySentiment.chart({ title: 'Documents by sentiment', x: 'Sentiment', y: 'Documents' }),
        ],
      }),
    }
  },
}

const classifications: ReportTable<ClassificationLine> = {
  title: 'Classifications',
  columns: [
    column('classification_id', 'Classification'),
    column('document_id', 'Document id'),
    column('title', 'Title'),
    ...project,
    column('label', 'Label'),
    column('score', 'Score', 'number'),
    column('model', 'Model'),
    column('created_at', 'Classified', 'time'),
  ],
  data_only: ['document_id', 'project_id'],
  rows: classificationRows,
  count() {
    const [byLabel, sums] = [new ByName(), { all: 0, unlabelled: 0 }]
    return {
      add({ label }) {
        sums.all++
        if (label === null) sums.unlabelled++
        else byLabel.add(label)
      },
      above: () => ({
        summary: [
          { label: 'Classifications', value: sums.all, kind: 'integer' },
          { label: 'Without a label', value: sums.unlabelled, kind: 'integer' },
        ],
        charts: byLabel.chart({ title: 'Classifications by label', x: 'Label', y: 'Classifications' }),
      }),
    }
  },
}

const usage: ReportTable<UsageLine> = {
  title: 'Usage',
  columns: [
    column('day', 'Day'),
    ...project,
    column('key_id', 'Key'),
    column('model', 'Model'),
    column('provider', 'Provider'),
    column('locality', 'Locality'),
    column('pages', 'Pages', 'integer'),
    column('input_tokens', 'Input tokens', 'integer'),
    column('output_tokens', 'Output tokens', 'integer'),
    column('compute_ms', 'Compute, ms', 'integer'),
    column('cost_micros', 'Cost', 'money_micros'),
  ],
  data_only: ['project_id', 'provider', 'locality'],
  rows: usageRows,
  count() {
    const [costByDay, costByModel, pagesByDay] = [new ByDay(), new ByName(), new ByDay()]
    const sums = { pages: 0, input_tokens: 0, output_tokens: 0, compute_ms: 0, cost_micros: 0 }
    return {
      add(line) {
        costByDay.add(line.day, line.cost_micros)
        costByModel.add(line.model, line.cost_micros)
        pagesByDay.add(line.day, line.pages)
        for (const name of namesOf(sums)) sums[name] += line[name]
      },
      above: () => ({
        summary: [
          { label: 'Pages', value: sums.pages, kind: 'integer' },
          { label: 'Input tokens', value: sums.input_tokens, kind: 'integer' },
          { label: 'Output tokens', value: sums.output_tokens, kind: 'integer' },
          { label: 'Compute, ms', value: sums.compute_ms, kind: 'integer' },
          { label: 'Cost', value: sums.cost_micros, kind: 'money_micros' },
        ],
        charts: [
          ...costByDay.chart({ title: 'Cost', y: 'Cost' }, MICROS),
          ...costByModel.chart({ title: 'Cost by model', x: 'Model', y: 'Cost' }, MICROS),
          ...pagesByDay.chart({ title: 'Pages', y: 'Pages' }),
        ],
      }),
    }
  },
}

export const tables: Record<ReportType, ReportTable<Record<string, unknown>>> = {
  documents,
  analysis,
  classifications,
  usage,
}
