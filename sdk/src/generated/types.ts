// Written by `npm run openapi` from the contract. Changes made here are lost.

export type OneOrMore<T> = T | readonly T[]

/** Who caused it. */
export interface Actor {
  type: 'api_key' | 'user' | 'client' | 'system' | (string & {})
  id: string | null
}

/** A long-lived credential for programs. */
export interface ApiKey {
  id: string
  object: 'api_key'
  name: string
  /** What the key may do. */
  scopes: ('documents:read' | 'documents:write' | 'jobs:read' | 'jobs:write' | 'projects:read' | 'projects:write' | 'events:read' | 'api_keys:manage' | (string & {}))[]
  /** The projects that the key sees; null: the whole tenant. */
  project_ids: string[] | null
  /** null: works until it is revoked. */
  expires_at: string | null
  /** To the minute. */
  last_used_at: string | null
  /** The key that created it; null: the operator. */
  created_by: string | null
  /** The first and last characters of the newest secret. */
  key_preview: string
  metadata: Metadata
  created_at: string
  updated_at: string
}

export interface ApiKeyPatch {
  name?: string | undefined
  metadata?: MetadataPatch | undefined
}

/** An API key with its secret, which is shown only once. */
export interface ApiKeyWithSecret {
  id: string
  object: 'api_key'
  name: string
  /** What the key may do. */
  scopes: ('documents:read' | 'documents:write' | 'jobs:read' | 'jobs:write' | 'projects:read' | 'projects:write' | 'events:read' | 'api_keys:manage' | (string & {}))[]
  /** The projects that the key sees; null: the whole tenant. */
  project_ids: string[] | null
  /** null: works until it is revoked. */
  expires_at: string | null
  /** To the minute. */
  last_used_at: string | null
  /** The key that created it; null: the operator. */
  created_by: string | null
  /** The first and last characters of the newest secret. */
  key_preview: string
  /** Send it as `Authorization: Bearer <secret>`. It is never shown again. */
  secret: string
  metadata: Metadata
  created_at: string
  updated_at: string
}

/** What is done with each input: `documents` creates one. */
export type BatchType = 'documents'

/** What this server can do. */
export interface Capabilities {
  object: 'capabilities'
  /** Of the server. */
  version: string
  api_versions: string[]
  /** Collections that this server offers. */
  features: string[]
  /** Source types that a document can be made from. */
  formats: string[]
  limits: Record<string, number>
}

export type DetailCode =
  | 'required'
  | 'invalid_type'
  | 'unknown_field'
  | 'not_allowed_value'
  | 'too_short'
  | 'too_long'
  | 'too_few_items'
  | 'too_many_items'
  | 'duplicate_items'
  | 'too_small'
  | 'too_large'
  | 'not_multiple_of'
  | 'invalid_format'
  | 'reference_not_found'
  | 'immutable'
  | 'inconsistent'
  | 'capability_missing'
  | 'taken'
  | 'quota_exceeded'
  | 'repeated'
  | 'too_many_errors'
  | (string & {})

/** A document and the state of its pages. It never carries the text itself. */
export interface Document {
  id: string
  object: 'document'
  title: string
  /** The project it belongs to; set at creation. */
  project_id: string | null
  /** Your own key for it, unique in the tenant while set. */
  external_id: string | null
  source: DocumentSource | null
  status: DocumentStatus
  media_type: string | null
  size_bytes: number | null
  /** Of the source, in hexadecimal. */
  sha256: string | null
  /** When it is deleted by itself; null: as its project says, or never. */
  expires_at: string | null
  /** The last job that worked on it. Jobs are kept for 30 days after their end. */
  latest_job_id: string | null
  page_count: number
  pages_ready: number
  pages_failed: number
  warnings: string[]
  error: DocumentError | null
  metadata: Metadata
  created_at: string
  updated_at: string
}

/** Why the document could not be read. */
export interface DocumentError {
  code: string
  message: string
}

