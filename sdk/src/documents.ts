import { type Answered, Call, type CallOptions, type Send, segment } from './call.ts'
import { type DownloadOptions, download } from './download.ts'
import { DocumentsResource } from './generated/resources.ts'
import type { Document, DocumentsContentsQuery, Event, JobProgress, NewDocument } from './generated/types.ts'
import type { Jobs } from './jobs.ts'
import type { Settings } from './request.ts'
import { namesOf, type SendFileOptions, type Uploads } from './uploads.ts'
import { waitUntil } from './waiting.ts'

/** Describes a document that is created from a file; the title defaults to the file's name. */
export interface NewFileDocument extends Omit<NewDocument, 'title' | 'source'> {
  title?: string | undefined
  file_name?: string | undefined
  media_type?: string | undefined
}

export interface CreateAndWaitOptions extends CallOptions, SendFileOptions {
  /** Called with the progress whenever the server reports it. Needs `jobs:read`. */
  onProgress?: ((progress: JobProgress) => void) | undefined
  /** Describes the document if the body is a file. */
  document?: NewFileDocument | undefined
}

/** Larger files go to storage in parts, each of which can be sent again. */
const FORM_BYTES = 64 * 1024 * 1024

function progressOf({ data }: Event): JobProgress | null {
  const { progress } = data
  return progress !== null && typeof progress === 'object' ? (progress as JobProgress) : null
}

function formOf(file: Blob, { file_name, media_type, ...members }: NewFileDocument): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined || value === null) continue
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const names = namesOf(file)
  form.set('file', new Blob([file], { type: media_type ?? names.media_type }), file_name ?? names.file_name)
  return form
}

export class Documents extends DocumentsResource {
  readonly #send: Send
  readonly #jobs: Jobs
  readonly #uploads: Uploads
  readonly #settings: Settings

  constructor(send: Send, settings: Settings, { jobs, uploads }: { jobs: Jobs; uploads: Uploads }) {
    super(send)
    this.#settings = settings
    this.#send = send
    this.#jobs = jobs
    this.#uploads = uploads
  }

  /**
   * Creates a document from a file: in one request, or above 64 MiB by an upload in parts. In Node, `openAsBlob` of `node:fs`
   * returns a file that is read only while it is sent. Needs `documents:write`, for large files also `documents:read`.
   */
  createFromFile(file: Blob, about: NewFileDocument = {}, options: CallOptions & SendFileOptions = {}): Call<Document> {
    const { onUpload, ...ofCall } = options
    if (file.size > FORM_BYTES) return new Call(this.#createFromLarge(file, about, options))
    const call = this.#send<Document>({ method: 'POST', path: '/documents', form: formOf(file, about) }, ofCall)
    if (!onUpload) return call
    const reported = call.withResponse().then((answered) => {
      onUpload({ sent_bytes: file.size, total_bytes: file.size })
      return answered
    })
    return new Call(reported)
  }

  async #createFromLarge(
    file: Blob,
    about: NewFileDocument,
    options: CallOptions & SendFileOptions,
  ): Promise<Answered<Document>> {
    const { file_name, media_type, title, ...members } = about
    const { onUpload, ...ofCall } = options
    const names = namesOf(file)
    const upload = await this.#uploads.createFromFile(
      file,
      {
        file_name: file_name ?? names.file_name,
        media_type: media_type ?? names.media_type,
        project_id: about.project_id,
      },
      { signal: options.signal, max_retries: options.max_retries, onUpload },
    )
    const source = { type: 'upload', upload_id: upload.id } as const
    return this.create({ ...members, title: title ?? upload.file_name, source }, ofCall).withResponse()
  }

  /** Returns a response with the text of all pages as its body. Needs `documents:read`. */
  contents(document_id: string, query: DocumentsContentsQuery = {}, options: DownloadOptions = {}): Promise<Response> {
    return download(
      this.#settings,
      { method: 'GET', path: `/documents/${segment(document_id)}/contents`, query },
      options,
    )
  }

  /**
   * Creates a document from a file or a body, and waits until its pages are ready or have failed: check its `status`. The
   * options apply to the creation; `signal` also aborts the wait. Needs `documents:write` and `documents:read`.
   */
  async createAndWait(body: NewDocument | Blob, options: CreateAndWaitOptions = {}): Promise<Document> {
    const { onProgress, onUpload, document, ...asked } = options
    // With `onProgress`, the creation must return immediately, so that there is progress to report.
    const ofCreation = onProgress ? { wait_seconds: 0, ...asked } : asked
    const { signal, max_retries } = options
    const created =
      body instanceof Blob
        ? await this.createFromFile(body, document, { ...ofCreation, onUpload })
        : await this.create(body, ofCreation)
    if (created.status !== 'processing') return created
    if (onProgress && created.latest_job_id !== null) {
      for await (const event of this.#jobs.follow(created.latest_job_id, { signal, max_retries })) {
        const progress = progressOf(event)
        if (progress) onProgress(progress)
      }
    }
    return waitUntil(
      (asked) => this.get(created.id, {}, asked).withResponse(),
      ({ status }) => status !== 'processing',
      { signal, max_retries },
    )
  }
}
