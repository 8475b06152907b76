// A reader of one job's event stream on a bare socket, so that it can be cut off at any byte.

import { request } from 'node:http'

export interface SseObservation {
  /** The `id:` line. */
  seq: number
  id: string
  type: string
  /** From the event's writing, which is before its commit, to here. */
  late_ms: number
}

export interface Stream {
  url: string
  secret: string
  job: string
}

/** `over`: no more events (204). `cut`: by the reader or by the server. `busy`: try again. */
type SseEnd = 'ended' | 'over' | 'cut' | 'busy'

/** Reads on after the last event in `seen`; destroys the socket after so many bytes. */
export function readOn(
  { url, secret, job }: Stream,
  seen: SseObservation[],
  most_bytes = Number.POSITIVE_INFINITY,
  signal?: AbortSignal,
): Promise<SseEnd> {
  const last = seen.at(-1)?.seq
  const headers = {
    accept: 'text/event-stream',
    authorization: `Bearer ${secret}`,
    ...(last === undefined ? {} : { 'last-event-id': String(last) }),
  }
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/api/v1/jobs/${job}/events`, { headers, agent: false, ...(signal ? { signal } : {}) })
    asked.on('error', (error) => (signal?.aborted ? resolve('cut') : reject(error)))
    asked.on('response', (answer) => {
      if (answer.statusCode === 204) return resolve('over')
      if (answer.statusCode === 503) {
        answer.resume()
        return resolve('busy')
      }
      if (answer.statusCode !== 200) return reject(new Error(`the stream answers ${answer.statusCode}`))
      let bytes = 0
      let rest = ''
      answer.setEncoding('utf8')
      answer.on('data', (text: string) => {
        bytes += text.length
        // Bytes after the cut count as not received.
        const arrived = bytes > most_bytes ? text.slice(0, text.length - (bytes - most_bytes)) : text
        const messages = (rest + arrived).split('\n\n')
        rest = messages.pop()!
        for (const message of messages) take(message, seen)
        if (bytes > most_bytes) {
          answer.destroy()
          resolve('cut')
        }
      })
      answer.on('end', () => resolve('ended'))
      answer.on('error', () => resolve('cut'))
    })
    asked.end()
  })
}

function take(message: string, seen: SseObservation[]): void {
  const fields = Object.fromEntries(
    message.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  if (fields.data === undefined) return
  const { id, type, created_at } = JSON.parse(fields.data) as { id: string; type: string; created_at: string }
  seen.push({ seq: Number(fields.id), id, type, late_ms: Date.now() - Date.parse(created_at) })
}

/** Each number once, from 1, without a gap. */
export const isWhole = (seen: readonly SseObservation[]): boolean => seen.every(({ seq }, index) => seq === index + 1)
export const hasEnded = (seen: readonly SseObservation[]): boolean =>
  /^job\.(succeeded|failed|cancelled)$/.test(seen.at(-1)?.type ?? '')
