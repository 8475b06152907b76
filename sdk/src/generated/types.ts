// Written by `npm run openapi` from the contract. Changes made here are lost.

export type OneOrMore<T> = T | readonly T[]

/** Who caused it. */
export interface Actor {
  type: 'api_key' | 'user' | 'client' | 'system' | (string & {})
  id: string | null
}

/** What a document says of itself: one member for each feature that was asked for, the others are null. */
export interface Analysis {
  id: string
  object: 'analysis'
  status: OutcomeStatus
  /** It has ended and will not change by itself. */
  is_terminal: boolean
  /** Who makes it; null: it was made within the request. */
  job_id: string | null
  /** Who sees it. */
  project_id: string | null
  /** Of the text, the model and its version, the parameters and the prompt: the same gives the same result. */
  fingerprint: string | null
  /** `hit`: an earlier result with the same fingerprint. `bypass`: none was looked for. */
  cache: 'hit' | 'miss' | 'bypass' | (string & {})
  /** How it was made. */
  method: 'extractive' | 'embedding' | 'generative' | 'rules' | 'keyword' | 'hybrid' | (string & {}) | null
  model: OutcomeModel | null
  usage: OutcomeUsage | null
  /** What was not read, dropped or done otherwise. */
  warnings: string[]
  error: JobError | null
  document_id: string
  features: AnalysisFeature[]
  page_range: ShownPageRange | null
  language: LanguageAnalysis | null
  statistics: StatisticsAnalysis | null
  key_phrases: KeyPhrase[] | null
  entities: Entity[] | null
  pii: PersonalDatum[] | null
  sentiment: SentimentAnalysis | null
  topics: Topic[] | null
  extraction: ExtractionAnalysis | null
  metadata: Metadata
  created_at: string
  updated_at: string
}

export type AnalysisFeature =
  | 'language'
  | 'statistics'
  | 'key_phrases'
  | 'entities'
  | 'pii'
  | 'sentiment'
  | 'topics'
  | 'extraction'
  | (string & {})

export type AnalysisFeatureChoice =
  | 'language'
  | 'statistics'
  | 'key_phrases'
  | 'entities'
  | 'pii'
  | 'sentiment'
  | 'topics'
  | 'extraction'

/** A question and its answer, each sentence with the places that it comes from. Kept for 30 days. */
export interface Answer {
  id: string
  object: 'answer'
  status: OutcomeStatus
  /** It has ended and will not change by itself. */
  is_terminal: boolean
  /** Who makes it; null: it was made within the request. */
  job_id: string | null
  /** Who sees it. */
  project_id: string | null
  /** Of the text, the model and its version, the parameters and the prompt: the same gives the same result. */
  fingerprint: string | null
  /** `hit`: an earlier result with the same fingerprint. `bypass`: none was looked for. */
  cache: 'hit' | 'miss' | 'bypass' | (string & {})
  /** How it was made. */
  method: 'extractive' | 'embedding' | 'generative' | 'rules' | 'keyword' | 'hybrid' | (string & {}) | null
  model: OutcomeModel | null
  usage: OutcomeUsage | null
  /** What was not read, dropped or done otherwise. */
  warnings: string[]
  error: JobError | null
  question: string
  document_ids: string[]
  filters: ShownSearchFilters | null
  /** BCP 47. */
  language: string | null
  /** false: the documents do not say, and nothing was guessed. */
  is_answered: boolean
  text: string | null
  sentences: CitedSentence[]
  passages: Passage[]
  metadata: Metadata
  created_at: string
  updated_at: string
}

