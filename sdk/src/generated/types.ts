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

/** A small file, inside the request. */
export interface Base64Source {
  type: 'base64'
  /** Must be a type such as `application/pdf`. It is what you take the file for; what its bytes say counts. */
  media_type: string
  /** The file in Base64, without line breaks. */
  data: string
  /** A name for people; never used as a path. */
  file_name?: string | undefined
}

/** What is done with each input: `documents` creates one. */
export type BatchType = 'documents'

/** A piece of a page, such as a paragraph or a table. */
export interface Block {
  type: BlockType
  text: string
  /** Of a heading or a list item, from 1. */
  level?: number
  /** Left, top, right, bottom, as parts of the width and the height of the page. */
  bbox?: number[]
  table?: Table
}

export type BlockType =
  | 'title'
  | 'heading'
  | 'paragraph'
  | 'list_item'
  | 'table'
  | 'figure'
  | 'header'
  | 'footer'
  | 'code'
  | (string & {})

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

/** A piece of one page, as search and models use it. It never reaches over the end of a page. */
export interface Chunk {
  id: string
  object: 'chunk'
  document_id: string
  page_id: string
  page_number: number
  /** Orders the chunks of a document; the numbers have gaps. */
  position: number
  /** Where it begins in the text of the page, in Unicode code points. */
  start: number
  /** Where it ends. */
  end: number
  text: string
  /** The headings that it stands under, the outermost first. */
  heading_path: string[]
  /** As the o200k tokenizer counts. */
  token_count: number
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
  processing: ProcessingSettings | null
  status: DocumentStatus
  /** The file as it came. */
  file_id: string | null
  media_type: string | null
  size_bytes: number | null
  /** Of the source, in hexadecimal. */
  sha256: string | null
  /** That most of it is written in, as a BCP 47 tag. */
  language: string | null
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

/** A file and what describes it; without a title its name is the title. */
export interface DocumentForm {
  title?: string | undefined
  /** Your own key for it, unique in the tenant while set. */
  external_id?: string | null | undefined
  /** When it is deleted by itself; null: as its project says, or never. */
  expires_at?: string | null | undefined
  metadata?: Metadata | undefined
  /** The project it belongs to; set at creation. */
  project_id?: string | null | undefined
  processing?: Processing | undefined
  on_duplicate?: OnDuplicate | undefined
  file: string
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
  /** `file`: it came as `multipart/form-data`. */
  type: 'text' | 'pages' | 'base64' | 'upload' | 'url' | 'file' | (string & {})
  /** A name for people; never used as a path. */
  file_name?: string
  upload_id?: string
  /** Without its query, which may hold a secret. */
  url?: string
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
  | 'range_not_satisfiable'
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
  | 'upload.created'
  | 'upload.completed'
  | 'upload.deleted'
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

/** Stored bytes: a document as it came, or the picture of a page. */
export interface File {
  id: string
  object: 'file'
  project_id: string | null
  document_id: string
  kind: FileKind
  file_name: string
  media_type: string
  size_bytes: number
  /** Of the bytes, in hexadecimal; null until they have been read once. */
  sha256: string | null
  metadata: Metadata
  created_at: string
  updated_at: string
}

export type FileKind = 'original' | 'page_image' | (string & {})

/** A link to the bytes of a file for a short time. */
export interface FileLink {
  id: string
  object: 'file_link'
  /** Gives the bytes to whoever has it, as long as the file is there. */
  url: string
  expires_at: string
}

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

/** Something that reads or answers, and that a request can name. */
export interface Model {
  /** What a request names it by. */
  id: string
  object: 'model'
  kind: ModelKind
  version: string
  /** `remote`: pages leave this server. */
  locality: 'local' | 'remote' | (string & {})
  capabilities: string[]
  /** Whose text it recognises in pictures, as BCP 47 tags; empty: it does not say. */
  languages: string[]
  is_default: boolean
}

/** `reader`: reads the pages of documents. */
export type ModelKind = 'reader' | (string & {})

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
  processing?: Processing | undefined
  on_duplicate?: OnDuplicate | undefined
  source?: NewDocumentSource | undefined
}

/** What the document is read from. */
export type NewDocumentSource = TextSource | PagesSource | Base64Source | UploadSource | UrlSource

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
  /** Of the blocks, in their order. */
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
  default_processing?: Processing | undefined
  metadata?: Metadata | undefined
}

export interface NewRotation {
  /** How long the old secret goes on working; 0 if absent. */
  overlap_seconds?: number | undefined
}

export interface NewUpload {
  /** Who sees the upload; the document may be of another project. */
  project_id?: string | null | undefined
  /** A name for people; never used as a path. */
  file_name: string
  /** Must be a type such as `application/pdf`. It is what you take the file for; what its bytes say counts. */
  media_type: string
  size_bytes: number
  /** Of the bytes; what comes is compared with it. */
  sha256?: string | null | undefined
  metadata?: Metadata | undefined
}

/** `auto` (if absent) recognises the text of pages that have none; `always` of every page that can be drawn; `never` of none. */
export type OcrMode = 'auto' | 'always' | 'never'

/** What happens when a document that you can see was made from the same bytes: `allow` (if absent) makes another, `reject` answers 409, `return_existing` answers that one with 200. */
export type OnDuplicate = 'allow' | 'reject' | 'return_existing'

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
  /** Of the blocks, in their order. */
  text: string
  /** The same with its structure, derived from the blocks. */
  markdown: string
  /** Where the text comes from. */
  text_source: 'embedded' | 'ocr' | 'supplied' | 'corrected' | (string & {})
  /** As a BCP 47 tag; null where there is too little text to tell. */
  language: string | null
  /** How sure the reader is of the text; null where it does not say. */
  confidence: number | null
  /** In points, 1/72 inch; null where the format knows no pages. */
  width: number | null
  height: number | null
  /** In reading order. */
  blocks: Block[]
  reader: PageReader | null
  /** The picture that the text was read from. */
  image_file_id: string | null
  error: PageError | null
  /** Of the text as UTF-8, in hexadecimal. */
  sha256: string
  metadata: Metadata
  created_at: string
  updated_at: string
}

