import type { ServerResponse } from 'node:http'

/** One event of job_1 as the server streams it. */
export function sse(seq: number, type: string, data: object = {}): string {
  const event = { id: `evt_${seq}`, object: 'event', type, seq, subject: { object: 'job', id: 'job_1' }, data }
  return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n`
}

interface StreamStep {
  pieces: readonly (string | Uint8Array)[]
  /** How the stream ends after the last piece: properly, cut off, or silent. */
  finish?: 'end' | 'cut' | 'silence'
}

const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 15)
  })

/** A step that streams the pieces one by one, so that each arrives as a separate chunk. */
export function stream({ pieces, finish = 'end' }: StreamStep) {
  async function play(answer: ServerResponse): Promise<void> {
    answer.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'req_1' })
    answer.flushHeaders()
    for (const piece of pieces) {
      answer.write(piece)
      await pause()
    }
    if (finish === 'end') answer.end()
    if (finish === 'cut') answer.destroy()
  }
  return (answer: ServerResponse) => void play(answer)
}