/** A long-lived credential for programs. */
export interface ApiKey {
  id: string
  object: 'api_key'
  name: string
  /** What the key may do. */
  scopes: ('documents:read' | 'documents:write' | 'jobs:read' | 'jobs:write' | 'projects:read' | 'projects:write' | 'analysis:read' | 'analysis:write' | 'summaries:read' | 'summaries:write' | 'classifications:read' | 'classifications:write' | 'embeddings:read' | 'embeddings:write' | 'searches:read' | 'searches:write' | 'reports:read' | 'reports:write' | 'events:read' | 'api_keys:manage' | (string & {}))[]
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
  scopes: ('documents:read' | 'documents:write' | 'jobs:read' | 'jobs:write' | 'projects:read' | 'projects:write' | 'analysis:read' | 'analysis:write' | 'summaries:read' | 'summaries:write' | 'classifications:read' | 'classifications:write' | 'embeddings:read' | 'embeddings:write' | 'searches:read' | 'searches:write' | 'reports:read' | 'reports:write' | 'events:read' | 'api_keys:manage' | (string & {}))[]
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

/** `use` (if absent): an earlier result with the same fingerprint is returned. `bypass`: it is made anew. */
export type CacheUse = 'use' | 'bypass'

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

/** A place in a page that the server has looked up: its text at these offsets is the quote. */
export interface Citation {
  /** null: the text that came with the request. */
  document_id: string | null
  page_id: string | null
  page_number: number | null
  /** Of the text that was cited. The page has another one now: it was corrected since. */
  page_sha256: string
  /** Where the quote begins in the text of the page, in Unicode code points. */
  start: number
  /** Where it ends. */
  end: number
  /** What stands there, to the letter. */
  quote: string
  /** The block on the page that it stands in: x0, y0, x1, y1 from 0 to 1; null where nobody knows. */
  bbox: number[] | null
  /** How the quote was found: to the letter, without regard to case and white space, or nearly. */
  match: 'exact' | 'folded' | 'fuzzy' | (string & {})
  /** 1, or how near a `fuzzy` match is. */
  match_score: number
}

/** A sentence and where it comes from. */
export interface CitedSentence {
  text: string
  /** Empty: nothing in the pages was found to stand behind it. */
  citations: Citation[]
}

/** Which of your labels fits a document or a text. */
export interface Classification {
  id: string
  object: 'classification'
  status: OutcomeStatus
  /** It has ended and will not change by itself. */
  is_terminal: boolean
  /** Who makes it; null: it was made within the request. */
  job_id: string | null
  /** Who sees it. */
  project_id: string | null
  /** Of the text, the model and its version, the parameters and the prompt: the same gives the same result. */
  fingerprint: string | null
  /** `hit`: an earlier result with the same fingerprint. `bypass`: none was looked for. */
  cache: 'hit' | 'miss' | 'bypass' | (string & {})
  /** How it was made. */
  method: 'extractive' | 'embedding' | 'generative' | 'rules' | 'keyword' | 'hybrid' | (string & {}) | null
  model: OutcomeModel | null
  usage: OutcomeUsage | null
  /** What was not read, dropped or done otherwise. */
  warnings: string[]
  error: JobError | null
  document_id: string | null
  labels: ShownLabel[]
  /** Several labels may fit; their scores then do not add up to 1. */
  multi_label: boolean
  /** Under it no label is given. */
  threshold: number
  /** The best one; null: none reaches the threshold. */
  label: string | null
  /** All labels, the best first; empty until there is a result. */
  results: LabelScore[]
  metadata: Metadata
  created_at: string
  updated_at: string
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

/** One vector of length 1. */
export interface EmbeddedText {
  index: number
  /** Numbers, or little-endian float32 in Base64, by `encoding_format`. */
  vector: unknown
  chunk_id: string | null
}

/** Vectors of texts, or of the chunks of a document. */
export interface Embedding {
  id: string
  object: 'embedding'
  status: OutcomeStatus
  /** It has ended and will not change by itself. */
  is_terminal: boolean
  /** Who makes it; null: it was made within the request. */
  job_id: string | null
  /** Who sees it. */
  project_id: string | null
  /** Of the text, the model and its version, the parameters and the prompt: the same gives the same result. */
  fingerprint: string | null
  /** `hit`: an earlier result with the same fingerprint. `bypass`: none was looked for. */
  cache: 'hit' | 'miss' | 'bypass' | (string & {})
  /** How it was made. */
  method: 'extractive' | 'embedding' | 'generative' | 'rules' | 'keyword' | 'hybrid' | (string & {}) | null
  model: OutcomeModel | null
  usage: OutcomeUsage | null
  /** What was not read, dropped or done otherwise. */
  warnings: string[]
  error: JobError | null
  document_id: string | null
  encoding_format: EncodingFormat
  dimensions: number | null
  /** In the order of the inputs or chunks. Empty in lists: read one to get its vectors. */
  data: EmbeddedText[]
  metadata: Metadata
  created_at: string
  updated_at: string
}

export type EncodingFormat = 'float' | 'base64' | (string & {})

/** `float` if absent. */
export type EncodingFormatChoice = 'float' | 'base64'

/** Experimental, and of English text only: people, places and organisations are often missed. */
export interface Entity {
  type: EntityType
  text: string
  /** 0 to 1. */
  confidence: number
  citations: Citation[]
}

export type EntityType = 'person' | 'organisation' | 'place' | 'date' | 'time' | 'money' | 'percentage' | (string & {})

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
  | 'analysis.created'
  | 'analysis.updated'
  | 'analysis.succeeded'
  | 'analysis.partially_succeeded'
  | 'analysis.failed'
  | 'analysis.cancelled'
  | 'analysis.deleted'
  | 'summary.created'
  | 'summary.updated'
  | 'summary.succeeded'
  | 'summary.partially_succeeded'
  | 'summary.failed'
  | 'summary.cancelled'
  | 'summary.deleted'
  | 'classification.created'
  | 'classification.updated'
  | 'classification.succeeded'
  | 'classification.partially_succeeded'
  | 'classification.failed'
  | 'classification.cancelled'
  | 'classification.deleted'
  | 'embedding.created'
  | 'embedding.updated'
  | 'embedding.succeeded'
  | 'embedding.partially_succeeded'
  | 'embedding.failed'
  | 'embedding.cancelled'
  | 'embedding.deleted'
  | 'report.created'
  | 'report.updated'
  | 'report.succeeded'
  | 'report.partially_succeeded'
  | 'report.failed'
  | 'report.cancelled'
  | 'report.deleted'
  | 'search.created'
  | 'search.deleted'
  | 'answer.created'
  | 'answer.succeeded'
  | 'answer.partially_succeeded'
  | 'answer.failed'
  | 'answer.cancelled'
  | 'answer.deleted'
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

/** One value and where it stands. */
export interface ExtractedField {
  /** RFC 6901 pointer into `data`. */
  path: string
  /** A text, a number, true, false or null, as it stands in `data`. */
  value: unknown
  /** 0 to 1. */
  confidence: number
  citations: Citation[]
}

/** Values by a schema of yours. */
export interface ExtractionAnalysis {
  /** What the schema asks for; it satisfies the schema. */
  data: unknown
  fields: ExtractedField[]
}

/** JSON Schema of an object, for `extraction`: at most 64 KiB, 500 properties and 10 levels, without patterns, and with no `$ref` but to `#/$defs`. */
export type ExtractionSchema = Record<string, unknown>

/** Stored bytes: a document as it came, the picture of a page, or a report. */
export interface File {
  id: string
  object: 'file'
  project_id: string | null
  /** null: it is a report. */
  document_id: string | null
  /** Of a report; whoever reads its file also needs `reports:read`. */
  report_id: string | null
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

export type FileKind = 'original' | 'page_image' | 'report' | (string & {})

/** A link to the bytes of a file for a short time. */
export interface FileLink {
  id: string
  object: 'file_link'
  /** Gives the bytes to whoever has it, as long as the file is there. */
  url: string
  expires_at: string
}

/** A word of the query in `text`, in Unicode code points. */
export interface Highlight {
  start: number
  end: number
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

export type JobType =
  | 'documents'
  | 'ingestion'
  | 'purge'
  | 'analysis'
  | 'summaries'
  | 'classifications'
  | 'embeddings'
  | 'answers'
  | 'reports'
  | 'reindex'
  | (string & {})

/** What it took. */
export interface JobUsage {
  pages: number
  /** Running time of all attempts. */
  compute_ms: number
}

/** Words of the text that say what it is about. */
export interface KeyPhrase {
  text: string
  /** 0 to 1. */
  confidence: number
  citations: Citation[]
}

export interface ClassificationLabel {
  name: string
  /** What belongs under it, in a sentence. */
  description?: string | undefined
  /** Texts that belong under it. */
  examples?: string[] | undefined
}

/** How well a label fits, and the passages that speak for it. */
export interface LabelScore {
  label: string
  /** 0 to 1. */
  score: number
  citations: Citation[]
}

/** The languages of the pages. */
export interface LanguageAnalysis {
  /** BCP 47; null: there is too little text to tell. */
  language: string | null
  /** How much of the text is in it, by characters. */
  confidence: number | null
  languages: LanguageShare[]
}

/** How much of the text is in one language. */
export interface LanguageShare {
  language: string
  /** By characters, of the text whose language is known. */
  share: number
  citations: Citation[]
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
  /** Who runs it: `built_in`, or a name of the operator. */
  provider: string
  version: string
  /** `remote`: what it is given leaves this installation. */
  locality: 'local' | 'remote' | (string & {})
  capabilities: string[]
  /** BCP 47 tags of what it is made for; of a reader, whose text it recognises in pictures. Empty: it does not say. */
  languages: string[]
  /** What fits into one question and its answer; of an embedder, its longest text. */
  context_tokens: number | null
  /** Length of the vectors of an embedder. */
  dimensions: number | null
  price: ModelPrice
  licence: string | null
  /** Taken where a request that needs one of its kind names none. */
  is_default: boolean
}

/** `reader` reads the pages of documents, `embedder` turns texts into vectors, `generator` writes, `reranker` orders passages, `engine` is what this server does without any of them. */
export type ModelKind = 'reader' | 'embedder' | 'generator' | 'reranker' | 'engine' | (string & {})

/** Millionths of the operator's currency for a million tokens. */
export interface ModelPrice {
  input: number
  output: number
}

export interface NewAnalysis {
  /** All but `extraction` if absent. */
  features?: AnalysisFeatureChoice[] | undefined
  schema?: ExtractionSchema | undefined
  /** For `extraction`: what the schema cannot say. */
  instructions?: string | undefined
  page_range?: PageRange | undefined
  /** The id of a model that `GET /models` lists; the default of the tenant if absent. */
  model?: string | undefined
  cache?: CacheUse | undefined
  /** Running time that it may take; if absent, 600 and one more for each page. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

/** Analyses documents. */
export interface NewAnalysisBatch {
  type: 'analysis'
  /** Bodies of that POST. */
  inputs: NewAnalysisOfDocument[]
  priority?: JobPriority | undefined
  /** Running time of the batch itself, without its items; 600 if absent. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

/** The body of the POST, and the document of its path. */
export interface NewAnalysisOfDocument {
  document_id: string
  /** All but `extraction` if absent. */
  features?: AnalysisFeatureChoice[] | undefined
  schema?: ExtractionSchema | undefined
  /** For `extraction`: what the schema cannot say. */
  instructions?: string | undefined
  page_range?: PageRange | undefined
  /** The id of a model that `GET /models` lists; the default of the tenant if absent. */
  model?: string | undefined
  cache?: CacheUse | undefined
  /** Running time that it may take; if absent, 600 and one more for each page. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

export interface NewAnswer {
  question: string
  /** Only documents of this project. */
  project_id?: string | null | undefined
  document_ids?: string[] | undefined
  filters?: SearchFilters | undefined
  /** BCP 47. */
  language?: string | undefined
  /** The id of a model that `GET /models` lists; the default of the tenant if absent. */
  model?: string | undefined
  cache?: CacheUse | undefined
  /** Running time that it may take; 600 if absent. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

export interface NewApiKey {
  name: string
  scopes: Scope[]
  /** The projects that the key sees; null: the whole tenant. */
  project_ids?: string[] | null | undefined
  /** null: works until it is revoked. */
  expires_at?: string | null | undefined
  metadata?: Metadata | undefined
}

/** Of `document_id` or of a `text`, one of the two. */
export interface NewClassification {
  document_id?: string | undefined
  /** Instead of a document. */
  text?: string | undefined
  /** Of a result that is of no document: who sees it. Documents bring their own. */
  project_id?: string | null | undefined
  labels: ClassificationLabel[]
  /** Several labels may fit; their scores then do not add up to 1. */
  multi_label?: boolean | undefined
  /** Under it no label is given; 0.3 if absent. */
  threshold?: number | undefined
  /** The id of a model that `GET /models` lists; the default of the tenant if absent. */
  model?: string | undefined
  cache?: CacheUse | undefined
  /** Running time that it may take; 600 if absent. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

/** Classifies. */
export interface NewClassificationsBatch {
  type: 'classifications'
  /** Bodies of that POST. */
  inputs: NewClassification[]
  priority?: JobPriority | undefined
  /** Running time of the batch itself, without its items; 600 if absent. */
  timeout_seconds?: number | undefined
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

/** Creates documents. */
export interface NewDocumentsBatch {
  type: 'documents'
  /** Bodies of that POST. */
  inputs: NewDocument[]
  priority?: JobPriority | undefined
  /** Running time of the batch itself, without its items; 600 if absent. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

/** Of `inputs` or of `document_id`, one of the two. */
export interface NewEmbedding {
  /** Texts. */
  inputs?: string[] | undefined
  /** Instead of texts: its chunks, at most 5,000 of them, and fewer as `float`. */
  document_id?: string | undefined
  /** Of a result that is of no document: who sees it. Documents bring their own. */
  project_id?: string | null | undefined
  /** Must be the model's own, unless it can give fewer. */
  dimensions?: number | undefined
  encoding_format?: EncodingFormatChoice | undefined
  /** The id of a model that `GET /models` lists; the default of the tenant if absent. */
  model?: string | undefined
  cache?: CacheUse | undefined
  /** Running time that it may take; 600 if absent. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

/** Embeds. */
export interface NewEmbeddingsBatch {
  type: 'embeddings'
  /** Bodies of that POST. */
  inputs: NewEmbedding[]
  priority?: JobPriority | undefined
  /** Running time of the batch itself, without its items; 600 if absent. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

/** One operation over many inputs: a batch. `type` says which. */
export type NewJob =
  | NewDocumentsBatch
  | NewAnalysisBatch
  | NewSummariesBatch
  | NewClassificationsBatch
  | NewEmbeddingsBatch

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
  privacy?: ProjectPrivacyChoice | undefined
  default_processing?: Processing | undefined
  metadata?: Metadata | undefined
}

export interface NewReport {
  title?: string | undefined
  /** Only of this project; the whole tenant if absent. */
  project_id?: string | null | undefined
  type: ReportTypeChoice
  format: ReportFormatChoice
  filters?: ReportFilters | undefined
  /** Running time that it may take; 600 if absent. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

export interface NewRotation {
  /** How long the old secret goes on working; 0 if absent. */
  overlap_seconds?: number | undefined
}

export interface NewSearch {
  query: string
  mode?: SearchModeChoice | undefined
  /** Only documents of this project. */
  project_id?: string | null | undefined
  document_ids?: string[] | undefined
  filters?: SearchFilters | undefined
  /** The id of a model that reranks what was found. */
  rerank?: string | undefined
  /** 10 if absent. */
  limit?: number | undefined
  metadata?: Metadata | undefined
}

/** Summarises. */
export interface NewSummariesBatch {
  type: 'summaries'
  /** Bodies of that POST. */
  inputs: NewSummary[]
  priority?: JobPriority | undefined
  /** Running time of the batch itself, without its items; 600 if absent. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

/** Of `document_ids` or of a `text`, one of the two. */
export interface NewSummary {
  document_ids?: string[] | undefined
  /** Instead of documents. */
  text?: string | undefined
  /** Of a result that is of no document: who sees it. Documents bring their own. */
  project_id?: string | null | undefined
  style?: SummaryStyleChoice | undefined
  length?: SummaryLengthChoice | undefined
  /** BCP 47. */
  language?: string | undefined
  /** What the reader wants to know. */
  focus?: string | undefined
  /** The id of a model that `GET /models` lists; the default of the tenant if absent. */
  model?: string | undefined
  cache?: CacheUse | undefined
  /** Running time that it may take; 600 if absent. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
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

/** Who made it. */
export interface OutcomeModel {
  id: string
  provider: string
  /** `remote`: the text left this installation. */
  locality: 'local' | 'remote' | (string & {})
  version: string
}

export interface OutcomePatch {
  metadata?: MetadataPatch | undefined
}

export type OutcomeStatus = 'queued' | 'running' | 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled' | (string & {})

/** What it took. A stored result that is returned again costs nothing. */
export interface OutcomeUsage {
  pages: number
  input_tokens: number
  output_tokens: number
  /** Millionths of the operator's currency, by the operator's price list. */
  cost_micros: number
  compute_ms: number
}

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

/** Only these pages, both ends included. */
export interface PageRange {
  first: number
  last: number
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

/** What was read to answer. */
export interface Passage {
  document_id: string
  page_id: string
  page_number: number
  chunk_id: string
  start: number
  end: number
  text: string
  score: number
}

/** Something that names or reaches a person. */
export interface PersonalDatum {
  type: PersonalDatumType
  text: string
  /** 0 to 1. */
  confidence: number
  citations: Citation[]
}

export type PersonalDatumType = 'email' | 'phone' | 'card' | 'iban' | 'ssn' | 'ip_address' | (string & {})

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
  privacy: ProjectPrivacy
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
  privacy?: ProjectPrivacyChoice | undefined
  default_processing?: Processing | undefined
  metadata?: MetadataPatch | undefined
}

/** `local_only`: no remote model or reader ever sees its text. */
export type ProjectPrivacy = 'allowed' | 'local_only' | (string & {})

/** `allowed` if absent. */
export type ProjectPrivacyChoice = 'allowed' | 'local_only'

/** The limits that hold for one party. */
export interface RateLimit {
  /** Whose limits these are: `principal` is the key or user that asks, `tenant` all of the tenant together. */
  id: 'principal' | 'tenant' | (string & {})
  object: 'rate_limit'
  tier: 'free' | 'standard' | 'enterprise' | 'self_hosted' | (string & {})
  policies: RatePolicy[]
}

/** One limit and what is left of it. */
export interface RatePolicy {
  name: 'requests' | 'ai' | 'concurrent' | 'jobs' | 'queue' | 'streams' | (string & {})
  quota: number
  /** 0 for a bound on things under way at once. */
  window_seconds: number
  remaining: number
  /** Until the whole quota is there again. */
  reset_seconds: number
}

/** A table over many documents, as a file. What is deleted later stays in it. */
export interface Report {
  id: string
  object: 'report'
  status: OutcomeStatus
  /** It has ended and will not change by itself. */
  is_terminal: boolean
  /** Who makes it; null: it was made within the request. */
  job_id: string | null
  /** Who sees it. */
  project_id: string | null
  /** Of the text, the model and its version, the parameters and the prompt: the same gives the same result. */
  fingerprint: string | null
  /** `hit`: an earlier result with the same fingerprint. `bypass`: none was looked for. */
  cache: 'hit' | 'miss' | 'bypass' | (string & {})
  /** How it was made. */
  method: 'extractive' | 'embedding' | 'generative' | 'rules' | 'keyword' | 'hybrid' | (string & {}) | null
  model: OutcomeModel | null
  usage: OutcomeUsage | null
  /** What was not read, dropped or done otherwise. */
  warnings: string[]
  error: JobError | null
  title: string
  type: ReportType
  format: ReportFormat
  filters: ShownReportFilters | null
  /** Its bytes are at `/files/{file_id}/contents`. */
  file_id: string | null
  row_count: number | null
  metadata: Metadata
  created_at: string
  updated_at: string
}

/** Only rows that satisfy all of these. */
export interface ReportFilters {
  /** Rows of this time or later. */
  created_after?: string | undefined
  /** Rows before this time. */
  created_before?: string | undefined
}

export type ReportFormat = 'json' | 'csv' | 'markdown' | 'html' | 'pdf' | (string & {})

export type ReportFormatChoice = 'json' | 'csv' | 'markdown' | 'html' | 'pdf'

export interface ReportPatch {
  title?: string | undefined
  metadata?: MetadataPatch | undefined
}

export type ReportType = 'documents' | 'analysis' | 'classifications' | 'usage' | (string & {})

/** `documents`, `analysis` (the latest of each document), `classifications`, or `usage` (pages, tokens, time, cost by day, project, key and model). */
export type ReportTypeChoice = 'documents' | 'analysis' | 'classifications' | 'usage'

export type Scope =
  | 'documents:read'
  | 'documents:write'
  | 'jobs:read'
  | 'jobs:write'
  | 'projects:read'
  | 'projects:write'
  | 'analysis:read'
  | 'analysis:write'
  | 'summaries:read'
  | 'summaries:write'
  | 'classifications:read'
  | 'classifications:write'
  | 'embeddings:read'
  | 'embeddings:write'
  | 'searches:read'
  | 'searches:write'
  | 'reports:read'
  | 'reports:write'
  | 'events:read'
  | 'api_keys:manage'

/** A query and the passages that were found. Kept for 30 days. */
export interface Search {
  id: string
  object: 'search'
  status: OutcomeStatus
  /** It has ended and will not change by itself. */
  is_terminal: boolean
  /** Who makes it; null: it was made within the request. */
  job_id: string | null
  /** Who sees it. */
  project_id: string | null
  /** Of the text, the model and its version, the parameters and the prompt: the same gives the same result. */
  fingerprint: string | null
  /** `hit`: an earlier result with the same fingerprint. `bypass`: none was looked for. */
  cache: 'hit' | 'miss' | 'bypass' | (string & {})
  /** How it was made. */
  method: 'extractive' | 'embedding' | 'generative' | 'rules' | 'keyword' | 'hybrid' | (string & {}) | null
  model: OutcomeModel | null
  usage: OutcomeUsage | null
  /** What was not read, dropped or done otherwise. */
  warnings: string[]
  error: JobError | null
  query: string
  mode: SearchMode
  document_ids: string[]
  filters: ShownSearchFilters | null
  rerank: string | null
  limit: number
  results: SearchResult[]
  metadata: Metadata
  created_at: string
  updated_at: string
}

/** Only documents that satisfy all of these. */
export interface SearchFilters {
  metadata?: Metadata | undefined
  /** Documents created at or after this time. */
  created_after?: string | undefined
  /** Documents created before this time. */
  created_before?: string | undefined
}

export type SearchMode = 'hybrid' | 'semantic' | 'keyword' | (string & {})

/** `hybrid` if absent. */
export type SearchModeChoice = 'hybrid' | 'semantic' | 'keyword'

/** A passage that was found. */
export interface SearchResult {
  document_id: string
  page_id: string
  page_number: number
  chunk_id: string
  /** Where the passage begins in the text of the page, in Unicode code points. */
  start: number
  end: number
  text: string
  heading_path: string[]
  highlights: Highlight[]
  /** What the results are sorted by; comparable within one search only. */
  score: number
  scores: SearchScores
}

/** BM25, cosine similarity, reciprocal rank, and what a reranking model said. */
export interface SearchScores {
  keyword: number | null
  semantic: number | null
  fused: number | null
  rerank: number | null
}

/** The tone of the English text; null where there is none. */
export interface SentimentAnalysis {
  label: SentimentLabel
  /** -1 (negative) to 1 (positive). */
  score: number
  /** 0 to 1. */
  confidence: number
  /** The sentences that speak most clearly. */
  citations: Citation[]
}

export type SentimentLabel = 'positive' | 'neutral' | 'negative' | 'mixed' | (string & {})

export interface ShownLabel {
  name: string
  description: string | null
  examples: string[]
}

/** The pages that were read. */
export interface ShownPageRange {
  first: number
  last: number
}

/** As they were asked for. */
export interface ShownReportFilters {
  /** Rows of this time or later. */
  created_after?: string
  /** Rows before this time. */
  created_before?: string
}

/** As they were asked for. */
export interface ShownSearchFilters {
  metadata?: Metadata
  /** Documents created at or after this time. */
  created_after?: string
  /** Documents created before this time. */
  created_before?: string
}

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

/** What can be counted. */
export interface StatisticsAnalysis {
  pages: number
  characters: number
  words: number
  sentences: number
  paragraphs: number
  average_sentence_words: number
  /** At 238 words a minute. */
  reading_seconds: number
}

/** The resource that an event is about. */
export interface Subject {
  object: string
  id: string
}

/** What documents or a text say, in few sentences, each with the places that it comes from. */
export interface Summary {
  id: string
  object: 'summary'
  status: OutcomeStatus
  /** It has ended and will not change by itself. */
  is_terminal: boolean
  /** Who makes it; null: it was made within the request. */
  job_id: string | null
  /** Who sees it. */
  project_id: string | null
  /** Of the text, the model and its version, the parameters and the prompt: the same gives the same result. */
  fingerprint: string | null
  /** `hit`: an earlier result with the same fingerprint. `bypass`: none was looked for. */
  cache: 'hit' | 'miss' | 'bypass' | (string & {})
  /** How it was made. */
  method: 'extractive' | 'embedding' | 'generative' | 'rules' | 'keyword' | 'hybrid' | (string & {}) | null
  model: OutcomeModel | null
  usage: OutcomeUsage | null
  /** What was not read, dropped or done otherwise. */
  warnings: string[]
  error: JobError | null
  /** Empty: of a text that came with the request. */
  document_ids: string[]
  style: SummaryStyle
  length: SummaryLength
  /** BCP 47. */
  language: string | null
  focus: string | null
  text: string | null
  sentences: CitedSentence[]
  metadata: Metadata
  created_at: string
  updated_at: string
}

export type SummaryLength = 'short' | 'medium' | 'long' | (string & {})

/** `medium` if absent. */
export type SummaryLengthChoice = 'short' | 'medium' | 'long'

export type SummaryStyle = 'abstract' | 'bullets' | 'headline' | 'extractive' | (string & {})

/** `extractive`: sentences of the text itself, without a generative model; all that the built-in engine can do. */
export type SummaryStyleChoice = 'abstract' | 'bullets' | 'headline' | 'extractive'

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

/** One of a fixed list of subjects. */
export interface Topic {
  name: string
  /** 0 to 1. */
  confidence: number
  citations: Citation[]
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

export interface AnalysisListQuery {
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

export interface SummariesListQuery {
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
  document_id?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface ClassificationsListQuery {
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
  document_id?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface EmbeddingsListQuery {
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
  document_id?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface SearchesListQuery {
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
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface AnswersListQuery {
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
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface ReportsListQuery {
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
  type?: OneOrMore<'documents' | 'ingestion' | 'purge' | 'analysis' | 'summaries' | 'classifications' | 'embeddings' | 'answers' | 'reports' | 'reindex'> | undefined
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
  type?: OneOrMore<'project.created' | 'project.updated' | 'project.deleted' | 'document.created' | 'document.updated' | 'document.deleted' | 'page.created' | 'page.updated' | 'page.deleted' | 'upload.created' | 'upload.completed' | 'upload.deleted' | 'analysis.created' | 'analysis.updated' | 'analysis.succeeded' | 'analysis.partially_succeeded' | 'analysis.failed' | 'analysis.cancelled' | 'analysis.deleted' | 'summary.created' | 'summary.updated' | 'summary.succeeded' | 'summary.partially_succeeded' | 'summary.failed' | 'summary.cancelled' | 'summary.deleted' | 'classification.created' | 'classification.updated' | 'classification.succeeded' | 'classification.partially_succeeded' | 'classification.failed' | 'classification.cancelled' | 'classification.deleted' | 'embedding.created' | 'embedding.updated' | 'embedding.succeeded' | 'embedding.partially_succeeded' | 'embedding.failed' | 'embedding.cancelled' | 'embedding.deleted' | 'report.created' | 'report.updated' | 'report.succeeded' | 'report.partially_succeeded' | 'report.failed' | 'report.cancelled' | 'report.deleted' | 'search.created' | 'search.deleted' | 'answer.created' | 'answer.succeeded' | 'answer.partially_succeeded' | 'answer.failed' | 'answer.cancelled' | 'answer.deleted' | 'job.queued' | 'job.running' | 'job.updated' | 'job.succeeded' | 'job.partially_succeeded' | 'job.failed' | 'job.cancelled' | 'job.deleted' | 'api_key.created' | 'api_key.updated' | 'api_key.rotated' | 'api_key.revoked'> | undefined
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
  kind?: 'reader' | 'embedder' | 'generator' | 'reranker' | 'engine' | undefined
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
