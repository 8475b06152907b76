// The stream that a caller gives away.

import type { Readable } from 'node:stream'
import { toError } from '@octavo/base/unknown.ts'

const ignore = (): void => {}

/** Keeps an error of an unread source from crashing the process, and destroys the source at the end of the block. */
export function held(bytes: Readable): Disposable {
  bytes.on('error', ignore)
  return { [Symbol.dispose]: () => void bytes.destroy() }
}

/** Stops at the signal even if the source hangs and does not react to being destroyed. */
export async function* chunksOf(bytes: AsyncIterable<Buffer>, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  const source = bytes[Symbol.asyncIterator]()
  let stop = ignore
  const onAbort = (): void => stop()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    for (;;) {
      signal?.throwIfAborted()
      const next = await new Promise<IteratorResult<Buffer, unknown>>((resolve, reject) => {
        stop = () => reject(toError(signal?.reason))
        source.next().then(resolve, reject)
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
