// The words of jobs. Apart from jobs.ts, since documents and events use some of them and jobs use documents.

/** `documents` is a batch of new documents, `ingestion` reads one, `purge` removes what is left of a deleted one. */
export const jobTypes = ['documents', 'ingestion', 'purge'] as const
export type JobTypeName = (typeof jobTypes)[number]
export const jobStatuses = ['queued', 'running', 'succeeded', 'partially_succeeded', 'failed', 'cancelled'] as const
export type JobStatus = (typeof jobStatuses)[number]
export const priorities = ['low', 'normal', 'high'] as const
export type Priority = (typeof priorities)[number]
export const stages = ['fetching', 'parsing', 'ocr', 'chunking', 'embedding', 'analysing', 'writing'] as const
export type Stage = (typeof stages)[number]
export const waitingReasons = ['queue', 'tenant_concurrency', 'provider_throttled', 'dependency', 'retry_backoff'] as const
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
  'inputs_refused',
  'items_failed',
  'internal_error',
] as const
export type JobErrorCode = (typeof jobErrorCodes)[number]
