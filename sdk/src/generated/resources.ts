// Written by `npm run openapi` from the contract. Changes made here are lost.

import { type Call, type CallOptions, type Fresh, type Send, segment } from '../call.ts'
import { createOutcomeAndWait, type OutcomeWaitOptions } from '../outcomes.ts'
import { Listing } from '../pagination.ts'
import type {
  Analysis,
  AnalysisListQuery,
  Answer,
  AnswersListQuery,
  ApiKey,
  ApiKeyPatch,
  ApiKeyWithSecret,
  ApiKeysListQuery,
  Authorization,
  AuthorizationsListQuery,
  Capabilities,
  Chunk,
  ChunksListQuery,
  Classification,
  ClassificationsListQuery,
  Document,
  DocumentPatch,
  DocumentReplacement,
  DocumentsListQuery,
  Embedding,
  EmbeddingsListQuery,
  Event,
  EventsListQuery,
  File,
  FileLink,
  GetQuery,
  Invitation,
  InvitationPatch,
  InvitationWithLink,
  InvitationsListQuery,
  Job,
  JobEventsListQuery,
  JobPatch,
  JobsListQuery,
  Member,
  MemberPatch,
  MembersListQuery,
  Model,
  ModelsListQuery,
  NewAnalysis,
  NewAnswer,
  NewApiKey,
  NewClassification,
  NewDocument,
  NewEmbedding,
  NewInvitation,
  NewJob,
  NewMember,
  NewOauthClient,
  NewPage,
  NewProject,
  NewReport,
  NewRotation,
  NewSearch,
  NewSummary,
  NewUpload,
  NewUser,
  OauthClient,
  OauthClientPatch,
  OauthClientWithSecret,
  OauthClientsListQuery,
  OpenApiDescription,
  OutcomePatch,
  Page,
  PagePatch,
  PageReplacement,
  PagesListQuery,
  Project,
  ProjectPatch,
  ProjectsListQuery,
  RateLimit,
  RateLimitsListQuery,
  Report,
  ReportPatch,
  ReportsListQuery,
  Search,
  SearchesListQuery,
  SummariesListQuery,
  Summary,
  Upload,
  UploadsListQuery,
  User,
  UserPatch,
  UsersListQuery,
} from './types.ts'

export class ProjectsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List projects. Needs `projects:read`. */
  list<O extends CallOptions = object>(query: ProjectsListQuery = {}, options?: O): Listing<Project, O> {
    return new Listing(this.#send, { method: 'GET', path: '/projects', query }, options)
  }

  /** Create a project. Needs `projects:write`. */
  create(body: NewProject, options: CallOptions = {}): Call<Project> {
    return this.#send({ method: 'POST', path: '/projects', body }, options)
  }

  /** Get a project. Needs `projects:read`. */
  get<O extends CallOptions = object>(project_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Project, O>> {
    return this.#send({ method: 'GET', path: `/projects/${segment(project_id)}`, query }, options)
  }

  /** Replace a project. Needs `projects:write`. */
  replace(project_id: string, body: NewProject, options: CallOptions = {}): Call<Project> {
    return this.#send({ method: 'PUT', path: `/projects/${segment(project_id)}`, body }, options)
  }

  /** Update a project. Needs `projects:write`. */
  update(project_id: string, body: ProjectPatch, options: CallOptions = {}): Call<Project> {
    return this.#send({ method: 'PATCH', path: `/projects/${segment(project_id)}`, body }, options)
  }

  /** Delete an empty project. Needs `projects:write`. */
  remove(project_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/projects/${segment(project_id)}` }, options)
  }
}

export class DocumentsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List documents. Needs `documents:read`. */
  list<O extends CallOptions = object>(query: DocumentsListQuery = {}, options?: O): Listing<Document, O> {
    return new Listing(this.#send, { method: 'GET', path: '/documents', query }, options)
  }

  /** Create a document. With a source, the document is `processing` while a job reads its pages. Without one, it is empty and `ready`. You can also send a file as `multipart/form-data`. Needs `documents:write`. */
  create(body: NewDocument, options: CallOptions = {}): Call<Document> {
    return this.#send({ method: 'POST', path: '/documents', body }, options)
  }

  /** Get a document. Needs `documents:read`. */
  get<O extends CallOptions = object>(document_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Document, O>> {
    return this.#send({ method: 'GET', path: `/documents/${segment(document_id)}`, query }, options)
  }

  /** Replace the metadata of a document. Replaces title, external_id, expires_at and metadata, but not the source. Needs `documents:write`. */
  replace(document_id: string, body: DocumentReplacement, options: CallOptions = {}): Call<Document> {
    return this.#send({ method: 'PUT', path: `/documents/${segment(document_id)}`, body }, options)
  }

  /** Update the metadata of a document. Needs `documents:write`. */
  update(document_id: string, body: DocumentPatch, options: CallOptions = {}): Call<Document> {
    return this.#send({ method: 'PATCH', path: `/documents/${segment(document_id)}`, body }, options)
  }

  /** Delete a document and its pages. The document disappears immediately; a job removes its stored data. Needs `documents:write`. */
  remove(document_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/documents/${segment(document_id)}` }, options)
  }
}

