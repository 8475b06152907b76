// Bodies that are streamed to storage and never held whole.

import type { Readable } from 'node:stream'
import { Failure, fileTooLarge } from '../../lib/failure.ts'
import { watched } from '../../lib/streams.ts'

const SILENCE_MS = 30_000

/** Its sender may be slow, but not silent. */
export const patient = (body: Readable, silence_ms = SILENCE_MS): Readable =>
  watched(body, silence_ms, () => cutOff(`No bytes arrived for ${silence_ms / 1000} seconds. Send the file again.`))

/** Drains the rest of an abandoned body, so that the client can read the error response. */
export function letGo(body: Readable, raw: Readable): void {
  body.once('close', () => raw.resume())
  body.destroy()
}

export const tooLarge = (max: number): Failure => fileTooLarge(max, CLOSE)

/** The rest of the body is not read, so the connection cannot be used again. */
const CLOSE = { headers: { connection: 'close' } }
export const cutOff = (message: string): Failure => new Failure('invalid_request', message, CLOSE)
