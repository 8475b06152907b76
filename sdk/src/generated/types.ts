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
  scopes: ('documents:read' | 'documents:write' | 'projects:read' | 'projects:write' | 'events:read' | 'api_keys:manage' | (string & {}))[]
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
  scopes: ('documents:read' | 'documents:write' | 'projects:read' | 'projects:write' | 'events:read' | 'api_keys:manage' | (string & {}))[]
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
  metadata?: MetadataPatch | undefined
}

export interface DocumentReplacement {
  title: string
  /** Your own key for it, unique in the tenant while set. */
  external_id?: string | null | undefined
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
  | 'api_key.created'
  | 'api_key.updated'
  | 'api_key.rotated'
  | 'api_key.revoked'
  | (string & {})

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
  metadata?: Metadata | undefined
  /** The project it belongs to; set at creation. */
  project_id?: string | null | undefined
  source?: NewDocumentSource | undefined
}

/** What the document is read from. */
export type NewDocumentSource = TextSource | PagesSource

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
  /** How many documents it holds now. */
  document_count: number
  metadata: Metadata
  created_at: string
  updated_at: string
}

export interface ProjectPatch {
  name?: string | undefined
  description?: string | null | undefined
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
  name: 'requests' | 'concurrent' | (string & {})
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
  type?: OneOrMore<'project.created' | 'project.updated' | 'project.deleted' | 'document.created' | 'document.updated' | 'document.deleted' | 'page.created' | 'page.updated' | 'page.deleted' | 'api_key.created' | 'api_key.updated' | 'api_key.rotated' | 'api_key.revoked'> | undefined
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