export class PagesResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List the pages of a document. Needs `documents:read`. */
  list<O extends CallOptions = object>(document_id: string, query: PagesListQuery = {}, options?: O): Listing<Page, O> {
    return new Listing(this.#send, { method: 'GET', path: `/documents/${segment(document_id)}/pages`, query }, options)
  }

  /** Add a page to a document. Needs `documents:write`. */
  create(document_id: string, body: NewPage, options: CallOptions = {}): Call<Page> {
    return this.#send({ method: 'POST', path: `/documents/${segment(document_id)}/pages`, body }, options)
  }

  /** Get a page. Needs `documents:read`. */
  get<O extends CallOptions = object>(document_id: string, page_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Page, O>> {
    return this.#send({ method: 'GET', path: `/documents/${segment(document_id)}/pages/${segment(page_id)}`, query }, options)
  }

  /** Replace the text of a page. Needs `documents:write`. */
  replace(document_id: string, page_id: string, body: PageReplacement, options: CallOptions = {}): Call<Page> {
    return this.#send({ method: 'PUT', path: `/documents/${segment(document_id)}/pages/${segment(page_id)}`, body }, options)
  }

  /** Correct a page or read it again. Needs `documents:write`. */
  update(document_id: string, page_id: string, body: PagePatch, options: CallOptions = {}): Call<Page> {
    return this.#send({ method: 'PATCH', path: `/documents/${segment(document_id)}/pages/${segment(page_id)}`, body }, options)
  }

  /** Delete a page. Needs `documents:write`. */
  remove(document_id: string, page_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/documents/${segment(document_id)}/pages/${segment(page_id)}` }, options)
  }
}

export class ChunksResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List the chunks of a document. Needs `documents:read`. */
  list<O extends CallOptions = object>(document_id: string, query: ChunksListQuery = {}, options?: O): Listing<Chunk, O> {
    return new Listing(this.#send, { method: 'GET', path: `/documents/${segment(document_id)}/chunks`, query }, options)
  }

  /** Get a chunk. Correcting a page replaces its chunks, so the id of an earlier chunk is then 404. Needs `documents:read`. */
  get<O extends CallOptions = object>(document_id: string, chunk_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Chunk, O>> {
    return this.#send({ method: 'GET', path: `/documents/${segment(document_id)}/chunks/${segment(chunk_id)}`, query }, options)
  }
}

export class UploadsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List uploads. Needs `documents:read`. */
  list<O extends CallOptions = object>(query: UploadsListQuery = {}, options?: O): Listing<Upload, O> {
    return new Listing(this.#send, { method: 'GET', path: '/uploads', query }, options)
  }

  /** Create an upload. Send the bytes to `put`, or each part to its own `put`. Then create a document with the source `{"type": "upload", "upload_id": …}`. `GET` shows which parts have arrived and renews the signed URLs. Needs `documents:write`. */
  create(body: NewUpload, options: CallOptions = {}): Call<Upload> {
    return this.#send({ method: 'POST', path: '/uploads', body }, options)
  }

  /** Get an upload. Needs `documents:read`. */
  get<O extends CallOptions = object>(upload_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Upload, O>> {
    return this.#send({ method: 'GET', path: `/uploads/${segment(upload_id)}`, query }, options)
  }

  /** Delete an unused upload. Needs `documents:write`. */
  remove(upload_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/uploads/${segment(upload_id)}` }, options)
  }
}

export class FilesResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Get file metadata. Needs `documents:read`. */
  get<O extends CallOptions = object>(file_id: string, query: GetQuery = {}, options?: O): Call<Fresh<File, O>> {
    return this.#send({ method: 'GET', path: `/files/${segment(file_id)}`, query }, options)
  }

  /** Download a file. Returns the bytes as an attachment; supports a single `Range` (206). With `Accept: application/json`, returns a link that works without the API key for at least five minutes. Needs `documents:read`. */
  contents<O extends CallOptions = object>(file_id: string, options?: O): Call<Fresh<FileLink, O>> {
    return this.#send({ method: 'GET', path: `/files/${segment(file_id)}/contents` }, options)
  }

  /** Get a download link. Returns a link that works without the API key for at least five minutes, as long as the file exists. Requests within a few minutes get the same link. Needs `documents:read`. */
  link<O extends CallOptions = object>(file_id: string, query: GetQuery = {}, options?: O): Call<Fresh<FileLink, O>> {
    return this.#send({ method: 'GET', path: `/files/${segment(file_id)}/link`, query }, options)
  }
}

