// Bodies that come and go as streams, and do not hang when the store does.

import { PassThrough, Readable } from 'node:stream'
import type { S3Client } from './s3-client.ts'
import type { S3PutTarget } from './s3-put.ts'
import { chunksOf, held } from './source.ts'
import { type PartBytes, StorageUnavailable, WrongSize } from './store.ts'

/** The body, ended when nothing came for a while although somebody waits. A slow reader is no reason. */
export function watched(body: Readable, timeout_ms: number): Readable {
  const out = new PassThrough()
  const fail = (cause: unknown): void =>
    void out.destroy(new StorageUnavailable('The store stopped in the middle.', { cause }))
  const timer = setTimeout(() => (out.writableNeedDrain ? timer.refresh() : fail(undefined)), timeout_ms)
  body.on('data', () => timer.refresh())
  body.on('error', fail)
  body.on('close', () => body.readableEnded || fail(undefined))
  out.on('drain', () => timer.refresh())
  out.on('close', () => {
    clearTimeout(timer)
    body.destroy()
  })
  out.on('finish', () => clearTimeout(timer))
  return body.pipe(out)
}

/** The clock of the body is what bounds the request. */
const UNBOUNDED = Number.POSITIVE_INFINITY

interface PartTarget extends S3PutTarget {
  UploadId: string
  PartNumber: number
}

interface S3StreamClock {
  is_source_slow: boolean
  timer: NodeJS.Timeout
}

/** Streamed, so that a part of any size costs no memory; therefore sent only once: the client sends it again. */
export async function sendPart(
  s3: S3Client,
  target: PartTarget,
  { bytes, size_bytes, signal }: PartBytes,
): Promise<void> {
  using _ = held(bytes)
  signal?.throwIfAborted()
  const stop = new AbortController()
  const clock: S3StreamClock = {
    is_source_slow: false,
    timer: setTimeout(() => {
      if (clock.is_source_slow) clock.timer.refresh()
      else stop.abort(new StorageUnavailable('The store stopped in the middle.'))
    }, s3.timeout_ms),
  }
  const body = Readable.from(counted(chunksOf(bytes, signal), size_bytes, clock), { objectMode: false })
  // Nobody else would tell the request that its body has ended too early.
  body.on('error', (error) => stop.abort(error))
  try {
    await s3.ask({ signal: stop.signal, times: UNBOUNDED }, (client, options) =>
      client.uploadPart({ ...target, Body: body, ContentLength: size_bytes }, options),
    )
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    clearTimeout(clock.timer)
    body.destroy()
  }
}

/** The last chunk is held back until the end has come, so that no request is complete before the size is known to be right. */
async function* counted(
  bytes: AsyncIterable<Buffer>,
  size_bytes: number,
  clock: S3StreamClock,
): AsyncGenerator<Buffer> {
  let count = 0
  let last: Buffer | null = null
  clock.is_source_slow = true
  for await (const chunk of bytes) {
    count += chunk.length
    if (count > size_bytes) throw new WrongSize(`More than the ${size_bytes} bytes that were announced came.`)
    clock.is_source_slow = false
    clock.timer.refresh()
    if (last) yield last
    clock.is_source_slow = true
    last = chunk
  }
  if (count < size_bytes) throw new WrongSize(`Only ${count} of the ${size_bytes} bytes that were announced came.`)
  clock.is_source_slow = false
  clock.timer.refresh()
  if (last) yield last
}
