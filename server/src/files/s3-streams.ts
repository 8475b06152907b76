// Bodies that come and go as streams, and do not hang when the store does.

import { PassThrough, Readable } from 'node:stream'
import type { S3Client } from './s3-client.ts'
import type { S3PutTarget } from './s3-put.ts'
import { chunksOf, held } from './source.ts'
import { type PartBytes, StorageUnavailable, WrongSize } from './store.ts'

/** Ends the body if no data arrives for a while although a reader waits. A slow reader does not count. */
export function watched(body: Readable, timeout_ms: number): Readable {
  const out = new PassThrough()
  const fail = (cause: unknown): void =>
    void out.destroy(new StorageUnavailable('The storage closed the connection early.', { cause }))
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
      else stop.abort(new StorageUnavailable('The storage closed the connection early.'))
    }, s3.timeout_ms),
  }
  const body = Readable.from(counted(chunksOf(bytes, signal), size_bytes, clock), { objectMode: false })
  // Otherwise the request would not notice that its body ended too early.
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

/** Holds back the last chunk until the source ends, so that no request completes before its size is verified. */
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
    if (count > size_bytes) throw new WrongSize(`More bytes arrived than the announced ${size_bytes}.`)
    clock.is_source_slow = false
    clock.timer.refresh()
    if (last) yield last
    clock.is_source_slow = true
    last = chunk
  }
  if (count < size_bytes) throw new WrongSize(`Only ${count} of the announced ${size_bytes} bytes arrived.`)
  clock.is_source_slow = false
  clock.timer.refresh()
  if (last) yield last
}