export class AnalysisResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List the analyses of a document. Needs `analysis:read`. */
  list<O extends CallOptions = object>(document_id: string, query: AnalysisListQuery = {}, options?: O): Listing<Analysis, O> {
    return new Listing(this.#send, { method: 'GET', path: `/documents/${segment(document_id)}/analysis`, query }, options)
  }

  /** Analyze a document. Creates a job. `extraction` needs a generative model; without one the request is rejected. Needs `analysis:write`. */
  create(document_id: string, body: NewAnalysis = {}, options: CallOptions = {}): Call<Analysis> {
    return this.#send({ method: 'POST', path: `/documents/${segment(document_id)}/analysis`, body }, options)
  }

  /** Get an analysis. Needs `analysis:read`. */
  get<O extends CallOptions = object>(document_id: string, analysis_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Analysis, O>> {
    return this.#send({ method: 'GET', path: `/documents/${segment(document_id)}/analysis/${segment(analysis_id)}`, query }, options)
  }

  /** Change the metadata of an analysis. Needs `analysis:write`. */
  update(document_id: string, analysis_id: string, body: OutcomePatch, options: CallOptions = {}): Call<Analysis> {
    return this.#send({ method: 'PATCH', path: `/documents/${segment(document_id)}/analysis/${segment(analysis_id)}`, body }, options)
  }

  /** Delete an analysis. Also cancels its job if the job has not ended. Needs `analysis:write`. */
  remove(document_id: string, analysis_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/documents/${segment(document_id)}/analysis/${segment(analysis_id)}` }, options)
  }

  /** @deprecated Analyze a document (deprecated name). Same as `POST /documents/{document_id}/analysis`; the result is available under that path. Needs `analysis:write`. */
  analyse(document_id: string, body: NewAnalysis = {}, options: CallOptions = {}): Call<Analysis> {
    return this.#send({ method: 'POST', path: `/documents/${segment(document_id)}/analyse`, body }, options)
  }

  /** Analyze a document, and wait until it has ended: check its `status`. Needs `analysis:write`, and the scope to read it. */
  createAndWait(document_id: string, body: NewAnalysis = {}, options: OutcomeWaitOptions = {}): Promise<Analysis> {
    return createOutcomeAndWait(
      {
        send: this.#send,
        create: (asked) => this.create(document_id, body, asked),
        read: (id, asked) => this.get(document_id, id, {}, asked).withResponse(),
      },
      options,
    )
  }
}

export class SummariesResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List summaries. Needs `summaries:read`. */
  list<O extends CallOptions = object>(query: SummariesListQuery = {}, options?: O): Listing<Summary, O> {
    return new Listing(this.#send, { method: 'GET', path: '/summaries', query }, options)
  }

  /** Create a summary. The built-in engine summarizes a short text within the request; everything else is a job. Needs `summaries:write`. */
  create(body: NewSummary, options: CallOptions = {}): Call<Summary> {
    return this.#send({ method: 'POST', path: '/summaries', body }, options)
  }

  /** Get a summary. Needs `summaries:read`. */
  get<O extends CallOptions = object>(summary_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Summary, O>> {
    return this.#send({ method: 'GET', path: `/summaries/${segment(summary_id)}`, query }, options)
  }

  /** Change the metadata of a summary. Needs `summaries:write`. */
  update(summary_id: string, body: OutcomePatch, options: CallOptions = {}): Call<Summary> {
    return this.#send({ method: 'PATCH', path: `/summaries/${segment(summary_id)}`, body }, options)
  }

  /** Delete a summary. Also cancels its job if the job has not ended. Needs `summaries:write`. */
  remove(summary_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/summaries/${segment(summary_id)}` }, options)
  }

  /** Create a summary, and wait until it has ended: check its `status`. Needs `summaries:write`, and the scope to read it. */
  createAndWait(body: NewSummary, options: OutcomeWaitOptions = {}): Promise<Summary> {
    return createOutcomeAndWait(
      {
        send: this.#send,
        create: (asked) => this.create(body, asked),
        read: (id, asked) => this.get(id, {}, asked).withResponse(),
      },
      options,
    )
  }
}

