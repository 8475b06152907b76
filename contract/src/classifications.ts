import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import {
  asked,
  Citations,
  Confidence,
  MAX_INLINE_CHARACTERS,
  OUTCOME_WAITS,
  Outcome,
  OutcomePatch,
  outcomeEvents,
  outcomeFilters,
  ProjectOfText,
} from './outcome.ts'
import { FilterId, IdOf, Nullable, Text } from './schema.ts'

const LabelName = Text(1, 100)
export const ClassificationLabel = Type.Object(
  {
    name: LabelName,
    description: Type.Optional(Text(1, 1_000, { description: 'The meaning of the label, in one sentence.' })),
    examples: Type.Optional(Type.Array(Text(1, 4_000), { maxItems: 50, description: 'Texts that fit this label.' })),
  },
  { title: 'ClassificationLabel' },
)
const LabelScore = Type.Object(
  { label: LabelName, score: Confidence, citations: Citations },
  { title: 'LabelScore', description: 'The score of a label and the passages that support it.' },
)
const multi_label = Type.Boolean({
  description: 'True if several labels may fit; their scores then do not add up to 1.',
})

export const classificationResource = defineResource({
  title: 'Classification',
  object: 'classification',
  prefix: 'cls',
  description: 'Which of your labels fit a document or a text.',
  scopes: {
    'classifications:read': 'Read classifications',
    'classifications:write': 'Create and delete classifications',
  },
  events: outcomeEvents,
})

export const Classification = Outcome(classificationResource, {
  document_id: Nullable(IdOf('doc')),
  labels: Type.Array(
    Type.Object(
      {
        name: LabelName,
        description: Nullable(Text(0, 1_000)),
        examples: Type.Array(Text(0, 4_000), { maxItems: 50 }),
      },
      { title: 'ShownLabel' },
    ),
    { maxItems: 100 },
  ),
  multi_label,
  threshold: Type.Number({ minimum: 0, maximum: 1, description: 'Minimum score of `label`.' }),
  label: Nullable(Text(0, 100, { description: 'The best label; null if none reaches the threshold.' })),
  results: Type.Array(LabelScore, {
    maxItems: 100,
    description: 'All labels, best first; empty until there is a result.',
  }),
})
export type Classification = Static<typeof Classification>

export const NewClassification = Type.Object(
  {
    document_id: Type.Optional(IdOf('doc')),
    text: Type.Optional(Text(1, MAX_INLINE_CHARACTERS, { description: 'A text, instead of a document.' })),
    project_id: ProjectOfText,
    labels: Type.Array(ClassificationLabel, { minItems: 2, maxItems: 100 }),
    multi_label: Type.Optional(multi_label),
    threshold: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'Minimum score of `label`; default 0.6 if an embedding model chooses one label without examples, otherwise 0.3.',
      }),
    ),
    ...asked,
  },
  { title: 'NewClassification', description: 'Send either `document_id` or `text`.' },
)
export type NewClassification = Static<typeof NewClassification>

export const classifications = {
  list: endpoint({
    method: 'GET',
    path: '/classifications',
    scope: 'classifications:read',
    summary: 'List classifications',
    ...listOf(Classification, {
      sorts: ['-created_at'],
      filters: { project_id: FilterId('proj'), document_id: FilterId('doc'), ...outcomeFilters },
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/classifications',
    scope: 'classifications:write',
    also_needs: ['documents:read'],
    ai_base: 2,
    summary: 'Classify a document or a text',
    description: 'A built-in model classifies a short text within the request; everything else is a job.',
    body: NewClassification,
    success: { 201: Classification },
    fails: ['rate_limit_exceeded'],
    events: ['classification.created', 'classification.succeeded'],
    may_record: ['job.queued'],
    waits: OUTCOME_WAITS,
    example: {
      text: 'Please send the invoice again, the last one was wrong.',
      labels: [
        { name: 'billing', description: 'Invoices and payments' },
        { name: 'repairs', description: 'Something is broken' },
      ],
      project_id: '{project_id}',
    },
  }),
  get: endpoint({
    method: 'GET',
    path: '/classifications/{classification_id}',
    scope: 'classifications:read',
    summary: 'Get a classification',
    query: GetQuery,
    success: { 200: Classification },
    waits: OUTCOME_WAITS,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/classifications/{classification_id}',
    scope: 'classifications:write',
    summary: 'Change the metadata of a classification',
    body: OutcomePatch,
    success: { 200: Classification },
    events: ['classification.updated'],
    example: { metadata: { checked: 'yes' } },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/classifications/{classification_id}',
    scope: 'classifications:write',
    summary: 'Delete a classification',
    description: 'Also cancels its job if the job has not ended.',
    success: { 204: null },
    events: ['classification.deleted'],
    may_record: [
      'classification.cancelled',
      'job.cancelled',
      'job.updated',
      'job.succeeded',
      'job.partially_succeeded',
      'job.failed',
    ],
  }),
}
