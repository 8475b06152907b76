// Bytes that pass by. Each takes a stream over at once, so that none of it is lost while someone still waits for something else.

import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'

type PassThroughOptions = (chunk: Buffer) => Error | null

interface PassingStream {
  /** May still refuse it. */
  atEnd?: () => Error | null
  /** Keeps the source open when the reader stops, because the client still waits for a response. */
  is_request?: boolean
}

/** Passes chunks through `look`, which may refuse them. Errors of the source propagate to the reader. */
function passing(
  source: Readable,
  look: PassThroughOptions,
  { atEnd = () => null, is_request = false }: PassingStream = {},
): Readable {
  const bytes = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(look(chunk), chunk)
    },
    flush: (done) => done(atEnd()),
  })
  source.on('error', (error) => bytes.destroy(error))
  source.on('close', () => source.readableEnded || bytes.destroy(new Error('The client disconnected.')))
  bytes.on('close', () => (is_request ? source.unpipe(bytes) : source.destroy()))
  return source.pipe(bytes)
}

/** Knows afterwards how many bytes passed and what their hash is; of a request more than `most` are a failure. */
export function measured(
  source: Readable,
  most?: { bytes: number; refuse: () => Error },
): { bytes: Readable; read(): { size_bytes: number; sha256: string } } {
  const hash = createHash('sha256')
  let size_bytes = 0
  const bytes = passing(
    source,
    (chunk) => {
      size_bytes += chunk.length
      if (most && size_bytes > most.bytes) return most.refuse()
      hash.update(chunk)
      return null
    },
    { is_request: most !== undefined },
  )
  return { bytes, read: () => ({ size_bytes, sha256: hash.copy().digest('hex') }) }
}

/** For request bodies; fails if there are more or fewer bytes than announced. */
export function exactly(source: Readable, size_bytes: number, refuse: () => Error): Readable {
  let count = 0
  const look: PassThroughOptions = (chunk) => ((count += chunk.length) > size_bytes ? refuse() : null)
  return passing(source, look, { atEnd: () => (count === size_bytes ? null : refuse()), is_request: true })
}

/** The body of a request; fails when nothing has come for a while, unless it is the reader who has not taken what came. */
export function watched(source: Readable, silence_ms: number, refuse: () => Error): Readable {
  const timer = setTimeout(() => {
    if (bytes.readableLength > 0) timer.refresh()
    else bytes.destroy(refuse())
  }, silence_ms)
  const look: PassThroughOptions = () => {
    timer.refresh()
    return null
  }
  const bytes = passing(source, look, { is_request: true })
  bytes.on('close', () => clearTimeout(timer))
  bytes.on('end', () => clearTimeout(timer))
  return bytes
}
