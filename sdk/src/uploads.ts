import type { CallOptions, Send } from './call.ts'
import { errorOf, OctavoError } from './errors.ts'
import { UploadsResource } from './generated/resources.ts'
import type { NewUpload, SignedPut, Upload } from './generated/types.ts'
import { lost, parse, type Settings } from './request.ts'
import { retryWaitMs, sleep } from './retry.ts'

export interface SendFileOptions {
  /** Aborts the upload. The parts that arrived are kept; `send` continues with the rest. */
  signal?: AbortSignal | undefined
  /** How often a part is sent again after a temporary failure. */
  max_retries?: number | undefined
  /** Called when more bytes have arrived. */
  onUpload?: ((progress: { sent_bytes: number; total_bytes: number }) => void) | undefined
}

/** Time limit of one part: 16 MiB at 1 Mbit/s. */
const PUT_MS = 150_000
const PARTS_AT_ONCE = 2

export class Uploads extends UploadsResource {
  readonly #settings: Settings
  /** Parts with an unknown result, by upload id: some stores keep the bytes of an interrupted part. */
  readonly #unsure = new Map<string, Set<number>>()

  constructor(send: Send, settings: Settings) {
    super(send)
    this.#settings = settings
  }

  /** Starts an upload and sends the file. Needs `documents:write` and `documents:read`. */
  async createFromFile(
    file: Blob,
    about: Partial<Omit<NewUpload, 'size_bytes'>> = {},
    options: SendFileOptions & CallOptions = {},
  ): Promise<Upload> {
    const { onUpload, ...ofCall } = options
    const upload = await this.create({ ...namesOf(file), ...about, size_bytes: file.size }, ofCall)
    return this.send(upload, file, options)
  }

  /** Sends the parts that are missing. To continue after a failure, also in another process, call it again with the id. */
  async send(upload: Upload | string, file: Blob, options: SendFileOptions = {}): Promise<Upload> {
    const { signal } = options
    const fresh = typeof upload === 'string' ? await this.get(upload, {}, { signal }) : upload
    if (fresh.size_bytes !== file.size)
      throw new TypeError(`The file has ${file.size} bytes, but the upload was created for ${fresh.size_bytes}.`)
    let sent_bytes = 0
    const tell = (more: number): void => {
      sent_bytes += more
      options.onUpload?.({ sent_bytes, total_bytes: file.size })
    }
    if (fresh.put) {
      await this.#put(fresh.put, file, options)
      tell(file.size)
      return fresh
    }
    const unsure = this.#unsure.get(fresh.id) ?? new Set()
    this.#unsure.set(fresh.id, unsure)
    const [there, left] = [fresh.parts.filter(isThere), fresh.parts.filter((part) => !isThere(part))]
    for (const part of there) tell(part.size_bytes)
    const sendNext = async (): Promise<void> => {
      try {
        for (let part = left.shift(); part; part = left.shift()) {
          unsure.add(part.number)
          await this.#put(part.put, file.slice(part.offset, part.offset + part.size_bytes), options)
          unsure.delete(part.number)
          tell(part.size_bytes)
        }
      } finally {
        // After a failure the other lane must not start another part.
        left.length = 0
      }
    }
    const lanes = await Promise.allSettled(Array.from({ length: PARTS_AT_ONCE }, sendNext))
    for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason as Error
    this.#unsure.delete(fresh.id)
    return fresh

    function isThere({ is_received, number }: { is_received: boolean; number: number }): boolean {
      return is_received && !unsure.has(number)
    }
  }

  async #put(place: SignedPut, bytes: Blob, { signal, max_retries }: SendFileOptions): Promise<void> {
    const { fetch } = this.#settings
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted()
      const timeout = AbortSignal.timeout(PUT_MS)
      let failure: OctavoError
      try {
        const either = signal ? AbortSignal.any([signal, timeout]) : timeout
        // The signed headers already contain the content type.
        const response = await fetch(place.url, {
          method: 'PUT',
          headers: place.headers,
          body: new Blob([bytes]),
          redirect: 'manual',
          signal: either,
        })
        const text = await response.text()
        // Some stores accept only one PUT: a 412 then means that the earlier one arrived and only its response was lost.
        if (response.ok || (response.status === 412 && attempt > 1)) return
        failure = errorOf(response, parse(text))
      } catch (error) {
        signal?.throwIfAborted()
        failure = error instanceof OctavoError ? error : lost(error, timeout, PUT_MS)
      }
      const wait = retryWaitMs(failure, attempt, max_retries ?? this.#settings.max_retries)
      if (wait === null) throw failure
      await sleep(wait, signal)
    }
  }
}

/** Name and type of a file from a browser or from `openAsBlob`. */
export function namesOf(file: Blob): { file_name: string; media_type: string } {
  const { name } = file as { name?: unknown }
  return {
    file_name: typeof name === 'string' && name !== '' ? name : 'document',
    // Bun adds a charset to the type of text.
    media_type: file.type.split(';', 1)[0] || 'application/octet-stream',
  }
}
