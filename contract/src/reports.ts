import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { asked, OUTCOME_WAITS, Outcome, outcomeEvents, outcomeFilters } from './outcome.ts'
import {
  Count,
  FilterId,
  IdOf,
  MetadataPatch,
  Nullable,
  NullableRef,
  OneOf,
  OpenEnum,
  Text,
  Timestamp,
} from './schema.ts'

export const reportTypes = ['documents', 'analysis', 'classifications', 'usage'] as const
export type ReportType = (typeof reportTypes)[number]
export const reportFormats = ['json', 'csv', 'markdown', 'html', 'pdf'] as const
export type ReportFormat = (typeof reportFormats)[number]

export const ReportFilters = Type.Object(
  {
    created_after: Type.Optional(Timestamp({ description: 'Rows at or after this time.' })),
    created_before: Type.Optional(Timestamp({ description: 'Rows before this time.' })),
  },
  { title: 'ReportFilters', description: 'Only rows that match all filters.' },
)
const ShownReportFilters = Type.Object(ReportFilters.properties, {
  title: 'ShownReportFilters',
  description: 'The requested features.',
})
const title = Text(1, 300)
export const reportResource = defineResource({
  title: 'Report',
  object: 'report',
  prefix: 'rep',
  description:
    'A file with a table of many documents, or of other data. It does not change when documents are deleted later.',
  scopes: { 'reports:read': 'Read reports', 'reports:write': 'Create and delete reports' },
  events: outcomeEvents,
})

export const Report = Outcome(reportResource, {
  title,
  type: OpenEnum(reportTypes, { title: 'ReportType' }),
  format: OpenEnum(reportFormats, { title: 'ReportFormat' }),
  filters: NullableRef(ShownReportFilters),
  file_id: Nullable(IdOf('file', { description: 'Download it from `/files/{file_id}/contents`.' })),
  row_count: Nullable(Count()),
})
export type Report = Static<typeof Report>

export const NewReport = Type.Object(
  {
    title: Type.Optional(title),
    project_id: Type.Optional(
      Nullable(IdOf('proj', { description: 'Limits the report to a project; default: the whole tenant.' })),
    ),
    type: OneOf(reportTypes, {
      title: 'ReportTypeChoice',
      description:
        '`documents`, `analysis` (the latest of each document), `classifications`, or `usage` (pages, tokens, time, cost by day, project, key and model).',
    }),
    format: OneOf(reportFormats, { title: 'ReportFormatChoice' }),
    filters: Type.Optional(ReportFilters),
    timeout_seconds: asked.timeout_seconds,
    metadata: asked.metadata,
  },
  { title: 'NewReport' },
)
export type NewReport = Static<typeof NewReport>
export const ReportPatch = Type.Object(
  { title: Type.Optional(title), metadata: Type.Optional(MetadataPatch) },
  { title: 'ReportPatch' },
)
export type ReportPatch = Static<typeof ReportPatch>

export const reports = {
  list: endpoint({
    method: 'GET',
    path: '/reports',
    scope: 'reports:read',
    summary: 'List reports',
    ...listOf(Report, { sorts: ['-created_at'], filters: { project_id: FilterId('proj'), ...outcomeFilters } }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/reports',
    scope: 'reports:write',
    also_needs: ['documents:read'],
    may_need: ['analysis:read', 'classifications:read'],
    ai_base: 20,
    summary: 'Create a report',
    body: NewReport,
    success: { 201: Report },
    fails: ['rate_limit_exceeded'],
    events: ['report.created', 'job.queued'],
    waits: OUTCOME_WAITS,
    example: { type: 'documents', format: 'csv', project_id: '{project_id}' },
  }),
  get: endpoint({
    method: 'GET',
    path: '/reports/{report_id}',
    scope: 'reports:read',
    summary: 'Get a report',
    query: GetQuery,
    success: { 200: Report },
    waits: OUTCOME_WAITS,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/reports/{report_id}',
    scope: 'reports:write',
    summary: 'Update the metadata of a report',
    body: ReportPatch,
    success: { 200: Report },
    events: ['report.updated'],
    example: { title: 'Leases of 2026' },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/reports/{report_id}',
    scope: 'reports:write',
    summary: 'Delete a report and its file',
    description: 'Also cancels its job if the job has not ended.',
    success: { 204: null },
    events: ['report.deleted'],
    may_record: [
      'report.cancelled',
      'job.cancelled',
      'job.updated',
      'job.succeeded',
      'job.partially_succeeded',
      'job.failed',
    ],
  }),
}