export class ClassificationsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List classifications. Needs `classifications:read`. */
  list<O extends CallOptions = object>(query: ClassificationsListQuery = {}, options?: O): Listing<Classification, O> {
    return new Listing(this.#send, { method: 'GET', path: '/classifications', query }, options)
  }

  /** Classify a document or a text. A built-in model classifies a short text within the request; everything else is a job. Needs `classifications:write`. */
  create(body: NewClassification, options: CallOptions = {}): Call<Classification> {
    return this.#send({ method: 'POST', path: '/classifications', body }, options)
  }

  /** Get a classification. Needs `classifications:read`. */
  get<O extends CallOptions = object>(classification_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Classification, O>> {
    return this.#send({ method: 'GET', path: `/classifications/${segment(classification_id)}`, query }, options)
  }

  /** Change the metadata of a classification. Needs `classifications:write`. */
  update(classification_id: string, body: OutcomePatch, options: CallOptions = {}): Call<Classification> {
    return this.#send({ method: 'PATCH', path: `/classifications/${segment(classification_id)}`, body }, options)
  }

  /** Delete a classification. Also cancels its job if the job has not ended. Needs `classifications:write`. */
  remove(classification_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/classifications/${segment(classification_id)}` }, options)
  }

  /** Classify a document or a text, and wait until it has ended: check its `status`. Needs `classifications:write`, and the scope to read it. */
  createAndWait(body: NewClassification, options: OutcomeWaitOptions = {}): Promise<Classification> {
    return createOutcomeAndWait(
      {
        send: this.#send,
        create: (asked) => this.create(body, asked),
        read: (id, asked) => this.get(id, {}, asked).withResponse(),
      },
      options,
    )
  }
}

export class EmbeddingsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List embeddings. Needs `embeddings:read`. */
  list<O extends CallOptions = object>(query: EmbeddingsListQuery = {}, options?: O): Listing<Embedding, O> {
    return new Listing(this.#send, { method: 'GET', path: '/embeddings', query }, options)
  }

  /** Embed texts or a document. A built-in model embeds up to 16 texts within the request; everything else is a job. Needs `embeddings:write`. */
  create(body: NewEmbedding, options: CallOptions = {}): Call<Embedding> {
    return this.#send({ method: 'POST', path: '/embeddings', body }, options)
  }

  /** Get an embedding. Needs `embeddings:read`. */
  get<O extends CallOptions = object>(embedding_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Embedding, O>> {
    return this.#send({ method: 'GET', path: `/embeddings/${segment(embedding_id)}`, query }, options)
  }

  /** Change the metadata of an embedding. Needs `embeddings:write`. */
  update(embedding_id: string, body: OutcomePatch, options: CallOptions = {}): Call<Embedding> {
    return this.#send({ method: 'PATCH', path: `/embeddings/${segment(embedding_id)}`, body }, options)
  }

  /** Delete an embedding. Also cancels its job if the job has not ended. Needs `embeddings:write`. */
  remove(embedding_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/embeddings/${segment(embedding_id)}` }, options)
  }

  /** Embed texts or a document, and wait until it has ended: check its `status`. Needs `embeddings:write`, and the scope to read it. */
  createAndWait(body: NewEmbedding, options: OutcomeWaitOptions = {}): Promise<Embedding> {
    return createOutcomeAndWait(
      {
        send: this.#send,
        create: (asked) => this.create(body, asked),
        read: (id, asked) => this.get(id, {}, asked).withResponse(),
      },
      options,
    )
  }
}

