// Rows for reports, the newest first, in parts that are bounded by what a statement looks at and not by what it finds.
// Ids are in the order of creation, so a span of time is a span of ids.

import { lastOf } from '@octavo/base/required.ts'
import type { Reader } from '../../db/database.ts'
import { type Statement, sql, type Value } from '../../db/statement.ts'
import { uuidOf } from '../../lib/ids.ts'

/** The rows that a report covers. Bounds are uuids: `from` is inclusive, `to` is exclusive. */
export interface ReportSpan {
  project_id: string | null
  from: string
  to: string
}
/** One part, and the uuid that the next one lies before; null: this was the last. */
export interface ReportPart<Row> {
  rows: Row[]
  next: string | null
}

/** `before` is the place where the last part ended. */
const IN_PART = `tenant_id = $1 and ($2::uuid[] is null or project_id = any($2)) and id < least($3::uuid, $6::uuid) and id >= $4`
const LAST = 'order by id desc limit $5'
// One lookup for each row, so that no plan reads more of the tables, whatever the planner's statistics.
const PROJECT_NAME = '(select p.name from projects p where p.tenant_id = $1 and p.id = project_id) as project_name'
const MADE = `('succeeded', 'partially_succeeded')`

/** One plan for the whole tenant, and one for a project. */
function inSpan(write: (where: string) => string): (span: ReportSpan) => Statement {
  const [whole, ofProject] = [sql(write(IN_PART)), sql(write(`${IN_PART} and project_id = $7`))]
  return ({ project_id }) => (project_id === null ? whole : ofProject)
}

const valuesOf = ({ project_id, from, to }: ReportSpan, before: string | null, size: number): Value[] => [
  before,
  from,
  size,
  to,
  ...(project_id === null ? [] : [uuidOf('proj', project_id)]),
]

interface ExaminedRow {
  place: string
  /** false: the row was checked and is not part of the report. */
  is_row?: boolean
}
async function readPart<Row extends object>(
  db: Reader,
  statement: Statement,
  { span, before, size }: { span: ReportSpan; before: string | null; size: number },
): Promise<ReportPart<Row>> {
  const looked = await db.rows<Row & ExaminedRow>(statement, valuesOf(span, before, size))
  return {
    rows: looked.filter(({ is_row = true }) => is_row),
    next: looked.length < size ? null : lastOf(looked).place,
  }
}

export interface DocumentLine extends Record<string, unknown> {
  status: string
  page_count: number
  size_bytes: number | null
  created_at: string
}
const DOCUMENTS_OF_A_PART = 1_000
const documents = inSpan(
  (where) => `with part as materialized (
    select id, title, project_id, status, page_count, language, media_type, size_bytes, created_at from documents
    where ${where} and deleted_at is null ${LAST})
  select id as place, id as document_id, title, project_id, ${PROJECT_NAME}, status, page_count, language, media_type, size_bytes, created_at
  from part order by id desc`,
)
export const listDocuments = (db: Reader, span: ReportSpan, before: string | null): Promise<ReportPart<DocumentLine>> =>
  readPart(db, documents(span), { span, before, size: DOCUMENTS_OF_A_PART })

/** Scans all outcomes of a kind; those that have a result and are `shown` are part of the report. */
const outcomesOf = (
  object: string,
  { columns, shown = 'true' }: { columns: string; shown?: string },
): ((span: ReportSpan) => Statement) =>
  inSpan(
    (where) => `with part as materialized (
      select id, document_id, project_id, status, result, model, created_at from outcomes where ${where} and object = '${object}' ${LAST})
    select id as place, status in ${MADE} and ${shown} as is_row, id as ${object}_id, document_id, project_id, created_at, model ->> 'id' as model,
      (select d.title from documents d where d.tenant_id = $1 and d.id = part.document_id) as title, ${PROJECT_NAME}, ${columns}
    from part order by id desc`,
  )
const listOf = (member: string, path: string): string =>
  `case when jsonb_typeof(result -> '${member}') = 'array' then jsonb_path_query_array(result, '$.${member}${path}') end as ${member}`

export interface AnalysisLine extends Record<string, unknown> {
  language: string | null
  words: number | null
  sentiment: string | null
  topics: string[] | null
  personal_data_count: number | null
}
/** Each holds all that was found in a document, and is unpacked to be read. */
const ANALYSES_OF_A_PART = 100
const analyses = outcomesOf('analysis', {
  columns: `result #>> '{language,language}' as language, (result #>> '{statistics,words}')::bigint as words,
    (result #>> '{statistics,sentences}')::bigint as sentences, ${listOf('key_phrases', '[0 to 9].text')},
    result #>> '{sentiment,label}' as sentiment, (result #>> '{sentiment,score}')::float8 as sentiment_score,
    ${listOf('topics', '[*].name')},
    case when jsonb_typeof(result -> 'pii') = 'array' then jsonb_array_length(result -> 'pii') end as personal_data_count`,
  shown: `id = (select latest.id from outcomes latest where latest.tenant_id = $1 and latest.document_id = part.document_id
    and latest.object = 'analysis' and latest.id < $6 and latest.status in ${MADE} order by latest.id desc limit 1)`,
})
/** The latest of each document. */
export const listAnalyses = (db: Reader, span: ReportSpan, before: string | null): Promise<ReportPart<AnalysisLine>> =>
  readPart(db, analyses(span), { span, before, size: ANALYSES_OF_A_PART })

export interface ClassificationLine extends Record<string, unknown> {
  label: string | null
}
const CLASSIFICATIONS_OF_A_PART = 500
const classifications = outcomesOf('classification', {
  // Results are ordered by score, best first.
  columns: `result ->> 'label' as label,
    case when result ->> 'label' is not null then (result #>> '{results,0,score}')::float8 end as score`,
})
export const listClassifications = (
  db: Reader,
  span: ReportSpan,
  before: string | null,
): Promise<ReportPart<ClassificationLine>> =>
  readPart(db, classifications(span), { span, before, size: CLASSIFICATIONS_OF_A_PART })

export interface UsageLine extends Record<string, unknown> {
  day: string
  project_id: string | null
  key_id: string | null
  model: string
  pages: number
  input_tokens: number
  output_tokens: number
  compute_ms: number
  cost_micros: number
}
const RECORDS_OF_A_PART = 10_000
const sum = (column: string): string => `sum(${column})::bigint as ${column}`
const usage = inSpan(
  (where) => `with part as materialized (
    select id, project_id, key_id, model, provider, locality, pages, input_tokens, output_tokens, compute_ms, cost_micros,
      (created_at at time zone 'utc')::date::text as day
    from usage_records where ${where} ${LAST}),
  sums as (
    select day, project_id, key_id, model, provider, locality,
      ${['pages', 'input_tokens', 'output_tokens', 'compute_ms', 'cost_micros'].map(sum).join(', ')}
    from part group by day, project_id, key_id, model, provider, locality)
  select sums.*, ${PROJECT_NAME}, (select count(*) from part) as looked, (select id from part order by id limit 1) as place
  from sums order by day desc`,
)
/** Sums of a part: the last day of one is often the first of the next. */
export async function sumUsage(db: Reader, span: ReportSpan, before: string | null): Promise<ReportPart<UsageLine>> {
  const values = valuesOf(span, before, RECORDS_OF_A_PART)
  const rows = await db.rows<UsageLine & { looked: number; place: string }>(usage(span), values)
  const [first] = rows
  return { rows, next: first && first.looked === RECORDS_OF_A_PART ? first.place : null }
}
