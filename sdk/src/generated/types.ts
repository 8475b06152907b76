// Written by `npm run openapi` from the contract. Changes made here are lost.

export type OneOrMore<T> = T | readonly T[]

/** The key, user or process that caused it. */
export interface Actor {
  type: 'api_key' | 'user' | 'client' | 'system' | (string & {})
  id: string | null
}

/** Facts extracted from a document: one field for each requested feature; the others are null. */
export interface Analysis {
  id: string
  object: 'analysis'
  status: OutcomeStatus
  /** True if it has ended and will not change by itself. */
  is_terminal: boolean
  /** The job that produces it; null if it was produced within the request. */
  job_id: string | null
  /** The project that controls who can see it. */
  project_id: string | null
  /** Hash of the text, the model and its version, the parameters and the prompt. Requests with equal fingerprints get the same result. */
  fingerprint: string | null
  /** `hit`: an earlier result with the same fingerprint was returned. `bypass`: the cache was not used. */
  cache: 'hit' | 'miss' | 'bypass' | (string & {})
  /** How the result was produced. */
  method: 'extractive' | 'embedding' | 'generative' | 'rules' | 'keyword' | 'hybrid' | (string & {}) | null
  model: OutcomeModel | null
  usage: OutcomeUsage | null
  /** Anything that was skipped, dropped or done differently. */
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

/** A question and its answer, with citations for each sentence. Kept for 30 days. */
export interface Answer {
  id: string
  object: 'answer'
  status: OutcomeStatus
  /** True if it has ended and will not change by itself. */
  is_terminal: boolean
  /** The job that produces it; null if it was produced within the request. */
  job_id: string | null
  /** The project that controls who can see it. */
  project_id: string | null
  /** Hash of the text, the model and its version, the parameters and the prompt. Requests with equal fingerprints get the same result. */
  fingerprint: string | null
  /** `hit`: an earlier result with the same fingerprint was returned. `bypass`: the cache was not used. */
  cache: 'hit' | 'miss' | 'bypass' | (string & {})
  /** How the result was produced. */
  method: 'extractive' | 'embedding' | 'generative' | 'rules' | 'keyword' | 'hybrid' | (string & {}) | null
  model: OutcomeModel | null
  usage: OutcomeUsage | null
  /** Anything that was skipped, dropped or done differently. */
  warnings: string[]
  error: JobError | null
  question: string
  document_ids: string[]
  filters: ShownSearchFilters | null
  /** BCP 47. */
  language: string | null
  previous_answer_id: string | null
  /** The question that Octavo searched for, if it is a follow-up: `question` with the subject of the previous answer. */
  standalone_question: string | null
  /** False if the documents do not contain the answer. */
  is_answered: boolean
  /** Probability that the answer is right, from the built-in engine; below its threshold `is_answered` is false. Null for generative models. */
  confidence: number | null
  text: string | null
  sentences: CitedSentence[]
  nearest: NearestSentence | null
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
  /** The scopes of the key. */
  scopes: ('documents:read' | 'documents:write' | 'jobs:read' | 'jobs:write' | 'projects:read' | 'projects:write' | 'analysis:read' | 'analysis:write' | 'summaries:read' | 'summaries:write' | 'classifications:read' | 'classifications:write' | 'embeddings:read' | 'embeddings:write' | 'searches:read' | 'searches:write' | 'reports:read' | 'reports:write' | 'events:read' | 'api_keys:manage' | 'oauth_clients:manage' | 'members:read' | 'members:manage' | 'tenant:manage' | 'authorizations:manage' | (string & {}))[]
  /** The projects that the key can see; null means the whole tenant. */
  project_ids: string[] | null
  /** When the key expires; null means never. */
  expires_at: string | null
  /** Accurate to the minute. */
  last_used_at: string | null
  /** The key that created it; null if a user or the operator did. */
  created_by: string | null
  /** The user who created it; null if no user did. */
  created_by_user_id: string | null
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
  /** The scopes of the key. */
  scopes: ('documents:read' | 'documents:write' | 'jobs:read' | 'jobs:write' | 'projects:read' | 'projects:write' | 'analysis:read' | 'analysis:write' | 'summaries:read' | 'summaries:write' | 'classifications:read' | 'classifications:write' | 'embeddings:read' | 'embeddings:write' | 'searches:read' | 'searches:write' | 'reports:read' | 'reports:write' | 'events:read' | 'api_keys:manage' | 'oauth_clients:manage' | 'members:read' | 'members:manage' | 'tenant:manage' | 'authorizations:manage' | (string & {}))[]
  /** The projects that the key can see; null means the whole tenant. */
  project_ids: string[] | null
  /** When the key expires; null means never. */
  expires_at: string | null
  /** Accurate to the minute. */
  last_used_at: string | null
  /** The key that created it; null if a user or the operator did. */
  created_by: string | null
  /** The user who created it; null if no user did. */
  created_by_user_id: string | null
  /** The first and last characters of the newest secret. */
  key_preview: string
  /** Send it as `Authorization: Bearer <secret>`. It is never shown again. */
  secret: string
  metadata: Metadata
  created_at: string
  updated_at: string
}

export type ApplicationScope =
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
  | 'members:read'

/** `none` (default) lists the attachments of an email in `warnings`; `documents` creates a document for each attachment, up to 100, including attachments of attached emails. */
export type AttachmentMode = 'none' | 'documents'

/** The access that a user gave to an application. */
export interface Authorization {
  id: string
  object: 'authorization'
  user_id: string
  /** The registered application; null for Octavo's command line and for an application with a `client_url`. */
  client_id: string | null
  /** The `client_id` of an application that is not registered: the address of its metadata document. */
  client_url: string | null
  /** The application's name, or the host of its `client_url`. */
  client_name: string
  /** Permissions of the application, within the limits of the user's role. */
  scopes: ('documents:read' | 'documents:write' | 'jobs:read' | 'jobs:write' | 'projects:read' | 'projects:write' | 'analysis:read' | 'analysis:write' | 'summaries:read' | 'summaries:write' | 'classifications:read' | 'classifications:write' | 'embeddings:read' | 'embeddings:write' | 'searches:read' | 'searches:write' | 'reports:read' | 'reports:write' | 'events:read' | 'api_keys:manage' | 'oauth_clients:manage' | 'members:read' | 'members:manage' | 'tenant:manage' | 'authorizations:manage' | (string & {}))[]
  /** Accurate to the minute. */
  last_used_at: string | null
  /** When the user has to agree again. */
  expires_at: string
  metadata: Metadata
  created_at: string
  updated_at: string
}

/** A small file inside the request. */
export interface Base64Source {
  type: 'base64'
  /** Must be a type such as `application/pdf`. It is a hint; Octavo detects the type from the bytes. */
  media_type: string
  /** The file, encoded as Base64 without line breaks. */
  data: string
  /** The file name, for display only. */
  file_name?: string | undefined
}

/** A part of a page, such as a paragraph or a table. */
export interface Block {
  type: BlockType
  text: string
  /** The level of a heading or a list item, starting at 1. */
  level?: number
  /** Left, top, right, bottom, as fractions of the page's width and height. */
  bbox?: number[]
  /** Confidence of OCR; absent for embedded text. */
  confidence?: number
  /** True for a page number, and for a header or footer that repeats one from an earlier page. Such blocks are not part of `text`. */
  is_running?: boolean
  table?: Table
  /** The caption of a table or figure: the text of the `caption` block next to it. */
  caption?: string
  /** The labels and values of a `fields` block. */
  fields?: Field[]
}

export type BlockType =
  | 'title'
  | 'heading'
  | 'paragraph'
  | 'list_item'
  | 'table'
  | 'fields'
  | 'figure'
  | 'caption'
  | 'footnote'
  | 'header'
  | 'footer'
  | 'code'
  | (string & {})

/** `use` (default) returns an earlier result with the same fingerprint. `bypass` computes a new one. */
export type CacheUse = 'use' | 'bypass'

/** Features and limits of this server. */
export interface Capabilities {
  object: 'capabilities'
  /** The version of the server. */
  version: string
  api_versions: string[]
  /** Collections that this server supports. */
  features: string[]
  /** Source types that this server accepts for documents. */
  formats: string[]
  /** `json_bytes` is the largest JSON body that every endpoint accepts; `large_json_bytes` is the limit of the endpoints for documents, pages, embeddings and batches. `file_bytes` is the largest file. */
  limits: Record<string, number>
}

/** A part of one page, as search and models use it. It never crosses the end of a page. */
export interface Chunk {
  id: string
  object: 'chunk'
  document_id: string
  page_id: string
  page_number: number
  /** The order of the chunks within a document; the numbers have gaps. */
  position: number
  /** Start in the text of the page, in Unicode code points. */
  start: number
  /** End in the text of the page, in Unicode code points. */
  end: number
  text: string
  /** The headings above it, outermost first. */
  heading_path: string[]
  /** The text with each row of a table as `header: value; header: value`, below the table's caption; null if the chunk has no table. Search indexes it. Citations and positions refer to `text`. */
  expanded_text: string | null
  /** Number of tokens, counted with the o200k tokenizer. */
  token_count: number
}

/** A verified position in a page: its text at these offsets is the quote. */
export interface Citation {
  /** Null if the source is the text of the request. */
  document_id: string | null
  page_id: string | null
  page_number: number | null
  /** Hash of the cited text. If the page now has a different hash, it has been corrected since. */
  page_sha256: string
  /** Headings above the quote, outermost first. Absent in results from before this field existed. */
  heading_path?: string[]
  /** Start of the quote in the text of the page, in Unicode code points. */
  start: number
  /** End in the text of the page, in Unicode code points. */
  end: number
  /** The exact quoted text. */
  quote: string
  /** Position of its block on the page: x0, y0, x1, y1 from 0 to 1; null if unknown. */
  bbox: number[] | null
  /** How the quote matches the page: exactly, ignoring case and white space, or approximately. */
  match: 'exact' | 'folded' | 'fuzzy' | (string & {})
  /** Similarity of a `fuzzy` match; otherwise 1. */
  match_score: number
}

/** A sentence and its sources. */
export interface CitedSentence {
  text: string
  /** Empty if no page supports it. */
  citations: Citation[]
}

/** Which of your labels fit a document or a text. */
export interface Classification {
  id: string
  object: 'classification'
  status: OutcomeStatus
  /** True if it has ended and will not change by itself. */
  is_terminal: boolean
  /** The job that produces it; null if it was produced within the request. */
  job_id: string | null
  /** The project that controls who can see it. */
  project_id: string | null
  /** Hash of the text, the model and its version, the parameters and the prompt. Requests with equal fingerprints get the same result. */
  fingerprint: string | null
  /** `hit`: an earlier result with the same fingerprint was returned. `bypass`: the cache was not used. */
  cache: 'hit' | 'miss' | 'bypass' | (string & {})
  /** How the result was produced. */
  method: 'extractive' | 'embedding' | 'generative' | 'rules' | 'keyword' | 'hybrid' | (string & {}) | null
  model: OutcomeModel | null
  usage: OutcomeUsage | null
  /** Anything that was skipped, dropped or done differently. */
  warnings: string[]
  error: JobError | null
  document_id: string | null
  labels: ShownLabel[]
  /** True if several labels may fit; their scores then do not add up to 1. */
  multi_label: boolean
  /** Minimum score of `label`. */
  threshold: number
  /** The best label; null if none reaches the threshold. */
  label: string | null
  /** All labels, best first; empty until there is a result. */
  results: LabelScore[]
  metadata: Metadata
  created_at: string
  updated_at: string
}

export interface ClassificationLabel {
  name: string
  /** The meaning of the label, in one sentence. */
  description?: string | undefined
  /** Texts that fit this label. */
  examples?: string[] | undefined
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

/** A document and the state of its pages. It does not contain the text itself. */
export interface Document {
  id: string
  object: 'document'
  title: string
  /** The project it belongs to; set at creation. */
  project_id: string | null
  /** The email that it was attached to. It is deleted with that email. */
  parent_document_id: string | null
  /** Your own identifier; unique in the tenant. */
  external_id: string | null
  source: DocumentSource | null
  processing: ProcessingSettings | null
  status: DocumentStatus
  /** The original file. */
  file_id: string | null
  media_type: string | null
  size_bytes: number | null
  /** SHA-256 of the source, in hexadecimal. */
  sha256: string | null
  /** Main language, as a BCP 47 tag. */
  language: string | null
  /** When it is deleted automatically; null means after its project's retention or, if that is null, never. */
  expires_at: string | null
  /** The last job that worked on it. Jobs are kept for 30 days after they end. */
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

/** A file and its metadata. The default title is the file name. */
export interface DocumentForm {
  title?: string | undefined
  /** Your own identifier; unique in the tenant. */
  external_id?: string | null | undefined
  /** When it is deleted automatically; null means after its project's retention or, if that is null, never. */
  expires_at?: string | null | undefined
  metadata?: Metadata | undefined
  /** The project it belongs to; set at creation. */
  project_id?: string | null | undefined
  /** The password of a protected PDF, Word, Excel or PowerPoint file. Never returned; deleted when the file has been read. */
  password?: string | undefined
  processing?: Processing | undefined
  on_duplicate?: OnDuplicate | undefined
  file: string
}

export interface DocumentPatch {
  title?: string | undefined
  /** Your own identifier; unique in the tenant. */
  external_id?: string | null | undefined
  /** When it is deleted automatically; null means after its project's retention or, if that is null, never. */
  expires_at?: string | null | undefined
  metadata?: MetadataPatch | undefined
}

export interface DocumentReplacement {
  title: string
  /** Your own identifier; unique in the tenant. */
  external_id?: string | null | undefined
  /** When it is deleted automatically; null means after its project's retention or, if that is null, never. */
  expires_at?: string | null | undefined
  metadata?: Metadata | undefined
}

/** The source of the document. */
export interface DocumentSource {
  /** `file` means that it was sent as `multipart/form-data`, here or with `POST /files`. */
  type: 'text' | 'pages' | 'base64' | 'upload' | 'url' | 'file' | (string & {})
  /** The file name, for display only. */
  file_name?: string
  upload_id?: string
  /** Without its query string, which may contain a secret. */
  url?: string
}

export type DocumentStatus = 'processing' | 'ready' | 'partially_ready' | 'failed' | (string & {})

/** One vector of length 1. */
export interface EmbeddedText {
  index: number
  /** Numbers, or little-endian float32 in Base64, depending on `encoding_format`. */
  vector: unknown
  chunk_id: string | null
}

/** Vectors of texts, or of the chunks of a document. */
export interface Embedding {
  id: string
  object: 'embedding'
  status: OutcomeStatus
  /** True if it has ended and will not change by itself. */
  is_terminal: boolean
  /** The job that produces it; null if it was produced within the request. */
  job_id: string | null
  /** The project that controls who can see it. */
  project_id: string | null
  /** Hash of the text, the model and its version, the parameters and the prompt. Requests with equal fingerprints get the same result. */
  fingerprint: string | null
  /** `hit`: an earlier result with the same fingerprint was returned. `bypass`: the cache was not used. */
  cache: 'hit' | 'miss' | 'bypass' | (string & {})
  /** How the result was produced. */
  method: 'extractive' | 'embedding' | 'generative' | 'rules' | 'keyword' | 'hybrid' | (string & {}) | null
  model: OutcomeModel | null
  usage: OutcomeUsage | null
  /** Anything that was skipped, dropped or done differently. */
  warnings: string[]
  error: JobError | null
  document_id: string | null
  encoding_format: EncodingFormat
  dimensions: number | null
  /** In the order of the inputs or chunks. Empty in lists: get a single embedding to read its vectors. */
  data: EmbeddedText[]
  metadata: Metadata
  created_at: string
  updated_at: string
}

export type EncodingFormat = 'float' | 'base64' | (string & {})

/** Default `float`. */
export type EncodingFormatChoice = 'float' | 'base64'

/** Experimental and for English text only; often misses people, places and organizations. */
export interface Entity {
  type: EntityType
  text: string
  /** 0 to 1. */
  confidence: number
  citations: Citation[]
}

export type EntityType = 'person' | 'organisation' | 'place' | 'date' | 'time' | 'money' | 'percentage' | (string & {})

export type EntityTypeChoice = 'person' | 'organisation' | 'place' | 'date' | 'time' | 'money' | 'percentage'

/** Machine-readable code; branch on it. */
export type ErrorCode =
  | 'invalid_json'
  | 'invalid_request'
  | 'invalid_parameter'
  | 'invalid_cursor'
  | 'unauthenticated'
  | 'invalid_token'
  | 'insufficient_user_authentication'
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

/** One error. */
export interface ErrorDetail {
  /** Dotted path of a body field, or the name of a parameter, header or limit. */
  field: string
  location: 'body' | 'query' | 'header' | 'limit' | (string & {})
  code: DetailCode
  message: string
  /** RFC 6901 pointer, for body fields. */
  pointer?: string
  /** The existing resource that the entry refers to. */
  id?: string
}

/** The body of every response with a status of 400 or higher. */
export interface ErrorResponse {
  code: ErrorCode
  /** Message for people; may change at any time. */
  message: string
  details: ErrorDetail[]
  /** The same as the `Request-Id` header. */
  request_id: string
  /** The page on this server that explains the code. */
  doc_url: string
}

/** A record of a change, written in the same transaction. */
export interface Event {
  id: string
  object: 'event'
  type: EventType
  subject: Subject
  actor: Actor
  /** The request that caused it. */
  request_id: string | null
  project_id: string | null
  /** Position in the order of the tenant's committed events. */
  position: number
  /** Number within its job, starting at 1; null for events without a job. */
  seq: number | null
  /** A few fields, enough to decide whether to get the subject. */
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
  | 'file.created'
  | 'file.deleted'
  | 'oauth_client.created'
  | 'oauth_client.updated'
  | 'oauth_client.deleted'
  | 'invitation.created'
  | 'invitation.updated'
  | 'invitation.accepted'
  | 'invitation.deleted'
  | 'member.created'
  | 'member.updated'
  | 'member.deleted'
  | 'user.created'
  | 'user.updated'
  | 'user.deleted'
  | 'authorization.created'
  | 'authorization.updated'
  | 'authorization.revoked'
  | (string & {})

/** One value and its sources. */
export interface ExtractedField {
  /** RFC 6901 pointer into `data`. */
  path: string
  /** The value in `data`: a string, a number, true, false or null. */
  value: unknown
  /** 0 to 1. */
  confidence: number
  citations: Citation[]
}

/** The values that your JSON Schema defines. */
export interface ExtractionAnalysis {
  /** The extracted object; it conforms to the schema. */
  data: unknown
  fields: ExtractedField[]
}

/** JSON Schema of an object, for `extraction`: at most 64 KiB, 500 properties and 10 levels, without patterns; `$ref` only to `#/$defs`. */
export type ExtractionSchema = Record<string, unknown>

/** A label and its value, as in a form or at the head of an invoice. */
export interface Field {
  /** The name of the field, without a trailing colon. */
  label: string
  /** Empty if nothing is filled in; `checked` or `unchecked` for a checkbox. */
  value: string
  /** The box around the label. */
  label_bbox?: number[]
  /** The box around the value. */
  value_bbox?: number[]
}

/** Stored bytes: an original file, the image of a page, or a report. */
export interface File {
  id: string
  object: 'file'
  project_id: string | null
  /** The document it belongs to; null for a report and for an unused file. */
  document_id: string | null
  /** The report it belongs to; downloading its file also needs `reports:read`. */
  report_id: string | null
  kind: FileKind
  file_name: string
  media_type: string
  size_bytes: number
  /** SHA-256 of the bytes, in hexadecimal; null until they have been read once. */
  sha256: string | null
  /** When the file is deleted if no document uses it; null if it is in use. */
  expires_at: string | null
  metadata: Metadata
  created_at: string
  updated_at: string
}

/** A file, and the project that controls who can see it until a document uses it. */
export interface FileForm {
  project_id?: string | null | undefined
  file: string
}

export type FileKind = 'original' | 'page_image' | 'report' | (string & {})

/** A short-lived download link for a file. */
export interface FileLink {
  id: string
  object: 'file_link'
  /** Anyone with this link can download the file while it exists. */
  url: string
  expires_at: string
}

/** A file that you sent with `POST /files`. You can use a file once. */
export interface FileSource {
  type: 'file'
  file_id: string
}

/** Position of a query word in `text`, in Unicode code points. */
export interface Highlight {
  start: number
  end: number
}

/** An offer to become a user of the tenant. The link that accepts it works once. */
export interface Invitation {
  id: string
  object: 'invitation'
  /** An email address. */
  email: string
  role: Role
  /** The projects that the user will be a member of and see; null means the whole tenant. */
  project_ids: string[] | null
  /** The user who sent the invitation; null if an API key or the operator did. */
  invited_by: string | null
  /** When the link stops working. */
  expires_at: string
  accepted_at: string | null
  /** The user who accepted the invitation. */
  user_id: string | null
  metadata: Metadata
  created_at: string
  updated_at: string
}

export interface InvitationPatch {
  role?: RoleChoice | undefined
  /** The projects that the user will be a member of and see; null means the whole tenant. */
  project_ids?: string[] | null | undefined
  metadata?: MetadataPatch | undefined
}

/** An invitation with its link, which is shown only once. */
export interface InvitationWithLink {
  id: string
  object: 'invitation'
  /** An email address. */
  email: string
  role: Role
  /** The projects that the user will be a member of and see; null means the whole tenant. */
  project_ids: string[] | null
  /** The user who sent the invitation; null if an API key or the operator did. */
  invited_by: string | null
  /** When the link stops working. */
  expires_at: string
  accepted_at: string | null
  /** The user who accepted the invitation. */
  user_id: string | null
  /** The page that accepts the invitation. Give it only to the invitee. */
  url: string
  metadata: Metadata
  created_at: string
  updated_at: string
}

/** Background work: its progress, why it is waiting, and how it ended. */
export interface Job {
  id: string
  object: 'job'
  type: JobType
  status: JobStatus
  /** True if it has ended and will not change by itself. */
  is_terminal: boolean
  stage: 'fetching' | 'parsing' | 'ocr' | 'chunking' | 'embedding' | 'analysing' | 'writing' | (string & {}) | null
  /** Why it is waiting; null while it is running and after it has ended. */
  waiting_reason: 'queue' | 'tenant_concurrency' | 'provider_throttled' | 'dependency' | 'retry_backoff' | (string & {}) | null
  subject: JobSubject
  project_id: string | null
  document_id: string | null
  /** The batch it belongs to. */
  parent_job_id: string | null
  priority: 'low' | 'normal' | 'high' | (string & {})
  progress: JobProgress | null
  queue: JobQueue | null
  /** Attempts started so far. */
  attempt: number
  /** Failed attempts after which the job fails. */
  max_attempts: number
  /** The last 100 attempts that have ended. */
  attempts: JobAttempt[]
  /** Maximum running time; waiting does not count. */
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

/** One attempt that has ended. */
export interface JobAttempt {
  number: number
  started_at: string
  ended_at: string
  /** `interrupted` means that the worker died or was stopped; this does not count toward `max_attempts`. */
  outcome: 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled' | 'interrupted' | (string & {})
  error: JobError | null
}

/** Why the job failed completely or partially. */
export interface JobError {
  /** Machine-readable code; branch on it. */
  code: string
  /** Message for people: what happened and what to do. */
  message: string
  details: JobErrorDetail[]
}

/** One error. */
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

/** Priority among the tenant's jobs; default `normal`. */
export type JobPriority = 'low' | 'normal' | 'high'

/** Progress of the job. */
export interface JobProgress {
  unit: 'pages' | 'items' | 'chunks' | (string & {})
  completed: number
  failed: number
  total: number | null
}

/** Position in the queue while it is waiting. */
export interface JobQueue {
  /** Jobs of the tenant that start before it, counted up to 10,000. */
  ahead: number
  /** Estimated from the duration of recent jobs; null if unknown. */
  estimated_start_at: string | null
}

export type JobStatus = 'queued' | 'running' | 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled' | (string & {})

/** The resource that the job works on. */
export interface JobSubject {
  object: string
  id: string
}

/** `cancelled` stops the job; `queued` runs a failed or canceled job again. */
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

/** Usage of the job. */
export interface JobUsage {
  pages: number
  /** Running time of all attempts. */
  compute_ms: number
}

/** A phrase from the text that describes its subject. */
export interface KeyPhrase {
  text: string
  /** 0 to 1. */
  confidence: number
  citations: Citation[]
}

/** The score of a label and the passages that support it. */
export interface LabelScore {
  label: string
  /** 0 to 1. */
  score: number
  citations: Citation[]
}

/** The languages of the pages. */
export interface LanguageAnalysis {
  /** BCP 47 tag; null if there is too little text. */
  language: string | null
  /** Share of the text in this language, by characters. */
  confidence: number | null
  languages: LanguageShare[]
}

/** A language and its share of the text. */
export interface LanguageShare {
  language: string
  /** Share of the text whose language is known, by characters. */
  share: number
  citations: Citation[]
}

/** The membership of a user in a project. */
export interface Member {
  id: string
  object: 'member'
  project_id: string
  user_id: string
  metadata: Metadata
  created_at: string
  updated_at: string
}

export interface MemberPatch {
  metadata?: MetadataPatch | undefined
}

/** Your own keys and values; Octavo never interprets them. */
export type Metadata = Record<string, string>

/** Merged into the stored map; null removes a key. */
export type MetadataPatch = Record<string, string | null>

/** A model, reader or engine that a request can name. */
export interface Model {
  /** The id that requests use. */
  id: string
  object: 'model'
  kind: ModelKind
  /** `built_in`, or a provider that the operator configured. */
  provider: string
  version: string
  /** `remote` means that text sent to it leaves this installation. */
  locality: 'local' | 'remote' | (string & {})
  capabilities: string[]
  /** BCP 47 tags of the languages it supports; for a reader, the languages of its OCR. Empty if unknown. */
  languages: string[]
  /** Context length: prompt and output together; for an embedder, its longest text. */
  context_tokens: number | null
  /** Vector length of an embedder. */
  dimensions: number | null
  price: ModelPrice
  licence: string | null
  /** Used when the request does not name a model. */
  is_default: boolean
}

/** `reader` reads the pages of documents, `embedder` turns texts into vectors, `generator` writes text, `reranker` orders passages, `engine` is the built-in engine. */
export type ModelKind = 'reader' | 'embedder' | 'generator' | 'reranker' | 'engine' | (string & {})

/** Price per million tokens, in millionths of the operator's currency. */
export interface ModelPrice {
  input: number
  output: number
}

/** If `is_answered` is false: the closest candidate that the built-in engine found. It is not an answer. Null if there is none. */
export interface NearestSentence {
  text: string
  /** Empty if no page supports it. */
  citations: Citation[]
}

/** A passage next to a result, in the order of the document. */
export interface NeighborPassage {
  chunk_id: string
  page_id: string
  page_number: number
  start: number
  end: number
  text: string
}

export interface NewAnalysis {
  /** Default: all except `extraction`. */
  features?: AnalysisFeatureChoice[] | undefined
  /** For `entities`; default: dates, times, amounts and percentages. Names of people, organizations and places are often missed or wrong. */
  entity_types?: EntityTypeChoice[] | undefined
  schema?: ExtractionSchema | undefined
  /** For `extraction`: instructions in addition to the schema. */
  instructions?: string | undefined
  page_range?: PageRange | undefined
  /** The id of a model from `GET /models`; default: the tenant's default model. */
  model?: string | undefined
  cache?: CacheUse | undefined
  /** Maximum running time; default 600 plus one per page. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

/** Analyzes documents. */
export interface NewAnalysisBatch {
  type: 'analysis'
  /** Request bodies, as you would POST them to that resource. */
  inputs: NewAnalysisOfDocument[]
  priority?: JobPriority | undefined
  /** Maximum running time of the batch itself, without its items; default 600. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

/** The request body of the POST and the document in its path. */
export interface NewAnalysisOfDocument {
  document_id: string
  /** Default: all except `extraction`. */
  features?: AnalysisFeatureChoice[] | undefined
  /** For `entities`; default: dates, times, amounts and percentages. Names of people, organizations and places are often missed or wrong. */
  entity_types?: EntityTypeChoice[] | undefined
  schema?: ExtractionSchema | undefined
  /** For `extraction`: instructions in addition to the schema. */
  instructions?: string | undefined
  page_range?: PageRange | undefined
  /** The id of a model from `GET /models`; default: the tenant's default model. */
  model?: string | undefined
  cache?: CacheUse | undefined
  /** Maximum running time; default 600 plus one per page. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

export interface NewAnswer {
  question: string
  /** Only documents in this project. */
  project_id?: string | null | undefined
  document_ids?: string[] | undefined
  filters?: SearchFilters | undefined
  /** BCP 47. */
  language?: string | undefined
  /** The answer that this question follows. It must be in the same project. Its project, documents and filters apply unless you set your own. */
  previous_answer_id?: string | undefined
  /** The id of a model from `GET /models`; default: the tenant's default model. */
  model?: string | undefined
  cache?: CacheUse | undefined
  /** Maximum running time; default 600. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

export interface NewApiKey {
  name: string
  scopes: Scope[]
  /** The projects that the key can see; null means the whole tenant. */
  project_ids?: string[] | null | undefined
  /** When the key expires; null means never. */
  expires_at?: string | null | undefined
  metadata?: Metadata | undefined
}

/** Send either `document_id` or `text`. */
export interface NewClassification {
  document_id?: string | undefined
  /** A text, instead of a document. */
  text?: string | undefined
  /** For a result from a text: the project that controls who can see it. A result from a document uses the document's project. */
  project_id?: string | null | undefined
  labels: ClassificationLabel[]
  /** True if several labels may fit; their scores then do not add up to 1. */
  multi_label?: boolean | undefined
  /** Minimum score of `label`; default 0.6 if an embedding model chooses one label without examples, otherwise 0.3. */
  threshold?: number | undefined
  /** The id of a model from `GET /models`; default: the tenant's default model. */
  model?: string | undefined
  cache?: CacheUse | undefined
  /** Maximum running time; default 600. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

/** Classifies documents or texts. */
export interface NewClassificationsBatch {
  type: 'classifications'
  /** Request bodies, as you would POST them to that resource. */
  inputs: NewClassification[]
  priority?: JobPriority | undefined
  /** Maximum running time of the batch itself, without its items; default 600. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

export interface NewDocument {
  title: string
  /** Your own identifier; unique in the tenant. */
  external_id?: string | null | undefined
  /** When it is deleted automatically; null means after its project's retention or, if that is null, never. */
  expires_at?: string | null | undefined
  metadata?: Metadata | undefined
  /** The project it belongs to; set at creation. */
  project_id?: string | null | undefined
  /** The password of a protected PDF, Word, Excel or PowerPoint file. Never returned; deleted when the file has been read. */
  password?: string | undefined
  processing?: Processing | undefined
  on_duplicate?: OnDuplicate | undefined
  source?: NewDocumentSource | undefined
}

/** The source of the document. */
export type NewDocumentSource = TextSource | PagesSource | Base64Source | UploadSource | UrlSource | FileSource

/** Creates documents. */
export interface NewDocumentsBatch {
  type: 'documents'
  /** Request bodies, as you would POST them to that resource. */
  inputs: NewDocument[]
  priority?: JobPriority | undefined
  /** Maximum running time of the batch itself, without its items; default 600. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

/** Send either `inputs` or `document_id`. */
export interface NewEmbedding {
  /** The texts to embed. */
  inputs?: string[] | undefined
  /** A document whose chunks are embedded, instead of texts; at most 5,000 chunks, fewer with `float`. */
  document_id?: string | undefined
  /** For a result from a text: the project that controls who can see it. A result from a document uses the document's project. */
  project_id?: string | null | undefined
  /** Must equal the model's dimensions. */
  dimensions?: number | undefined
  encoding_format?: EncodingFormatChoice | undefined
  /** The id of a model from `GET /models`; default: the tenant's default model. */
  model?: string | undefined
  cache?: CacheUse | undefined
  /** Maximum running time; default 600. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

/** Embeds texts or documents. */
export interface NewEmbeddingsBatch {
  type: 'embeddings'
  /** Request bodies, as you would POST them to that resource. */
  inputs: NewEmbedding[]
  priority?: JobPriority | undefined
  /** Maximum running time of the batch itself, without its items; default 600. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

export interface NewInvitation {
  /** An email address. */
  email: string
  role: RoleChoice
  /** The projects that the user will be a member of and see; null means the whole tenant. */
  project_ids?: string[] | null | undefined
  /** When the link stops working: at most 30 days from now; default 7 days. */
  expires_at?: string | undefined
  metadata?: Metadata | undefined
}

/** A batch: one operation, given by `type`, over many inputs. */
export type NewJob =
  | NewDocumentsBatch
  | NewAnalysisBatch
  | NewSummariesBatch
  | NewClassificationsBatch
  | NewEmbeddingsBatch

export interface NewMember {
  user_id: string
  metadata?: Metadata | undefined
}

export interface NewOauthClient {
  /** Shown to users on the consent page. */
  name: string
  grant_types: OauthGrantType[]
  /** Where users return after they give access. Must match exactly. Allowed are `https`, `http` on 127.0.0.1 or [::1] with any port, or a private-use scheme such as `com.example.app:/callback`. */
  redirect_uris?: string[] | undefined
  scopes: ApplicationScope[]
  /** The projects that the application can see; null means all projects of the user or the tenant. */
  project_ids?: string[] | null | undefined
  /** Default true. */
  is_confidential?: boolean | undefined
  metadata?: Metadata | undefined
}

/** Default: after the last page. */
export interface NewPage {
  /** The text of the blocks, in order, without running headers and footers. */
  text: string
  /** Page number, starting at 1. Deletions leave gaps. */
  number?: number | undefined
  metadata?: Metadata | undefined
}

export interface NewProject {
  name: string
  description?: string | null | undefined
  /** Age after which documents are deleted; null means never. */
  retention_days?: number | null | undefined
  privacy?: ProjectPrivacyChoice | undefined
  default_processing?: Processing | undefined
  metadata?: Metadata | undefined
}

export interface NewReport {
  title?: string | undefined
  /** Limits the report to a project; default: the whole tenant. */
  project_id?: string | null | undefined
  type: ReportTypeChoice
  format: ReportFormatChoice
  filters?: ReportFilters | undefined
  /** Maximum running time; default 600. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

export interface NewRotation {
  /** How long the old secret keeps working; default 0. */
  overlap_seconds?: number | undefined
}

export interface NewSearch {
  query: string
  mode?: SearchModeChoice | undefined
  /** Only documents in this project. */
  project_id?: string | null | undefined
  document_ids?: string[] | undefined
  filters?: SearchFilters | undefined
  /** The id of a model that reranks the results. */
  rerank?: string | undefined
  /** Maximum number of results; default 10. */
  limit?: number | undefined
  /** Only results with at least this score. */
  min_score?: number | undefined
  /** Maximum number of results from one document; default: no maximum. */
  max_per_document?: number | undefined
  /** Number of passages to return before and after each result; default 0. */
  neighbors?: number | undefined
  /** Default true. With false, Octavo stores neither the query nor the results, and the response is 200. */
  store?: boolean | undefined
  metadata?: Metadata | undefined
}

/** Summarizes documents or texts. */
export interface NewSummariesBatch {
  type: 'summaries'
  /** Request bodies, as you would POST them to that resource. */
  inputs: NewSummary[]
  priority?: JobPriority | undefined
  /** Maximum running time of the batch itself, without its items; default 600. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

/** Send either `document_ids` or `text`. */
export interface NewSummary {
  document_ids?: string[] | undefined
  /** A text, instead of documents. */
  text?: string | undefined
  /** For a result from a text: the project that controls who can see it. A result from a document uses the document's project. */
  project_id?: string | null | undefined
  style?: SummaryStyleChoice | undefined
  length?: SummaryLengthChoice | undefined
  /** BCP 47. */
  language?: string | undefined
  /** The question or topic that the summary concentrates on. */
  focus?: string | undefined
  /** The id of a model from `GET /models`; default: the tenant's default model. */
  model?: string | undefined
  cache?: CacheUse | undefined
  /** Maximum running time; default 600. */
  timeout_seconds?: number | undefined
  metadata?: Metadata | undefined
}

export interface NewUpload {
  /** The project that controls who can see the upload; the document may belong to another project. */
  project_id?: string | null | undefined
  /** The file name, for display only. */
  file_name: string
  /** Must be a type such as `application/pdf`. It is a hint; Octavo detects the type from the bytes. */
  media_type: string
  size_bytes: number
  /** SHA-256 of the bytes; Octavo compares it with the bytes that arrive. */
  sha256?: string | null | undefined
  metadata?: Metadata | undefined
}

export interface NewUser {
  /** An email address. */
  email: string
  name: string
  role: RoleChoice
  project_access?: ProjectAccessChoice | undefined
  metadata?: Metadata | undefined
}

/** An application that gets access tokens with OAuth 2.0. Its id is its `client_id`. */
export interface OauthClient {
  id: string
  object: 'oauth_client'
  /** Shown to users on the consent page. */
  name: string
  grant_types: ('authorization_code' | 'refresh_token' | 'client_credentials' | (string & {}))[]
  /** Where users return after they give access. Must match exactly. Allowed are `https`, `http` on 127.0.0.1 or [::1] with any port, or a private-use scheme such as `com.example.app:/callback`. */
  redirect_uris: string[]
  /** The scopes that the application can request. */
  scopes: ('documents:read' | 'documents:write' | 'jobs:read' | 'jobs:write' | 'projects:read' | 'projects:write' | 'analysis:read' | 'analysis:write' | 'summaries:read' | 'summaries:write' | 'classifications:read' | 'classifications:write' | 'embeddings:read' | 'embeddings:write' | 'searches:read' | 'searches:write' | 'reports:read' | 'reports:write' | 'events:read' | 'members:read' | (string & {}))[]
  /** The projects that the application can see; null means all projects of the user or the tenant. */
  project_ids: string[] | null
  /** True if the application has a secret. False for apps on phones, desktops and in browsers. */
  is_confidential: boolean
  /** The first and last characters of the secret. */
  secret_preview: string | null
  metadata: Metadata
  created_at: string
  updated_at: string
}

export interface OauthClientPatch {
  /** Shown to users on the consent page. */
  name?: string | undefined
  /** Where users return after they give access. Must match exactly. Allowed are `https`, `http` on 127.0.0.1 or [::1] with any port, or a private-use scheme such as `com.example.app:/callback`. */
  redirect_uris?: string[] | undefined
  scopes?: ApplicationScope[] | undefined
  metadata?: MetadataPatch | undefined
}

/** An OAuth application with its secret, which is shown only once. */
export interface OauthClientWithSecret {
  id: string
  object: 'oauth_client'
  /** Shown to users on the consent page. */
  name: string
  grant_types: ('authorization_code' | 'refresh_token' | 'client_credentials' | (string & {}))[]
  /** Where users return after they give access. Must match exactly. Allowed are `https`, `http` on 127.0.0.1 or [::1] with any port, or a private-use scheme such as `com.example.app:/callback`. */
  redirect_uris: string[]
  /** The scopes that the application can request. */
  scopes: ('documents:read' | 'documents:write' | 'jobs:read' | 'jobs:write' | 'projects:read' | 'projects:write' | 'analysis:read' | 'analysis:write' | 'summaries:read' | 'summaries:write' | 'classifications:read' | 'classifications:write' | 'embeddings:read' | 'embeddings:write' | 'searches:read' | 'searches:write' | 'reports:read' | 'reports:write' | 'events:read' | 'members:read' | (string & {}))[]
  /** The projects that the application can see; null means all projects of the user or the tenant. */
  project_ids: string[] | null
  /** True if the application has a secret. False for apps on phones, desktops and in browsers. */
  is_confidential: boolean
  /** The first and last characters of the secret. */
  secret_preview: string | null
  /** The `client_secret`; null for a public client. It is never shown again. */
  secret: string | null
  metadata: Metadata
  created_at: string
  updated_at: string
}

export type OauthGrantType = 'authorization_code' | 'refresh_token' | 'client_credentials'

/** `auto` (default) uses OCR for pages without readable text; `always` for every page that can be rendered; `never` disables OCR. */
export type OcrMode = 'auto' | 'always' | 'never'

/** Action if a document that you can see has the same bytes: `allow` (default) creates another, `reject` returns 409, `return_existing` returns the existing one with 200. */
export type OnDuplicate = 'allow' | 'reject' | 'return_existing'

/** OpenAPI 3.1. */
export type OpenApiDescription = Record<string, unknown>

/** The model that produced it. */
export interface OutcomeModel {
  id: string
  provider: string
  /** `remote` means that the text left this installation. */
  locality: 'local' | 'remote' | (string & {})
  version: string
}

export interface OutcomePatch {
  metadata?: MetadataPatch | undefined
}

export type OutcomeStatus = 'queued' | 'running' | 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled' | (string & {})

/** Resources used. A cached result costs nothing. */
export interface OutcomeUsage {
  pages: number
  input_tokens: number
  output_tokens: number
  /** Cost in millionths of the operator's currency, at the operator's prices. */
  cost_micros: number
  compute_ms: number
}

/** One page of a document, with its text. */
export interface Page {
  id: string
  object: 'page'
  document_id: string
  /** Page number, starting at 1. Deletions leave gaps. */
  number: number
  status: PageStatus
  /** The text of the blocks, in order, without running headers and footers. */
  text: string
  /** The text with its structure, derived from the blocks. */
  markdown: string
  /** The origin of the text. */
  text_source: 'embedded' | 'ocr' | 'supplied' | 'corrected' | (string & {})
  /** BCP 47 tag; null if there is too little text. */
  language: string | null
  /** The reader's confidence in the text; null if unknown. */
  confidence: number | null
  /** In points (1/72 inch); null if the format has no pages. */
  width: number | null
  height: number | null
  /** In reading order. */
  blocks: Block[]
  reader: PageReader | null
  /** The image that the text was recognized in. */
  image_file_id: string | null
  error: PageError | null
  /** SHA-256 of the text as UTF-8, in hexadecimal. */
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

/** Corrected text, or only `status` to read the page again. */
export interface PagePatch {
  /** The text of the blocks, in order, without running headers and footers. */
  text?: string | undefined
  status?: PageTargetStatus | undefined
  metadata?: MetadataPatch | undefined
}

/** Only these pages, `first` and `last` included. */
export interface PageRange {
  first: number
  last: number
}

/** The reader of the page. */
export interface PageReader {
  id: string
  version: string
}

export interface PageReplacement {
  /** The text of the blocks, in order, without running headers and footers. */
  text: string
  metadata?: Metadata | undefined
}

export type PageStatus = 'queued' | 'running' | 'succeeded' | 'failed' | (string & {})

/** Reads the page again from the file. */
export type PageTargetStatus = 'queued'

/** The texts of the document's pages. */
export interface PagesSource {
  type: 'pages'
  pages: SourcePage[]
}

/** The passages that the answer is based on. */
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

/** Personal data, such as an email address. */
export interface PersonalDatum {
  type: PersonalDatumType
  text: string
  /** 0 to 1. */
  confidence: number
  citations: Citation[]
}

export type PersonalDatumType = 'email' | 'phone' | 'card' | 'iban' | 'ssn' | 'ip_address' | (string & {})

/** How Octavo reads the pages. */
export interface Processing {
  /** The reader: an id from `GET /models` whose `kind` is `reader`; default `built_in`. */
  reader?: string | undefined
  ocr?: OcrMode | undefined
  attachments?: AttachmentMode | undefined
  /** Languages of the pages, as BCP 47 tags; improves OCR. */
  languages?: string[] | undefined
}

/** Merged into the stored settings; null resets a field to its default. */
export interface ProcessingPatch {
  /** The reader: an id from `GET /models` whose `kind` is `reader`; default `built_in`. */
  reader?: string | null | undefined
  /** `auto` (default) uses OCR for pages without readable text; `always` for every page that can be rendered; `never` disables OCR. */
  ocr?: 'auto' | 'always' | 'never' | (string & {}) | null | undefined
  /** `none` (default) lists the attachments of an email in `warnings`; `documents` creates a document for each attachment, up to 100, including attachments of attached emails. */
  attachments?: 'none' | 'documents' | (string & {}) | null | undefined
  /** Languages of the pages, as BCP 47 tags; improves OCR. */
  languages?: string[] | null | undefined
}

/** How Octavo reads the pages. */
export interface ProcessingSettings {
  reader?: string
  ocr?: 'auto' | 'always' | 'never' | (string & {})
  attachments?: 'none' | 'documents' | (string & {})
  languages?: string[]
}

/** A group of documents, and the unit of access control inside a tenant. */
export interface Project {
  id: string
  object: 'project'
  name: string
  description: string | null
  /** Age after which documents are deleted; null means never. */
  retention_days: number | null
  privacy: ProjectPrivacy
  default_processing: ProcessingSettings
  /** Current number of documents. */
  document_count: number
  metadata: Metadata
  created_at: string
  updated_at: string
}

/** `all`: the whole tenant; `assigned`: only the projects that the user is a member of. Owners and admins always have `all`. */
export type ProjectAccess = 'all' | 'assigned' | (string & {})

/** Default `all`. */
export type ProjectAccessChoice = 'all' | 'assigned'

export interface ProjectPatch {
  name?: string | undefined
  description?: string | null | undefined
  /** Age after which documents are deleted; null means never. */
  retention_days?: number | null | undefined
  privacy?: ProjectPrivacyChoice | undefined
  default_processing?: ProcessingPatch | undefined
  metadata?: MetadataPatch | undefined
}

/** `local_only` means that Octavo never sends its text to a remote model or reader. */
export type ProjectPrivacy = 'allowed' | 'local_only' | (string & {})

/** Default `allowed`. */
export type ProjectPrivacyChoice = 'allowed' | 'local_only'

/** The rate limits of a key or a tenant. */
export interface RateLimit {
  /** Whose limits these are: `principal` is the calling key or user, `tenant` is the whole tenant. */
  id: 'principal' | 'tenant' | (string & {})
  object: 'rate_limit'
  tier: 'free' | 'standard' | 'enterprise' | 'self_hosted' | (string & {})
  policies: RatePolicy[]
}

/** One limit and its remaining quota. */
export interface RatePolicy {
  name: 'requests' | 'ai' | 'concurrent' | 'jobs' | 'queue' | 'streams' | (string & {})
  quota: number
  /** Window of the limit; 0 for a concurrency limit. */
  window_seconds: number
  remaining: number
  /** Seconds until the full quota is available again. */
  reset_seconds: number
}

/** A file with a table of many documents, or of other data. It does not change when documents are deleted later. */
export interface Report {
  id: string
  object: 'report'
  status: OutcomeStatus
  /** True if it has ended and will not change by itself. */
  is_terminal: boolean
  /** The job that produces it; null if it was produced within the request. */
  job_id: string | null
  /** The project that controls who can see it. */
  project_id: string | null
  /** Hash of the text, the model and its version, the parameters and the prompt. Requests with equal fingerprints get the same result. */
  fingerprint: string | null
  /** `hit`: an earlier result with the same fingerprint was returned. `bypass`: the cache was not used. */
  cache: 'hit' | 'miss' | 'bypass' | (string & {})
  /** How the result was produced. */
  method: 'extractive' | 'embedding' | 'generative' | 'rules' | 'keyword' | 'hybrid' | (string & {}) | null
  model: OutcomeModel | null
  usage: OutcomeUsage | null
  /** Anything that was skipped, dropped or done differently. */
  warnings: string[]
  error: JobError | null
  title: string
  type: ReportType
  format: ReportFormat
  filters: ShownReportFilters | null
  /** Download it from `/files/{file_id}/contents`. */
  file_id: string | null
  row_count: number | null
  metadata: Metadata
  created_at: string
  updated_at: string
}

/** Only rows that match all filters. */
export interface ReportFilters {
  /** Rows at or after this time. */
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

/** `owner`: everything; `admin`: everything except appointing owners; `editor`: reads and writes; `viewer`: reads, searches and asks questions. */
export type Role = 'owner' | 'admin' | 'editor' | 'viewer' | (string & {})

export type RoleChoice = 'owner' | 'admin' | 'editor' | 'viewer'

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
  | 'oauth_clients:manage'
  | 'members:read'
  | 'members:manage'
  | 'tenant:manage'
  | 'authorizations:manage'

/** A query and its results. Kept for 30 days. */
export interface Search {
  id: string
  object: 'search'
  status: OutcomeStatus
  /** True if it has ended and will not change by itself. */
  is_terminal: boolean
  /** The job that produces it; null if it was produced within the request. */
  job_id: string | null
  /** The project that controls who can see it. */
  project_id: string | null
  /** Hash of the text, the model and its version, the parameters and the prompt. Requests with equal fingerprints get the same result. */
  fingerprint: string | null
  /** `hit`: an earlier result with the same fingerprint was returned. `bypass`: the cache was not used. */
  cache: 'hit' | 'miss' | 'bypass' | (string & {})
  /** How the result was produced. */
  method: 'extractive' | 'embedding' | 'generative' | 'rules' | 'keyword' | 'hybrid' | (string & {}) | null
  model: OutcomeModel | null
  usage: OutcomeUsage | null
  /** Anything that was skipped, dropped or done differently. */
  warnings: string[]
  error: JobError | null
  query: string
  mode: SearchMode
  document_ids: string[]
  filters: ShownSearchFilters | null
  rerank: string | null
  limit: number
  min_score: number | null
  max_per_document: number | null
  neighbors: number
  results: SearchResult[]
  metadata: Metadata
  created_at: string
  updated_at: string
}

/** Only documents that match all filters. */
export interface SearchFilters {
  metadata?: Metadata | undefined
  /** Documents created at or after this time. */
  created_after?: string | undefined
  /** Documents created before this time. */
  created_before?: string | undefined
}

export type SearchMode = 'hybrid' | 'semantic' | 'keyword' | (string & {})

/** Default `hybrid`. */
export type SearchModeChoice = 'hybrid' | 'semantic' | 'keyword'

/** A passage that matches the query. */
export interface SearchResult {
  document_id: string
  document: SearchedDocument
  page_id: string
  page_number: number
  chunk_id: string
  /** Start of the passage in the text of the page, in Unicode code points. */
  start: number
  end: number
  text: string
  heading_path: string[]
  /** The text with each row of a table as `header: value; header: value`, below the table's caption; null if the chunk has no table. Search indexes it. Citations and positions refer to `text`. */
  expanded_text: string | null
  highlights: Highlight[]
  /** Relevance from 0 to 1, on the same scale in all modes. */
  score: number
  scores: SearchScores
  /** The passages before it, if requested. */
  before: NeighborPassage[]
  /** The passages after it, if requested. */
  after: NeighborPassage[]
}

/** BM25, cosine similarity, the mean of both as shares, and the reranking model's score. */
export interface SearchScores {
  keyword: number | null
  semantic: number | null
  fused: number | null
  rerank: number | null
}

/** The document of a passage, as it was at the time of the search. */
export interface SearchedDocument {
  title: string
  external_id: string | null
  metadata: Metadata
}

/** Sentiment of the English text; null if there is none. */
export interface SentimentAnalysis {
  label: SentimentLabel
  /** -1 (negative) to 1 (positive). */
  score: number
  /** 0 to 1. */
  confidence: number
  /** The sentences with the strongest sentiment. */
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

/** The requested features. */
export interface ShownReportFilters {
  /** Rows at or after this time. */
  created_after?: string
  /** Rows before this time. */
  created_before?: string
}

/** The requested features. */
export interface ShownSearchFilters {
  metadata?: Metadata
  /** Documents created at or after this time. */
  created_after?: string
  /** Documents created before this time. */
  created_before?: string
}

/** Where to send the bytes. */
export interface SignedPut {
  /** Send the bytes here with one PUT, without the API key. Anyone with this URL can use it. */
  url: string
  /** Send these headers unchanged with the PUT. */
  headers: Record<string, string>
}

export interface SourcePage {
  text: string
}

/** Counts of the text. */
export interface StatisticsAnalysis {
  pages: number
  characters: number
  words: number
  sentences: number
  paragraphs: number
  average_sentence_words: number
  /** Reading time at 238 words per minute. */
  reading_seconds: number
}

/** The resource that an event is about. */
export interface Subject {
  object: string
  id: string
}

/** A summary of documents or of a text, with citations for each sentence. */
export interface Summary {
  id: string
  object: 'summary'
  status: OutcomeStatus
  /** True if it has ended and will not change by itself. */
  is_terminal: boolean
  /** The job that produces it; null if it was produced within the request. */
  job_id: string | null
  /** The project that controls who can see it. */
  project_id: string | null
  /** Hash of the text, the model and its version, the parameters and the prompt. Requests with equal fingerprints get the same result. */
  fingerprint: string | null
  /** `hit`: an earlier result with the same fingerprint was returned. `bypass`: the cache was not used. */
  cache: 'hit' | 'miss' | 'bypass' | (string & {})
  /** How the result was produced. */
  method: 'extractive' | 'embedding' | 'generative' | 'rules' | 'keyword' | 'hybrid' | (string & {}) | null
  model: OutcomeModel | null
  usage: OutcomeUsage | null
  /** Anything that was skipped, dropped or done differently. */
  warnings: string[]
  error: JobError | null
  /** Empty for a text in the request. */
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

/** Default `medium`. */
export type SummaryLengthChoice = 'short' | 'medium' | 'long'

export type SummaryStyle = 'abstract' | 'bullets' | 'headline' | 'extractive' | (string & {})

/** `extractive` selects sentences from the text, without a generative model; the built-in engine supports only this style and `bullets`. */
export type SummaryStyleChoice = 'abstract' | 'bullets' | 'headline' | 'extractive'

/** The cells of a table, row by row. */
export interface Table {
  rows: number
  columns: number
  cells: TableCell[]
}

/** One cell of a table. Positions that a span covers have no cell. */
export interface TableCell {
  /** From 1. */
  row: number
  /** From 1. */
  column: number
  /** Number of rows it spans. */
  row_span: number
  /** Number of columns it spans. */
  column_span: number
  text: string
  /** The box around the text of the cell, as in the block. */
  bbox?: number[]
}

export type TextFormat = 'markdown' | 'text'

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

/** A file that is being uploaded. When its bytes have arrived, create a document from it with `POST /documents`. */
export interface Upload {
  id: string
  object: 'upload'
  /** The project that controls who can see the upload; the document may belong to another project. */
  project_id: string | null
  /** The file name, for display only. */
  file_name: string
  /** Must be a type such as `application/pdf`. It is a hint; Octavo detects the type from the bytes. */
  media_type: string
  size_bytes: number
  /** SHA-256 of the bytes; Octavo compares it with the bytes that arrive. */
  sha256: string | null
  status: UploadStatus
  /** An unused upload is deleted at this time. */
  expires_at: string
  document_id: string | null
  put: SignedPut | null
  /** The parts of a file over 64 MiB, instead of `put`. Absent in lists and for keys that may not write. */
  parts: UploadPart[]
  metadata: Metadata
  created_at: string
  updated_at: string
}

/** One part of a large file. */
export interface UploadPart {
  number: number
  /** Offset in the file. */
  offset: number
  size_bytes: number
  /** True if the part has arrived; you may send it again. */
  is_received: boolean
  put: SignedPut
}

/** A file that you uploaded before. You can use an upload once. */
export interface UploadSource {
  type: 'upload'
  upload_id: string
}

/** `completed` means that a document was created from it. */
export type UploadStatus = 'pending' | 'completed' | (string & {})

/** A file that Octavo downloads. */
export interface UrlSource {
  type: 'url'
  /** A public https URL. Octavo downloads it in the background and does not follow redirects. */
  url: string
}

/** A person in a tenant. A person with the same address in two tenants has two users. */
export interface User {
  id: string
  object: 'user'
  /** An email address. */
  email: string
  name: string
  role: Role
  project_access: ProjectAccess
  status: UserStatus
  /** The last sign-in; null means never. */
  signed_in_at: string | null
  metadata: Metadata
  created_at: string
  updated_at: string
}

export interface UserPatch {
  name?: string | undefined
  role?: RoleChoice | undefined
  project_access?: ProjectAccessChoice | undefined
  status?: UserStatusChoice | undefined
  metadata?: MetadataPatch | undefined
}

/** A suspended user has no access. */
export type UserStatus = 'active' | 'suspended' | (string & {})

export type UserStatusChoice = 'active' | 'suspended'

export interface ProjectsListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Resources whose metadata contains all these values: `metadata[kind]=lease`. */
  metadata?: Record<string, string> | undefined
  /** Changed at or after this time. */
  updated_after?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface GetQuery {
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
}

export interface DocumentsListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Comma-separated list; matches any of the values. */
  project_id?: OneOrMore<string> | undefined
  /** Comma-separated list; matches any of the values. */
  parent_document_id?: OneOrMore<string> | undefined
  external_id?: string | undefined
  /** Comma-separated list; matches any of the values. */
  status?: OneOrMore<'processing' | 'ready' | 'partially_ready' | 'failed'> | undefined
  /** Resources whose metadata contains all these values: `metadata[kind]=lease`. */
  metadata?: Record<string, string> | undefined
  /** Changed at or after this time. */
  updated_after?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface DocumentsContentsQuery {
  /** `markdown` or `text`. */
  format?: TextFormat | undefined
}

export interface PagesListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `number`. */
  sort?: 'number' | '-number' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Comma-separated list; matches any of the values. */
  status?: OneOrMore<'queued' | 'running' | 'succeeded' | 'failed'> | undefined
}

export interface ChunksListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `position`. */
  sort?: 'position' | '-position' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Comma-separated list; matches any of the values. */
  page_id?: OneOrMore<string> | undefined
}

export interface UploadsListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Comma-separated list; matches any of the values. */
  status?: OneOrMore<'pending' | 'completed'> | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface AnalysisListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Comma-separated list; matches any of the values. */
  status?: OneOrMore<'queued' | 'running' | 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled'> | undefined
  /** Resources whose metadata contains all these values: `metadata[kind]=lease`. */
  metadata?: Record<string, string> | undefined
  /** Changed at or after this time. */
  updated_after?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface SummariesListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Comma-separated list; matches any of the values. */
  project_id?: OneOrMore<string> | undefined
  /** Comma-separated list; matches any of the values. */
  document_id?: OneOrMore<string> | undefined
  /** Comma-separated list; matches any of the values. */
  status?: OneOrMore<'queued' | 'running' | 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled'> | undefined
  /** Resources whose metadata contains all these values: `metadata[kind]=lease`. */
  metadata?: Record<string, string> | undefined
  /** Changed at or after this time. */
  updated_after?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface ClassificationsListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Comma-separated list; matches any of the values. */
  project_id?: OneOrMore<string> | undefined
  /** Comma-separated list; matches any of the values. */
  document_id?: OneOrMore<string> | undefined
  /** Comma-separated list; matches any of the values. */
  status?: OneOrMore<'queued' | 'running' | 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled'> | undefined
  /** Resources whose metadata contains all these values: `metadata[kind]=lease`. */
  metadata?: Record<string, string> | undefined
  /** Changed at or after this time. */
  updated_after?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface EmbeddingsListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Comma-separated list; matches any of the values. */
  project_id?: OneOrMore<string> | undefined
  /** Comma-separated list; matches any of the values. */
  document_id?: OneOrMore<string> | undefined
  /** Comma-separated list; matches any of the values. */
  status?: OneOrMore<'queued' | 'running' | 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled'> | undefined
  /** Resources whose metadata contains all these values: `metadata[kind]=lease`. */
  metadata?: Record<string, string> | undefined
  /** Changed at or after this time. */
  updated_after?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface SearchesListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Comma-separated list; matches any of the values. */
  project_id?: OneOrMore<string> | undefined
  /** Comma-separated list; matches any of the values. */
  status?: OneOrMore<'queued' | 'running' | 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled'> | undefined
  /** Resources whose metadata contains all these values: `metadata[kind]=lease`. */
  metadata?: Record<string, string> | undefined
  /** Changed at or after this time. */
  updated_after?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface AnswersListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Comma-separated list; matches any of the values. */
  project_id?: OneOrMore<string> | undefined
  /** Comma-separated list; matches any of the values. */
  status?: OneOrMore<'queued' | 'running' | 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled'> | undefined
  /** Resources whose metadata contains all these values: `metadata[kind]=lease`. */
  metadata?: Record<string, string> | undefined
  /** Changed at or after this time. */
  updated_after?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface ReportsListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Comma-separated list; matches any of the values. */
  project_id?: OneOrMore<string> | undefined
  /** Comma-separated list; matches any of the values. */
  status?: OneOrMore<'queued' | 'running' | 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled'> | undefined
  /** Resources whose metadata contains all these values: `metadata[kind]=lease`. */
  metadata?: Record<string, string> | undefined
  /** Changed at or after this time. */
  updated_after?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface JobsListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Comma-separated list; matches any of the values. */
  status?: OneOrMore<'queued' | 'running' | 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled'> | undefined
  /** Comma-separated list; matches any of the values. */
  type?: OneOrMore<'documents' | 'ingestion' | 'purge' | 'analysis' | 'summaries' | 'classifications' | 'embeddings' | 'answers' | 'reports' | 'reindex'> | undefined
  /** Comma-separated list; matches any of the values. */
  project_id?: OneOrMore<string> | undefined
  /** Comma-separated list; matches any of the values. */
  document_id?: OneOrMore<string> | undefined
  /** Comma-separated list; matches any of the values. */
  parent_job_id?: OneOrMore<string> | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface JobEventsListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `seq`. */
  sort?: 'seq' | '-seq' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
}

export interface ApiKeysListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface EventsListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Comma-separated list; matches any of the values. */
  type?: OneOrMore<'project.created' | 'project.updated' | 'project.deleted' | 'document.created' | 'document.updated' | 'document.deleted' | 'page.created' | 'page.updated' | 'page.deleted' | 'upload.created' | 'upload.completed' | 'upload.deleted' | 'analysis.created' | 'analysis.updated' | 'analysis.succeeded' | 'analysis.partially_succeeded' | 'analysis.failed' | 'analysis.cancelled' | 'analysis.deleted' | 'summary.created' | 'summary.updated' | 'summary.succeeded' | 'summary.partially_succeeded' | 'summary.failed' | 'summary.cancelled' | 'summary.deleted' | 'classification.created' | 'classification.updated' | 'classification.succeeded' | 'classification.partially_succeeded' | 'classification.failed' | 'classification.cancelled' | 'classification.deleted' | 'embedding.created' | 'embedding.updated' | 'embedding.succeeded' | 'embedding.partially_succeeded' | 'embedding.failed' | 'embedding.cancelled' | 'embedding.deleted' | 'report.created' | 'report.updated' | 'report.succeeded' | 'report.partially_succeeded' | 'report.failed' | 'report.cancelled' | 'report.deleted' | 'search.created' | 'search.deleted' | 'answer.created' | 'answer.succeeded' | 'answer.partially_succeeded' | 'answer.failed' | 'answer.cancelled' | 'answer.deleted' | 'job.queued' | 'job.running' | 'job.updated' | 'job.succeeded' | 'job.partially_succeeded' | 'job.failed' | 'job.cancelled' | 'job.deleted' | 'api_key.created' | 'api_key.updated' | 'api_key.rotated' | 'api_key.revoked' | 'file.created' | 'file.deleted' | 'oauth_client.created' | 'oauth_client.updated' | 'oauth_client.deleted' | 'invitation.created' | 'invitation.updated' | 'invitation.accepted' | 'invitation.deleted' | 'member.created' | 'member.updated' | 'member.deleted' | 'user.created' | 'user.updated' | 'user.deleted' | 'authorization.created' | 'authorization.updated' | 'authorization.revoked'> | undefined
  /** Comma-separated list; matches any of the values. */
  project_id?: OneOrMore<string> | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface ModelsListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `id`. */
  sort?: 'id' | '-id' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Comma-separated list; matches any of the values. */
  kind?: OneOrMore<'reader' | 'embedder' | 'generator' | 'reranker' | 'engine'> | undefined
}

export interface RateLimitsListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `id`. */
  sort?: 'id' | '-id' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
}

export interface OauthClientsListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface InvitationsListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface MembersListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface UsersListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  role?: RoleChoice | undefined
  /** Exact address, ignoring case. */
  email?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}

export interface AuthorizationsListQuery {
  /** The `cursor` of the previous response. */
  cursor?: string | undefined
  /** Items per page; default 20. */
  limit?: number | undefined
  /** Page number, instead of a cursor. Numbered pages can skip or repeat items when the list changes between requests. */
  page?: number | undefined
  /** Items per numbered page; default 20. */
  per_page?: number | undefined
  /** `-` means descending; default `-created_at`. */
  sort?: 'created_at' | '-created_at' | undefined
  /** Comma-separated list of top-level fields to return; `id` and `object` are always included. */
  fields?: string | undefined
  /** Created at or after this time. */
  created_after?: string | undefined
  /** Created before this time. */
  created_before?: string | undefined
}