export class SearchesResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List searches of the last 30 days. Needs `searches:read`. */
  list<O extends CallOptions = object>(query: SearchesListQuery = {}, options?: O): Listing<Search, O> {
    return new Listing(this.#send, { method: 'GET', path: '/searches', query }, options)
  }

  /** Search documents. Returns immediately. If a remote model does not respond within 3 seconds, the search continues without it and adds a warning. Needs `searches:write`. */
  create(body: NewSearch, options: CallOptions = {}): Call<Search> {
    return this.#send({ method: 'POST', path: '/searches', body }, options)
  }

  /** Get a search. Needs `searches:read`. */
  get<O extends CallOptions = object>(search_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Search, O>> {
    return this.#send({ method: 'GET', path: `/searches/${segment(search_id)}`, query }, options)
  }

  /** Delete a search. Needs `searches:write`. */
  remove(search_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/searches/${segment(search_id)}` }, options)
  }
}

export class AnswersResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List answers of the last 30 days. Needs `searches:read`. */
  list<O extends CallOptions = object>(query: AnswersListQuery = {}, options?: O): Listing<Answer, O> {
    return new Listing(this.#send, { method: 'GET', path: '/answers', query }, options)
  }

  /** Ask a question about documents. Without a generative model, Octavo immediately returns a sentence, a field or a table cell from the best passages (`method: "extractive"`). With one, a job writes the answer. The request waits up to 50 seconds, or streams with `Accept: text/event-stream`: `answer.delta` with pieces of text, then `answer.completed` with the answer and its citations. Needs `searches:write`. */
  create(body: NewAnswer, options: CallOptions = {}): Call<Answer> {
    return this.#send({ method: 'POST', path: '/answers', body }, options)
  }

  /** Get an answer. Needs `searches:read`. */
  get<O extends CallOptions = object>(answer_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Answer, O>> {
    return this.#send({ method: 'GET', path: `/answers/${segment(answer_id)}`, query }, options)
  }

  /** Delete an answer. Also cancels its job if the job has not ended. Needs `searches:write`. */
  remove(answer_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/answers/${segment(answer_id)}` }, options)
  }

  /** Ask a question about documents, and wait until it has ended: check its `status`. Needs `searches:write`, and the scope to read it. */
  createAndWait(body: NewAnswer, options: OutcomeWaitOptions = {}): Promise<Answer> {
    return createOutcomeAndWait(
      {
        send: this.#send,
        create: (asked) => this.create(body, asked),
        read: (id, asked) => this.get(id, {}, asked).withResponse(),
      },
      options,
    )
  }
}

export class ReportsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List reports. Needs `reports:read`. */
  list<O extends CallOptions = object>(query: ReportsListQuery = {}, options?: O): Listing<Report, O> {
    return new Listing(this.#send, { method: 'GET', path: '/reports', query }, options)
  }

  /** Create a report. Needs `reports:write`. */
  create(body: NewReport, options: CallOptions = {}): Call<Report> {
    return this.#send({ method: 'POST', path: '/reports', body }, options)
  }

  /** Get a report. Needs `reports:read`. */
  get<O extends CallOptions = object>(report_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Report, O>> {
    return this.#send({ method: 'GET', path: `/reports/${segment(report_id)}`, query }, options)
  }

  /** Update the metadata of a report. Needs `reports:write`. */
  update(report_id: string, body: ReportPatch, options: CallOptions = {}): Call<Report> {
    return this.#send({ method: 'PATCH', path: `/reports/${segment(report_id)}`, body }, options)
  }

  /** Delete a report and its file. Also cancels its job if the job has not ended. Needs `reports:write`. */
  remove(report_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/reports/${segment(report_id)}` }, options)
  }

  /** Create a report, and wait until it has ended: check its `status`. Needs `reports:write`, and the scope to read it. */
  createAndWait(body: NewReport, options: OutcomeWaitOptions = {}): Promise<Report> {
    return createOutcomeAndWait(
      {
        send: this.#send,
        create: (asked) => this.create(body, asked),
        read: (id, asked) => this.get(id, {}, asked).withResponse(),
      },
      options,
    )
  }
}

export class JobsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List jobs. Needs `jobs:read`. */
  list<O extends CallOptions = object>(query: JobsListQuery = {}, options?: O): Listing<Job, O> {
    return new Listing(this.#send, { method: 'GET', path: '/jobs', query }, options)
  }

  /** Create a batch. Runs one operation over 1 to 1,000 inputs. Each input is a request body for the resource that `type` names; you also need the scopes to create it. Its items are jobs with `parent_job_id`. Needs `jobs:write`. */
  create(body: NewJob, options: CallOptions = {}): Call<Job> {
    return this.#send({ method: 'POST', path: '/jobs', body }, options)
  }

  /** Get a job. Needs `jobs:read`. */
  get<O extends CallOptions = object>(job_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Job, O>> {
    return this.#send({ method: 'GET', path: `/jobs/${segment(job_id)}`, query }, options)
  }

  /** Cancel a job, run it again, or change its priority. A queued job is canceled immediately. A running job stops at the next safe point and keeps its finished work. A failed or canceled job that you queue again keeps its finished steps. Needs `jobs:write`. */
  update(job_id: string, body: JobPatch, options: CallOptions = {}): Call<Job> {
    return this.#send({ method: 'PATCH', path: `/jobs/${segment(job_id)}`, body }, options)
  }

  /** Delete a job that has ended. Needs `jobs:write`. */
  remove(job_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/jobs/${segment(job_id)}` }, options)
  }
}

export class JobEventsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List the events of a job. With `Accept: text/event-stream` the events are streamed as they happen. `id` is the `seq`; reconnect with `Last-Event-ID` to miss nothing. The stream closes when the job ends, or after ten minutes. Needs `jobs:read`. */
  list<O extends CallOptions = object>(job_id: string, query: JobEventsListQuery = {}, options?: O): Listing<Event, O> {
    return new Listing(this.#send, { method: 'GET', path: `/jobs/${segment(job_id)}/events`, query }, options)
  }
}

