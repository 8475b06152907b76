import { type CallOptions, type Send, segment } from './call.ts'
import { errorOf } from './errors.ts'
import { FilesResource } from './generated/resources.ts'
import { headersOf, parse, type Settings, urlOf } from './request.ts'

export class Files extends FilesResource {
  readonly #settings: Settings

  constructor(send: Send, settings: Settings) {
    super(send)
    this.#settings = settings
  }

  /** The bytes of a file, as a response whose body is still to be read. Needs `documents:read`. */
  async download(file_id: string, options: Pick<CallOptions, 'signal' | 'headers'> = {}): Promise<Response> {
    const { fetch } = this.#settings
    const operation = { method: 'GET', path: `/files/${segment(file_id)}/contents` } as const
    const headers = headersOf(this.#settings, operation, { headers: { accept: '*/*', ...options.headers } })
    const response = await fetch(urlOf(this.#settings.base, operation), {
      headers,
      redirect: 'manual',
      signal: options.signal ?? null,
    })
    if (!response.ok) throw errorOf(response, parse(await response.text()))
    return response
  }
}