/** Why the page could not be read. */
export interface PageError {
  code: string
  message: string
}

/** A correction of the text, or `status` alone to read the page again. */
export interface PagePatch {
  /** Of the blocks, in their order. */
  text?: string | undefined
  status?: PageTargetStatus | undefined
  metadata?: MetadataPatch | undefined
}

/** Who read the page. */
export interface PageReader {
  id: string
  version: string
}

export interface PageReplacement {
  /** Of the blocks, in their order. */
  text: string
  metadata?: Metadata | undefined
}

export type PageStatus = 'queued' | 'running' | 'succeeded' | 'failed' | (string & {})

/** Reads the page again from the file. */
export type PageTargetStatus = 'queued'

/** The document as texts of pages. */
export interface PagesSource {
  type: 'pages'
  pages: SourcePage[]
}

/** How the pages are read. */
export interface Processing {
  /** Who reads the pages: an id of `GET /models` with the kind `reader`; `built_in` if absent. */
  reader?: string | undefined
  ocr?: OcrMode | undefined
  /** That the pages are written in, as BCP 47 tags; helps where text has to be recognised. */
  languages?: string[] | undefined
}

/** How the pages are read. */
export interface ProcessingSettings {
  reader?: string
  ocr?: 'auto' | 'always' | 'never' | (string & {})
  languages?: string[]
}

/** A set of documents that belong together, and the unit of access inside a tenant. */
export interface Project {
  id: string
  object: 'project'
  name: string
  description: string | null
  /** Documents older than this are deleted; null: never. */
  retention_days: number | null
  default_processing: ProcessingSettings
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
  default_processing?: Processing | undefined
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

/** Where the bytes go. */
export interface SignedPut {
  /** Takes the bytes by one PUT, without the API key. Whoever has it can use it. */
  url: string
  /** To be sent with the PUT as they are. */
  headers: Record<string, string>
}

export interface SourcePage {
  text: string
}

/** The resource that an event is about. */
export interface Subject {
  object: string
  id: string
}

/** The cells of a table, row by row. */
export interface Table {
  rows: number
  columns: number
  cells: TableCell[]
}

/** One cell of a table. A place that a span covers has no cell of its own. */
export interface TableCell {
  /** From 1. */
  row: number
  /** From 1. */
  column: number
  /** How many rows it covers. */
  row_span: number
  /** How many columns it covers. */
  column_span: number
  text: string
}

/** The document as one text. */
export interface TextSource {
  type: 'text'
  /** Plain text; form feeds separate the pages. */
  text: string
}

/** A file on its way in. Once its bytes have come, `POST /documents` makes a document of it. */
export interface Upload {
  id: string
  object: 'upload'
  /** Who sees the upload; the document may be of another project. */
  project_id: string | null
  /** A name for people; never used as a path. */
  file_name: string
  /** Must be a type such as `application/pdf`. It is what you take the file for; what its bytes say counts. */
  media_type: string
  size_bytes: number
  /** Of the bytes; what comes is compared with it. */
  sha256: string | null
  status: UploadStatus
  /** Unused until then, it is deleted. */
  expires_at: string
  document_id: string | null
  put: SignedPut | null
  /** Of a file over 64 MiB, instead of `put`. Only where one upload is read, not in lists, and only for who may write. */
  parts: UploadPart[]
  metadata: Metadata
  created_at: string
  updated_at: string
}

/** One piece of a large file. */
export interface UploadPart {
  number: number
  /** Where it begins in the file. */
  offset: number
  size_bytes: number
  /** It has come; it may be sent again. */
  is_received: boolean
  put: SignedPut
}

/** A file that was uploaded before. An upload is used once. */
export interface UploadSource {
  type: 'upload'
  upload_id: string
}

/** `completed`: a document was made of it. */
export type UploadStatus = 'pending' | 'completed' | (string & {})

/** A file that is fetched. */
export interface UrlSource {
  type: 'url'
  /** An https address that anyone can read. It is fetched in the background, without following redirects. */
  url: string
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

export interface ChunksListQuery {
  /** The `cursor` of the previous answer. */
  cursor?: string | undefined
  /** Items a page; 20 if absent. */
  limit?: number | undefined
  /** Numbered pages instead of a cursor. They can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items a numbered page; 20 if absent. */
  per_page?: number | undefined
  /** `-` means descending; `position` if absent. */
  sort?: 'position' | '-position' | undefined
  /** Comma list of top-level members to return; `id` and `object` always come along. */
  fields?: string | undefined
  page_id?: string | undefined
}

export interface UploadsListQuery {
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
  status?: OneOrMore<'pending' | 'completed'> | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
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
  type?: OneOrMore<'project.created' | 'project.updated' | 'project.deleted' | 'document.created' | 'document.updated' | 'document.deleted' | 'page.created' | 'page.updated' | 'page.deleted' | 'upload.created' | 'upload.completed' | 'upload.deleted' | 'job.queued' | 'job.running' | 'job.updated' | 'job.succeeded' | 'job.partially_succeeded' | 'job.failed' | 'job.cancelled' | 'job.deleted' | 'api_key.created' | 'api_key.updated' | 'api_key.rotated' | 'api_key.revoked'> | undefined
  project_id?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface ModelsListQuery {
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
  kind?: 'reader' | undefined
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