export class ApiKeysResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List API keys. Needs `api_keys:manage`. */
  list<O extends CallOptions = object>(query: ApiKeysListQuery = {}, options?: O): Listing<ApiKey, O> {
    return new Listing(this.#send, { method: 'GET', path: '/api-keys', query }, options)
  }

  /** Create an API key. Only this response contains the secret. A key cannot grant scopes that it does not have, and cannot create a key that outlives it: without `expires_at`, the new key expires with the key that creates it. Needs `api_keys:manage`. */
  create(body: NewApiKey, options: CallOptions = {}): Call<ApiKeyWithSecret> {
    return this.#send({ method: 'POST', path: '/api-keys', body }, options)
  }

  /** Get an API key. Needs `api_keys:manage`. */
  get<O extends CallOptions = object>(key_id: string, query: GetQuery = {}, options?: O): Call<Fresh<ApiKey, O>> {
    return this.#send({ method: 'GET', path: `/api-keys/${segment(key_id)}`, query }, options)
  }

  /** Rename an API key. Needs `api_keys:manage`. */
  update(key_id: string, body: ApiKeyPatch, options: CallOptions = {}): Call<ApiKey> {
    return this.#send({ method: 'PATCH', path: `/api-keys/${segment(key_id)}`, body }, options)
  }

  /** Revoke an API key. Needs `api_keys:manage`. */
  remove(key_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/api-keys/${segment(key_id)}` }, options)
  }

  /** Rotate the secret of an API key. The key keeps its id. The old secret works until the overlap ends. A key cannot rotate a key that expires later than itself. Needs `api_keys:manage`. */
  rotate(key_id: string, body: NewRotation = {}, options: CallOptions = {}): Call<ApiKeyWithSecret> {
    return this.#send({ method: 'POST', path: `/api-keys/${segment(key_id)}/rotations`, body }, options)
  }
}

export class EventsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List events. Lists the newest events first. With `sort=created_at` it lists the oldest first and always returns a cursor: request again with it to follow new events. Needs `events:read`. */
  list<O extends CallOptions = object>(query: EventsListQuery = {}, options?: O): Listing<Event, O> {
    return new Listing(this.#send, { method: 'GET', path: '/events', query }, options)
  }

  /** Get an event. Needs `events:read`. */
  get<O extends CallOptions = object>(event_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Event, O>> {
    return this.#send({ method: 'GET', path: `/events/${segment(event_id)}`, query }, options)
  }
}

export class ModelsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List models. */
  list<O extends CallOptions = object>(query: ModelsListQuery = {}, options?: O): Listing<Model, O> {
    return new Listing(this.#send, { method: 'GET', path: '/models', query }, options)
  }

  /** Get a model. */
  get<O extends CallOptions = object>(model_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Model, O>> {
    return this.#send({ method: 'GET', path: `/models/${segment(model_id)}`, query }, options)
  }
}

export class CapabilitiesResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Get the capabilities of this server. */
  get<O extends CallOptions = object>(query: GetQuery = {}, options?: O): Call<Fresh<Capabilities, O>> {
    return this.#send({ method: 'GET', path: '/capabilities', query }, options)
  }
}

export class RateLimitsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List your rate limits. */
  list<O extends CallOptions = object>(query: RateLimitsListQuery = {}, options?: O): Listing<RateLimit, O> {
    return new Listing(this.#send, { method: 'GET', path: '/rate-limits', query }, options)
  }

  /** Get the rate limits of a key or a tenant. */
  get<O extends CallOptions = object>(limit_id: string, query: GetQuery = {}, options?: O): Call<Fresh<RateLimit, O>> {
    return this.#send({ method: 'GET', path: `/rate-limits/${segment(limit_id)}`, query }, options)
  }
}

export class OpenapiResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Get this OpenAPI description. */
  get<O extends CallOptions = object>(options?: O): Call<Fresh<OpenApiDescription, O>> {
    return this.#send({ method: 'GET', path: '/openapi.json' }, options)
  }
}

export class OauthClientsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List OAuth applications. Needs `oauth_clients:manage`. */
  list<O extends CallOptions = object>(query: OauthClientsListQuery = {}, options?: O): Listing<OauthClient, O> {
    return new Listing(this.#send, { method: 'GET', path: '/oauth-clients', query }, options)
  }

  /** Register an OAuth application. Only this response contains the secret. An application cannot get management scopes, nor scopes that your own credential does not have. Needs `oauth_clients:manage`. */
  create(body: NewOauthClient, options: CallOptions = {}): Call<OauthClientWithSecret> {
    return this.#send({ method: 'POST', path: '/oauth-clients', body }, options)
  }

  /** Get an OAuth application. Needs `oauth_clients:manage`. */
  get<O extends CallOptions = object>(client_id: string, query: GetQuery = {}, options?: O): Call<Fresh<OauthClient, O>> {
    return this.#send({ method: 'GET', path: `/oauth-clients/${segment(client_id)}`, query }, options)
  }

  /** Update an OAuth application. A scope that you remove stops working immediately, even in existing tokens. Needs `oauth_clients:manage`. */
  update(client_id: string, body: OauthClientPatch, options: CallOptions = {}): Call<OauthClient> {
    return this.#send({ method: 'PATCH', path: `/oauth-clients/${segment(client_id)}`, body }, options)
  }

  /** Remove an OAuth application. Immediately ends all its tokens and the access that users gave it. Needs `oauth_clients:manage`. */
  remove(client_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/oauth-clients/${segment(client_id)}` }, options)
  }
}

