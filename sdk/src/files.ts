import { type Send, segment } from './call.ts'
import { type DownloadOptions, download } from './download.ts'
import { FilesResource } from './generated/resources.ts'
import type { Settings } from './request.ts'

export class Files extends FilesResource {
  readonly #settings: Settings

  constructor(send: Send, settings: Settings) {
    super(send)
    this.#settings = settings
  }

  /** Returns a response with the bytes of a file as its body. Needs `documents:read`. */
  download(file_id: string, options: DownloadOptions = {}): Promise<Response> {
    return download(this.#settings, { method: 'GET', path: `/files/${segment(file_id)}/contents` }, options)
  }
}
