// Enumerations of jobs. Not in jobs.ts, to avoid an import cycle: documents, outcomes and events use some of them, and jobs.ts uses documents.

import { type Static, Type } from 'typebox'
import { Text } from './schema.ts'

/**
 * `documents` is a batch of new documents, `ingestion` reads a document, `purge` removes the data of a deleted one, and
 * `reindex` embeds chunks with another model. The others produce an outcome or a batch of outcomes.
 */
export const jobTypes = [
  'documents',
  'ingestion',
  'purge',
  'analysis',
  'summaries',
  'classifications',
  'embeddings',
  'answers',
  'reports',
  'reindex',
] as const
export type JobTypeName = (typeof jobTypes)[number]
export const jobStatuses = ['queued', 'running', 'succeeded', 'partially_succeeded', 'failed', 'cancelled'] as const
export type JobStatus = (typeof jobStatuses)[number]
export const priorities = ['low', 'normal', 'high'] as const
export type Priority = (typeof priorities)[number]
export const stages = ['fetching', 'parsing', 'ocr', 'chunking', 'embedding', 'analysing', 'writing'] as const
export type Stage = (typeof stages)[number]
export const waitingReasons = [
  'queue',
  'tenant_concurrency',
  'provider_throttled',
  'dependency',
  'retry_backoff',
] as const
/** Why a job failed; never an HTTP code. */
export const jobErrorCodes = [
  'document_unreadable',
  'document_empty',
  'document_too_large',
  'unsupported_language',
  'model_unavailable',
  'model_timeout',
  'model_output_invalid',
  'content_refused',
  'job_timeout',
  'cancelled',
  'source_unavailable',
  'unsupported_format',
  'budget_exceeded',
  'remote_not_allowed',
  'inputs_refused',
  'items_failed',
  'internal_error',
] as const
export type JobErrorCode = (typeof jobErrorCodes)[number]

export const JobError = Type.Object(
  {
    code: Text(0, 64, { description: 'Machine-readable code; branch on it.' }),
    message: Text(0, 1000, { description: 'Message for people: what happened and what to do.' }),
    details: Type.Array(
      Type.Object(
        { field: Text(0, 1000), code: Text(0, 64), message: Text(0, 1000) },
        { title: 'JobErrorDetail', description: 'One error.' },
      ),
      { maxItems: 101 },
    ),
  },
  { title: 'JobError', description: 'Why the job failed completely or partially.' },
)
export type JobError = Static<typeof JobError>
