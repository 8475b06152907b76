// A stream of any length into S3: small ones in one request, others in parts, of which two are in memory at a time.

import type { Readable } from 'node:stream'
import { itemAt, required } from '@octavo/base/required.ts'
import { Missing, type S3Client, type S3RequestOptions } from './s3-client.ts'
import { chunksOf, held } from './source.ts'
import { WrongSize } from './store.ts'

const PART_BYTES = 8 * 1024 * 1024
/**
 * Timeout factors: a part takes longer than a small request, and the server may copy all bytes to complete an upload.
 */
const PART_TIMES = 6
const END_TIMES = 12

export interface S3PutTarget {
  Bucket: string
  Key: string
}

interface PutInput {
  media_type: string
  size_bytes?: number
  signal?: AbortSignal
}

/** Two buffers take turns: one is filled while the other is sent. All parts except the last are full. */
async function* partsOf(
  bytes: AsyncIterable<Buffer>,
  size_bytes: number | undefined,
): AsyncGenerator<{ part: Buffer; is_last: boolean }> {
  let [buffer, other]: [Buffer, Buffer | null] = [
    Buffer.allocUnsafeSlow(Math.min(size_bytes ?? PART_BYTES, PART_BYTES)),
    null,
  ]
  let [filled, count] = [0, 0]
  for await (const chunk of bytes) {
    count += chunk.length
    if (size_bytes !== undefined && count > size_bytes)
      throw new WrongSize(`More bytes arrived than the announced ${size_bytes}.`)
    for (let from = 0; from < chunk.length; ) {
      if (filled === buffer.length) {
        yield { part: buffer, is_last: false }
        ;[buffer, other, filled] = [other ?? Buffer.allocUnsafeSlow(PART_BYTES), buffer, 0]
      }
      const copied = chunk.copy(buffer, filled, from)
      filled += copied
      from += copied
    }
  }
  if (size_bytes !== undefined && count < size_bytes)
    throw new WrongSize(`Only ${count} of the announced ${size_bytes} bytes arrived.`)
  yield { part: buffer.subarray(0, filled), is_last: true }
}

export async function putStream(s3: S3Client, target: S3PutTarget, bytes: Readable, given: PutInput): Promise<number> {
  using _ = held(bytes)
  given.signal?.throwIfAborted()
  const stop = new AbortController()
  const signal = given.signal ? AbortSignal.any([given.signal, stop.signal]) : stop.signal
  const parts = new PartsUpload(s3, target, { media_type: given.media_type, stop, signal })
  let count = 0
  try {
    for await (const { part, is_last } of partsOf(chunksOf(bytes, signal), given.size_bytes)) {
      count += part.length
      if (!is_last || parts.is_begun) await parts.add(part)
      else await putWhole(s3, target, part, given)
    }
    await parts.end(count)
    return count
  } catch (error) {
    await parts.abort()
    given.signal?.throwIfAborted()
    throw error
  }
}

async function putWhole(
  s3: S3Client,
  target: S3PutTarget,
  part: Buffer,
  { media_type, signal }: PutInput,
): Promise<void> {
  await s3.ask({ signal, times: PART_TIMES }, (client, options) =>
    client.putObject({ ...target, ContentType: media_type, Body: part, ContentLength: part.length }, options),
  )
}

class PartsUpload {
  readonly #s3: S3Client
  readonly #target: S3PutTarget
  readonly #media_type: string
  readonly #stop: AbortController
  readonly #signal: AbortSignal
  readonly #parts: { PartNumber: number; ETag: string | undefined }[] = []
  #upload: string | undefined
  #sending: Promise<void> = Promise.resolve()

  constructor(
    s3: S3Client,
    target: S3PutTarget,
    given: { media_type: string; stop: AbortController; signal: AbortSignal },
  ) {
    this.#s3 = s3
    this.#target = target
    this.#media_type = given.media_type
    this.#stop = given.stop
    this.#signal = given.signal
  }

  get is_begun(): boolean {
    return this.#upload !== undefined
  }

  /** Comes back when the part before this one is sent. */
  async add(part: Buffer): Promise<void> {
    this.#upload ??= await beginUpload(this.#s3, this.#target, { media_type: this.#media_type, signal: this.#signal })
    await this.#sending
    this.#sending = this.#send(part, this.#parts.length + 1)
    // The source may be slow: a failure does not wait for it.
    this.#sending.catch((error: unknown) => this.#stop.abort(error))
    this.#parts.push({ PartNumber: this.#parts.length + 1, ETag: undefined })
  }

  async #send(part: Buffer, number: number): Promise<void> {
    const given = {
      ...this.#target,
      UploadId: this.#upload,
      PartNumber: number,
      Body: part,
      ContentLength: part.length,
    }
    const asking: S3RequestOptions = { signal: this.#signal, times: PART_TIMES }
    const { ETag } = await this.#s3.ask(asking, (client, options) => client.uploadPart(given, options))
    itemAt(this.#parts, number - 1).ETag = ETag
  }

  async end(count: number): Promise<void> {
    if (this.#upload === undefined) return
    await this.#sending
    await endUpload(this.#s3, this.#target, { UploadId: this.#upload, parts: this.#parts, count, signal: this.#signal })
  }

  /** A part that is still on its way could arrive after the end and stay for ever, so it is stopped first. */
  async abort(): Promise<void> {
    this.#stop.abort(new Error('The upload was aborted.'))
    await this.#sending.catch(() => {})
    if (this.#upload === undefined) return
    const given = { ...this.#target, UploadId: this.#upload }
    await this.#s3.ask({}, (client, options) => client.abortMultipartUpload(given, options)).catch(() => {})
  }
}

export async function beginUpload(
  s3: S3Client,
  target: S3PutTarget,
  given: { media_type: string; signal?: AbortSignal },
): Promise<string> {
  const { UploadId } = await s3.ask({ signal: given.signal }, (client, options) =>
    client.createMultipartUpload({ ...target, ContentType: given.media_type }, options),
  )
  return required(UploadId, 'upload id in the answer of the store')
}

interface MultipartUpload {
  UploadId: string
  parts: { PartNumber: number; ETag: string | undefined }[]
  count: number
  signal?: AbortSignal
}

/** A retry after a lost response finds no upload; the object then shows that the first attempt succeeded. */
export async function endUpload(
  s3: S3Client,
  target: S3PutTarget,
  { UploadId, parts, count, signal }: MultipartUpload,
): Promise<void> {
  const given = { ...target, UploadId, MultipartUpload: { Parts: parts } }
  try {
    await s3.ask({ signal, times: END_TIMES }, (client, options) => client.completeMultipartUpload(given, options))
  } catch (error) {
    if (!(error instanceof Missing)) throw error
    const { ContentLength } = await s3.ask({ signal }, (client, options) => client.headObject(target, options))
    if (ContentLength !== count) throw error
  }
}