export class InvitationsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List invitations. Needs `members:read`. */
  list<O extends CallOptions = object>(query: InvitationsListQuery = {}, options?: O): Listing<Invitation, O> {
    return new Listing(this.#send, { method: 'GET', path: '/invitations', query }, options)
  }

  /** Invite a person. Only this response contains the link. Octavo emails it to the person if `SMTP_URL` is set; otherwise send it yourself. You can offer only roles and projects that your own credential covers. Needs `members:manage`. */
  create(body: NewInvitation, options: CallOptions = {}): Call<InvitationWithLink> {
    return this.#send({ method: 'POST', path: '/invitations', body }, options)
  }

  /** Get an invitation. Needs `members:read`. */
  get<O extends CallOptions = object>(invitation_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Invitation, O>> {
    return this.#send({ method: 'GET', path: `/invitations/${segment(invitation_id)}`, query }, options)
  }

  /** Change an invitation. The link stays the same. An accepted invitation cannot be changed. You can offer only roles and projects that your own credential covers. Needs `members:manage`. */
  update(invitation_id: string, body: InvitationPatch, options: CallOptions = {}): Call<Invitation> {
    return this.#send({ method: 'PATCH', path: `/invitations/${segment(invitation_id)}`, body }, options)
  }

  /** Delete an invitation. Its link stops working. A user who has accepted it is not affected. Needs `members:manage`. */
  remove(invitation_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/invitations/${segment(invitation_id)}` }, options)
  }
}

export class MembersResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List the members of a project. Users with `project_access` `all` see every project without being members. Needs `members:read`. */
  list<O extends CallOptions = object>(project_id: string, query: MembersListQuery = {}, options?: O): Listing<Member, O> {
    return new Listing(this.#send, { method: 'GET', path: `/projects/${segment(project_id)}/members`, query }, options)
  }

  /** Add a user to a project. You can add only users whose role has no scope that your own credential lacks. Needs `members:manage`. */
  create(project_id: string, body: NewMember, options: CallOptions = {}): Call<Member> {
    return this.#send({ method: 'POST', path: `/projects/${segment(project_id)}/members`, body }, options)
  }

  /** Get a member of a project. Needs `members:read`. */
  get<O extends CallOptions = object>(project_id: string, member_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Member, O>> {
    return this.#send({ method: 'GET', path: `/projects/${segment(project_id)}/members/${segment(member_id)}`, query }, options)
  }

  /** Change the metadata of a membership. Needs `members:manage`. */
  update(project_id: string, member_id: string, body: MemberPatch, options: CallOptions = {}): Call<Member> {
    return this.#send({ method: 'PATCH', path: `/projects/${segment(project_id)}/members/${segment(member_id)}`, body }, options)
  }

  /** Remove a user from a project. Needs `members:manage`. */
  remove(project_id: string, member_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/projects/${segment(project_id)}/members/${segment(member_id)}` }, options)
  }
}

