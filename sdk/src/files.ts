import type { Call, CallOptions, Send } from './call.ts'
import { segment } from './call.ts'
import { type DownloadOptions, download } from './download.ts'
import { FilesResource } from './generated/resources.ts'
import type { File } from './generated/types.ts'
import type { Settings } from './request.ts'
import { namesOf } from './uploads.ts'

/** Describes a file that is sent; the names default to those of the file. */
export interface SentFile {
  project_id?: string | null | undefined
  file_name?: string | undefined
  media_type?: string | undefined
}

export class Files extends FilesResource {
  readonly #send: Send
  readonly #settings: Settings

  constructor(send: Send, settings: Settings) {
    super(send)
    this.#send = send
    this.#settings = settings
  }

  /**
   * Sends a file. Then create a document with the source `{ type: 'file', file_id }`; a file that no document uses is
   * deleted after 24 hours. Needs `documents:write`.
   */
  create(file: Blob, about: SentFile = {}, options: CallOptions = {}): Call<File> {
    const { file_name, media_type, project_id } = about
    const names = namesOf(file)
    const form = new FormData()
    if (project_id) form.set('project_id', project_id)
    form.set('file', new Blob([file], { type: media_type ?? names.media_type }), file_name ?? names.file_name)
    return this.#send({ method: 'POST', path: '/files', form }, options)
  }

  /** Returns a response with the bytes of a file as its body. Needs `documents:read`. */
  download(file_id: string, options: DownloadOptions = {}): Promise<Response> {
    return download(this.#settings, { method: 'GET', path: `/files/${segment(file_id)}/contents` }, options)
  }
}