export interface DocumentPatch {
  title?: string | undefined
  /** Your own key for it, unique in the tenant while set. */
  external_id?: string | null | undefined
  /** When it is deleted by itself; null: as its project says, or never. */
  expires_at?: string | null | undefined
  metadata?: MetadataPatch | undefined
}

export interface DocumentReplacement {
  title: string
  /** Your own key for it, unique in the tenant while set. */
  external_id?: string | null | undefined
  /** When it is deleted by itself; null: as its project says, or never. */
  expires_at?: string | null | undefined
  metadata?: Metadata | undefined
}

/** What the document was read from. */
export interface DocumentSource {
  type: 'text' | 'pages' | (string & {})
}

export type DocumentStatus = 'processing' | 'ready' | 'partially_ready' | 'failed' | (string & {})

/** Machine-readable; branch on this. */
export type ErrorCode =
  | 'invalid_json'
  | 'invalid_request'
  | 'invalid_parameter'
  | 'invalid_cursor'
  | 'unauthenticated'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'permission_denied'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'conflict'
  | 'invalid_state'
  | 'resource_in_use'
  | 'idempotency_in_progress'
  | 'version_retired'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'validation_error'
  | 'idempotency_key_reused'
  | 'rate_limit_exceeded'
  | 'headers_too_large'
  | 'internal_error'
  | 'service_unavailable'
  | (string & {})

/** One thing that is wrong. */
export interface ErrorDetail {
  /** Dotted path of a body member, or the name of a parameter, header or limit. */
  field: string
  location: 'body' | 'query' | 'header' | 'limit' | (string & {})
  code: DetailCode
  message: string
  /** RFC 6901 pointer, for body members. */
  pointer?: string
  /** An existing resource that the entry speaks of. */
  id?: string
}

/** The body of every answer with a status of 400 or more. */
export interface ErrorResponse {
  code: ErrorCode
  /** For people; may change at any time. */
  message: string
  details: ErrorDetail[]
  /** The same as the `Request-Id` header. */
  request_id: string
  /** The page of this server that explains the code. */
  doc_url: string
}

/** Something that happened, written in the same transaction as the change. */
export interface Event {
  id: string
  object: 'event'
  type: EventType
  subject: Subject
  actor: Actor
  /** The request that caused it. */
  request_id: string | null
  project_id: string | null
  /** The place in the order of committed events of the tenant. */
  position: number
  /** The number within its job, from 1; null outside jobs. */
  seq: number | null
  /** Thin: enough to decide whether to fetch the subject. */
  data: Record<string, unknown>
  metadata: Metadata
  created_at: string
  updated_at: string
}

export type EventType =
  | 'project.created'
  | 'project.updated'
  | 'project.deleted'
  | 'document.created'
  | 'document.updated'
  | 'document.deleted'
  | 'page.created'
  | 'page.updated'
  | 'page.deleted'
  | 'job.queued'
  | 'job.running'
  | 'job.updated'
  | 'job.succeeded'
  | 'job.partially_succeeded'
  | 'job.failed'
  | 'job.cancelled'
  | 'job.deleted'
  | 'api_key.created'
  | 'api_key.updated'
  | 'api_key.rotated'
  | 'api_key.revoked'
  | (string & {})

/** Work in the background: where it is, why it waits, and how it ended. */
export interface Job {
  id: string
  object: 'job'
  type: JobType
  status: JobStatus
  /** It has ended and will not change by itself. */
  is_terminal: boolean
  stage: 'fetching' | 'parsing' | 'ocr' | 'chunking' | 'embedding' | 'analysing' | 'writing' | (string & {}) | null
  /** Why it does not go on; null while it works or when it has ended. */
  waiting_reason: 'queue' | 'tenant_concurrency' | 'provider_throttled' | 'dependency' | 'retry_backoff' | (string & {}) | null
  subject: JobSubject
  project_id: string | null
  document_id: string | null
  /** The batch that it belongs to. */
  parent_job_id: string | null
  priority: 'low' | 'normal' | 'high' | (string & {})
  progress: JobProgress | null
  queue: JobQueue | null
  /** Runs begun so far. */
  attempt: number
  /** Runs that may fail before the job does. */
  max_attempts: number
  /** Runs that have ended; the last 100. */
  attempts: JobAttempt[]
  /** Running time that it may take; waiting does not count. */
  timeout_seconds: number
  queued_at: string
  started_at: string | null
  finished_at: string | null
  cancel_requested_at: string | null
  usage: JobUsage | null
  error: JobError | null
  warnings: string[]
  metadata: Metadata
  created_at: string
  updated_at: string
}