export class UsersResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List users. A credential that is limited to projects sees only the members of these projects. Needs `members:read`. */
  list<O extends CallOptions = object>(query: UsersListQuery = {}, options?: O): Listing<User, O> {
    return new Listing(this.#send, { method: 'GET', path: '/users', query }, options)
  }

  /** Create a user. Creates a user without a password, for sign-in with an external identity provider. To let a person choose a password, create an invitation. You can change only users whose role has no scope that your own credential lacks. Needs `members:manage`. */
  create(body: NewUser, options: CallOptions = {}): Call<User> {
    return this.#send({ method: 'POST', path: '/users', body }, options)
  }

  /** Get a user. Use `me` instead of an id for the user who makes the request. An API key does not belong to a user. Needs `members:read`. */
  get<O extends CallOptions = object>(user_id: string, query: GetQuery = {}, options?: O): Call<Fresh<User, O>> {
    return this.#send({ method: 'GET', path: `/users/${segment(user_id)}`, query }, options)
  }

  /** Change a user. Use `me` instead of an id for the user who makes the request. An API key does not belong to a user. Every user can do this with `me` and the `authorizations:manage` scope. With `me`, you can change only `name` and `metadata`. You can change only users whose role has no scope that your own credential lacks. The last active owner cannot be demoted or suspended. Needs `members:manage`. */
  update(user_id: string, body: UserPatch, options: CallOptions = {}): Call<User> {
    return this.#send({ method: 'PATCH', path: `/users/${segment(user_id)}`, body }, options)
  }

  /** Remove a user. Use `me` instead of an id for the user who makes the request. An API key does not belong to a user. Every user can do this with `me` and the `authorizations:manage` scope. You can change only users whose role has no scope that your own credential lacks. The last active owner cannot leave. API keys that the user created keep working. Needs `members:manage`. */
  remove(user_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/users/${segment(user_id)}` }, options)
  }
}

export class AuthorizationsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List authorizations. A user sees their own authorizations; a caller with the `members:manage` scope sees those of all users. Needs `authorizations:manage`. */
  list<O extends CallOptions = object>(query: AuthorizationsListQuery = {}, options?: O): Listing<Authorization, O> {
    return new Listing(this.#send, { method: 'GET', path: '/authorizations', query }, options)
  }

  /** Get an authorization. Needs `authorizations:manage`. */
  get<O extends CallOptions = object>(authorization_id: string, query: GetQuery = {}, options?: O): Call<Fresh<Authorization, O>> {
    return this.#send({ method: 'GET', path: `/authorizations/${segment(authorization_id)}`, query }, options)
  }

  /** Revoke an authorization. The application's tokens stop working immediately. Needs `authorizations:manage`. */
  remove(authorization_id: string, options: CallOptions = {}): Call<void> {
    return this.#send({ method: 'DELETE', path: `/authorizations/${segment(authorization_id)}` }, options)
  }
}

/** Every resource of the API. */
export class Resources {
  readonly projects: ProjectsResource
  readonly documents: DocumentsResource
  readonly pages: PagesResource
  readonly chunks: ChunksResource
  readonly uploads: UploadsResource
  readonly files: FilesResource
  readonly analysis: AnalysisResource
  readonly summaries: SummariesResource
  readonly classifications: ClassificationsResource
  readonly embeddings: EmbeddingsResource
  readonly searches: SearchesResource
  readonly answers: AnswersResource
  readonly reports: ReportsResource
  readonly jobs: JobsResource
  readonly jobEvents: JobEventsResource
  readonly apiKeys: ApiKeysResource
  readonly events: EventsResource
  readonly models: ModelsResource
  readonly capabilities: CapabilitiesResource
  readonly rateLimits: RateLimitsResource
  readonly openapi: OpenapiResource
  readonly oauthClients: OauthClientsResource
  readonly invitations: InvitationsResource
  readonly members: MembersResource
  readonly users: UsersResource
  readonly authorizations: AuthorizationsResource

  constructor(send: Send) {
    this.projects = new ProjectsResource(send)
    this.documents = new DocumentsResource(send)
    this.pages = new PagesResource(send)
    this.chunks = new ChunksResource(send)
    this.uploads = new UploadsResource(send)
    this.files = new FilesResource(send)
    this.analysis = new AnalysisResource(send)
    this.summaries = new SummariesResource(send)
    this.classifications = new ClassificationsResource(send)
    this.embeddings = new EmbeddingsResource(send)
    this.searches = new SearchesResource(send)
    this.answers = new AnswersResource(send)
    this.reports = new ReportsResource(send)
    this.jobs = new JobsResource(send)
    this.jobEvents = new JobEventsResource(send)
    this.apiKeys = new ApiKeysResource(send)
    this.events = new EventsResource(send)
    this.models = new ModelsResource(send)
    this.capabilities = new CapabilitiesResource(send)
    this.rateLimits = new RateLimitsResource(send)
    this.openapi = new OpenapiResource(send)
    this.oauthClients = new OauthClientsResource(send)
    this.invitations = new InvitationsResource(send)
    this.members = new MembersResource(send)
    this.users = new UsersResource(send)
    this.authorizations = new AuthorizationsResource(send)
  }
}
