import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import {
  asked,
  CitedSentence,
  DocumentIds,
  MAX_INLINE_CHARACTERS,
  OUTCOME_WAITS,
  Outcome,
  OutcomePatch,
  outcomeEvents,
  outcomeFilters,
  ProjectOfText,
} from './outcome.ts'
import { FilterId, IdOf, Nullable, OneOf, OpenEnum, Text, WithDefault } from './schema.ts'

export const summaryStyles = ['abstract', 'bullets', 'headline', 'extractive'] as const
export const summaryLengths = ['short', 'medium', 'long'] as const

const Language = Text(2, 35, { pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', description: 'BCP 47.' })
export const summaryResource = defineResource({
  title: 'Summary',
  object: 'summary',
  prefix: 'sum',
  description: 'A summary of documents or of a text, with citations for each sentence.',
  scopes: { 'summaries:read': 'Read summaries', 'summaries:write': 'Create and delete summaries' },
  events: outcomeEvents,
})

export const Summary = Outcome(summaryResource, {
  document_ids: Type.Array(IdOf('doc'), {
    maxItems: 250,
    description: 'Empty for a text in the request.',
  }),
  style: OpenEnum(summaryStyles, { title: 'SummaryStyle' }),
  length: OpenEnum(summaryLengths, { title: 'SummaryLength' }),
  language: Nullable(Language),
  focus: Nullable(Text(1, 1_000)),
  text: Nullable(Text(0, 200_000)),
  sentences: Type.Array(CitedSentence, { maxItems: 1_000 }),
})
export type Summary = Static<typeof Summary>

export const NewSummary = Type.Object(
  {
    document_ids: Type.Optional(DocumentIds),
    text: Type.Optional(Text(1, MAX_INLINE_CHARACTERS, { description: 'A text, instead of documents.' })),
    project_id: ProjectOfText,
    style: Type.Optional(
      OneOf(summaryStyles, {
        title: 'SummaryStyleChoice',
        description:
          '`extractive` selects sentences from the text, without a generative model; the built-in engine supports only this style and `bullets`.',
      }),
    ),
    length: WithDefault(
      OneOf(summaryLengths, { title: 'SummaryLengthChoice', description: 'Default `medium`.' }),
      'medium',
    ),
    language: Type.Optional(Language),
    focus: Type.Optional(Text(1, 1_000, { description: 'The question or topic that the summary concentrates on.' })),
    ...asked,
  },
  { title: 'NewSummary', description: 'Send either `document_ids` or `text`.' },
)
export type NewSummary = Static<typeof NewSummary>

export const summaries = {
  list: endpoint({
    method: 'GET',
    path: '/summaries',
    scope: 'summaries:read',
    summary: 'List summaries',
    ...listOf(Summary, {
      sorts: ['-created_at'],
      filters: { project_id: FilterId('proj'), document_id: FilterId('doc'), ...outcomeFilters },
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/summaries',
    scope: 'summaries:write',
    also_needs: ['documents:read'],
    ai_base: 5,
    summary: 'Create a summary',
    description: 'The built-in engine summarizes a short text within the request; everything else is a job.',
    body: NewSummary,
    success: { 201: Summary },
    fails: ['rate_limit_exceeded'],
    events: ['summary.created', 'summary.succeeded'],
    may_record: ['job.queued'],
    waits: OUTCOME_WAITS,
    example: {
      text: 'The rent is 1,200 a month. It is due on the third. The lease ends in 2028.',
      length: 'short',
      project_id: '{project_id}',
    },
  }),
  get: endpoint({
    method: 'GET',
    path: '/summaries/{summary_id}',
    scope: 'summaries:read',
    summary: 'Get a summary',
    query: GetQuery,
    success: { 200: Summary },
    waits: OUTCOME_WAITS,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/summaries/{summary_id}',
    scope: 'summaries:write',
    summary: 'Change the metadata of a summary',
    body: OutcomePatch,
    success: { 200: Summary },
    events: ['summary.updated'],
    example: { metadata: { checked: 'yes' } },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/summaries/{summary_id}',
    scope: 'summaries:write',
    summary: 'Delete a summary',
    description: 'Also cancels its job if the job has not ended.',
    success: { 204: null },
    events: ['summary.deleted'],
    may_record: [
      'summary.cancelled',
      'job.cancelled',
      'job.updated',
      'job.succeeded',
      'job.partially_succeeded',
      'job.failed',
    ],
  }),
}