/** One run that has ended. */
export interface JobAttempt {
  number: number
  started_at: string
  ended_at: string
  /** `interrupted`: the worker was lost or stopped. It does not count against `max_attempts`. */
  outcome: 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled' | 'interrupted' | (string & {})
  error: JobError | null
}

/** Why the job failed, wholly or in part. */
export interface JobError {
  /** Machine-readable; branch on this. */
  code: string
  /** For people: what happened and what to do. */
  message: string
  details: JobErrorDetail[]
}

/** One thing that went wrong. */
export interface JobErrorDetail {
  field: string
  code: string
  message: string
}

export interface JobPatch {
  status?: JobTargetStatus | undefined
  priority?: JobPriority | undefined
  metadata?: MetadataPatch | undefined
}

/** Among the jobs of the tenant; `normal` if absent. */
export type JobPriority = 'low' | 'normal' | 'high'

/** How far it is. */
export interface JobProgress {
  unit: 'pages' | 'items' | 'chunks' | (string & {})
  completed: number
  failed: number
  total: number | null
}

/** Its place while it waits. */
export interface JobQueue {
  /** Jobs of the tenant that begin before it; counted up to 10,000. */
  ahead: number
  /** From how long the last jobs took; null where nothing is known. */
  estimated_start_at: string | null
}

export type JobStatus = 'queued' | 'running' | 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled' | (string & {})

/** What the job works on. */
export interface JobSubject {
  object: string
  id: string
}

/** `cancelled` stops it; `queued` runs a failed or cancelled job again. */
export type JobTargetStatus = 'cancelled' | 'queued'

export type JobType = 'documents' | 'ingestion' | 'purge' | (string & {})

/** What it took. */
export interface JobUsage {
  pages: number
  /** Running time of all attempts. */
  compute_ms: number
}

/** Your own keys and values; never interpreted. */
export type Metadata = Record<string, string>

/** Merged into the stored map; null removes a key. */
export type MetadataPatch = Record<string, string | null>

export interface NewApiKey {
  name: string
  scopes: Scope[]
  /** The projects that the key sees; null: the whole tenant. */
  project_ids?: string[] | null | undefined
  /** null: works until it is revoked. */
  expires_at?: string | null | undefined
  metadata?: Metadata | undefined
}

export interface NewDocument {
  title: string
  /** Your own key for it, unique in the tenant while set. */
  external_id?: string | null | undefined
  /** When it is deleted by itself; null: as its project says, or never. */
  expires_at?: string | null | undefined
  metadata?: Metadata | undefined
  /** The project it belongs to; set at creation. */
  project_id?: string | null | undefined
  source?: NewDocumentSource | undefined
}

/** What the document is read from. */
export type NewDocumentSource = TextSource | PagesSource

