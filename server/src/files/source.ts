// The stream that a caller gives away.

import type { Readable } from 'node:stream'

const ignore = (): void => {}

/** Until the end of the block: an error that comes while nobody reads does not end the process. After it the source is destroyed. */
export function held(bytes: Readable): Disposable {
  bytes.on('error', ignore)
  return { [Symbol.dispose]: () => void bytes.destroy() }
}

/** A source that sends nothing more, and does not even let go when it is destroyed, cannot hold up who gives the signal. */
export async function* chunksOf(bytes: AsyncIterable<Buffer>, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  const source = bytes[Symbol.asyncIterator]()
  let stop = ignore
  const onAbort = (): void => stop()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    for (;;) {
      signal?.throwIfAborted()
      const next = await new Promise<IteratorResult<Buffer, unknown>>((resolve, reject) => {
        stop = () => reject(signal?.reason as Error)
        source.next().then(resolve, reject)
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