/** One operation over many inputs: a batch. */
export interface NewJob {
  type: BatchType
  /** Bodies of that POST. */
  inputs: NewDocument[]
  priority?: JobPriority | undefined
  /** Running time of the batch itself, without its items; 600 if absent. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

/** Without a number the page comes last. */
export interface NewPage {
  text: string
  /** From 1. Gaps stay after a deletion. */
  number?: number | undefined
  metadata?: Metadata | undefined
}

export interface NewProject {
  name: string
  description?: string | null | undefined
  /** Documents older than this are deleted; null: never. */
  retention_days?: number | null | undefined
  metadata?: Metadata | undefined
}

export interface NewRotation {
  /** How long the old secret goes on working; 0 if absent. */
  overlap_seconds?: number | undefined
}

/** OpenAPI 3.1. */
export type OpenApiDescription = Record<string, unknown>

/** One page of a document, with its text. */
export interface Page {
  id: string
  object: 'page'
  document_id: string
  /** From 1. Gaps stay after a deletion. */
  number: number
  status: PageStatus
  text: string
  /** Where the text comes from. */
  text_source: 'supplied' | 'corrected' | (string & {})
  /** Of the text as UTF-8, in hexadecimal. */
  sha256: string
  metadata: Metadata
  created_at: string
  updated_at: string
}

export interface PagePatch {
  text?: string | undefined
  metadata?: MetadataPatch | undefined
}

export interface PageReplacement {
  text: string
  metadata?: Metadata | undefined
}

export type PageStatus = 'queued' | 'running' | 'succeeded' | 'failed' | (string & {})

/** The document as texts of pages. */
export interface PagesSource {
  type: 'pages'
  pages: SourcePage[]
}

/** A set of documents that belong together, and the unit of access inside a tenant. */
export interface Project {
  id: string
  object: 'project'
  name: string
  description: string | null
  /** Documents older than this are deleted; null: never. */
  retention_days: number | null
  /** How many documents it holds now. */
  document_count: number
  metadata: Metadata
  created_at: string
  updated_at: string
}

export interface ProjectPatch {
  name?: string | undefined
  description?: string | null | undefined
  /** Documents older than this are deleted; null: never. */
  retention_days?: number | null | undefined
  metadata?: MetadataPatch | undefined
}

/** The limits that hold for one party. */
export interface RateLimit {
  /** Whose limits these are: `principal` is the key or user that asks. */
  id: 'principal' | (string & {})
  object: 'rate_limit'
  tier: 'free' | 'standard' | 'enterprise' | 'self_hosted' | (string & {})
  policies: RatePolicy[]
}

/** One limit and what is left of it. */
export interface RatePolicy {
  name: 'requests' | 'concurrent' | 'jobs' | 'queue' | 'streams' | (string & {})
  quota: number
  /** 0 for a bound on things under way at once. */
  window_seconds: number
  remaining: number
  /** Until the whole quota is there again. */
  reset_seconds: number
}

export type Scope =
  | 'documents:read'
  | 'documents:write'
  | 'jobs:read'
  | 'jobs:write'
  | 'projects:read'
  | 'projects:write'
  | 'events:read'
  | 'api_keys:manage'

export interface SourcePage {
  text: string
}

/** The resource that an event is about. */
export interface Subject {
  object: string
  id: string
}

/** The document as one text. */
export interface TextSource {
  type: 'text'
  /** Plain text; form feeds separate the pages. */
  text: string
}

export interface ProjectsListQuery {
  /** The `cursor` of the previous answer. */
  cursor?: string | undefined
  /** Items a page; 20 if absent. */
  limit?: number | undefined
  /** Numbered pages instead of a cursor. They can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items a numbered page; 20 if absent. */
  per_page?: number | undefined
  /** `-` means descending; `-created_at` if absent. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma list of top-level members to return; `id` and `object` always come along. */
  fields?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface GetQuery {
  /** Comma list of top-level members to return; `id` and `object` always come along. */
  fields?: string | undefined
}

export interface DocumentsListQuery {
  /** The `cursor` of the previous answer. */
  cursor?: string | undefined
  /** Items a page; 20 if absent. */
  limit?: number | undefined
  /** Numbered pages instead of a cursor. They can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items a numbered page; 20 if absent. */
  per_page?: number | undefined
  /** `-` means descending; `-created_at` if absent. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma list of top-level members to return; `id` and `object` always come along. */
  fields?: string | undefined
  project_id?: string | undefined
  external_id?: string | undefined
  /** A comma list: any of them matches. */
  status?: OneOrMore<'processing' | 'ready' | 'partially_ready' | 'failed'> | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface PagesListQuery {
  /** The `cursor` of the previous answer. */
  cursor?: string | undefined
  /** Items a page; 20 if absent. */
  limit?: number | undefined
  /** Numbered pages instead of a cursor. They can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items a numbered page; 20 if absent. */
  per_page?: number | undefined
  /** `-` means descending; `number` if absent. */
  sort?: 'number' | '-number' | undefined
  /** Comma list of top-level members to return; `id` and `object` always come along. */
  fields?: string | undefined
  /** A comma list: any of them matches. */
  status?: OneOrMore<'queued' | 'running' | 'succeeded' | 'failed'> | undefined
}

export interface JobsListQuery {
  /** The `cursor` of the previous answer. */
  cursor?: string | undefined
  /** Items a page; 20 if absent. */
  limit?: number | undefined
  /** Numbered pages instead of a cursor. They can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items a numbered page; 20 if absent. */
  per_page?: number | undefined
  /** `-` means descending; `-created_at` if absent. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma list of top-level members to return; `id` and `object` always come along. */
  fields?: string | undefined
  /** A comma list: any of them matches. */
  status?: OneOrMore<'queued' | 'running' | 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled'> | undefined
  /** A comma list: any of them matches. */
  type?: OneOrMore<'documents' | 'ingestion' | 'purge'> | undefined
  project_id?: string | undefined
  document_id?: string | undefined
  parent_job_id?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface JobEventsListQuery {
  /** The `cursor` of the previous answer. */
  cursor?: string | undefined
  /** Items a page; 20 if absent. */
  limit?: number | undefined
  /** Numbered pages instead of a cursor. They can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items a numbered page; 20 if absent. */
  per_page?: number | undefined
  /** `-` means descending; `seq` if absent. */
  sort?: 'seq' | '-seq' | undefined
  /** Comma list of top-level members to return; `id` and `object` always come along. */
  fields?: string | undefined
}

export interface ApiKeysListQuery {
  /** The `cursor` of the previous answer. */
  cursor?: string | undefined
  /** Items a page; 20 if absent. */
  limit?: number | undefined
  /** Numbered pages instead of a cursor. They can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items a numbered page; 20 if absent. */
  per_page?: number | undefined
  /** `-` means descending; `-created_at` if absent. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma list of top-level members to return; `id` and `object` always come along. */
  fields?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface EventsListQuery {
  /** The `cursor` of the previous answer. */
  cursor?: string | undefined
  /** Items a page; 20 if absent. */
  limit?: number | undefined
  /** Numbered pages instead of a cursor. They can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items a numbered page; 20 if absent. */
  per_page?: number | undefined
  /** `-` means descending; `-created_at` if absent. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma list of top-level members to return; `id` and `object` always come along. */
  fields?: string | undefined
  /** A comma list: any of them matches. */
  type?: OneOrMore<'project.created' | 'project.updated' | 'project.deleted' | 'document.created' | 'document.updated' | 'document.deleted' | 'page.created' | 'page.updated' | 'page.deleted' | 'job.queued' | 'job.running' | 'job.updated' | 'job.succeeded' | 'job.partially_succeeded' | 'job.failed' | 'job.cancelled' | 'job.deleted' | 'api_key.created' | 'api_key.updated' | 'api_key.rotated' | 'api_key.revoked'> | undefined
  project_id?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface RateLimitsListQuery {
  /** The `cursor` of the previous answer. */
  cursor?: string | undefined
  /** Items a page; 20 if absent. */
  limit?: number | undefined
  /** Numbered pages instead of a cursor. They can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items a numbered page; 20 if absent. */
  per_page?: number | undefined
  /** `-` means descending; `id` if absent. */
  sort?: 'id' | '-id' | undefined
  /** Comma list of top-level members to return; `id` and `object` always come along. */
  fields?: string | undefined
}
