// One write, retried with the same key until it is answered, as the documentation tells you to.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Ack, digestOf, type Write } from './ledger.ts'

const ATTEMPT_MS = 5_000
/** A file takes longer, to be sent and to be stored. */
const FILE_ATTEMPT_MS = 15_000
const GIVE_UP_MS = 60_000
const PAUSE_MS = 60

export interface Sender {
  /** Addresses of all API processes; the next attempt goes to the next one. */
  urls: readonly string[]
  secret: string
  /** Hears of every attempt that must be repeated, and why. */
  onSetback: (why: string) => void
}

/** null: no answer within a minute. */
export async function persist(sender: Sender, write: Write, first: number): Promise<Ack | null> {
  for (let attempt = first, end = Date.now() + GIVE_UP_MS; Date.now() < end; attempt++) {
    const ack = await send(sender, sender.urls[attempt % sender.urls.length]!, write)
    if (ack && !isPassing(ack)) return ack
    sender.onSetback(ack ? `${ack.status} ${String(ack.body?.code)}` : 'no answer')
    await sleep(PAUSE_MS)
  }
  return null
}

async function send({ secret }: Sender, url: string, write: Write): Promise<Ack | null> {
  const headers: Record<string, string> = { authorization: `Bearer ${secret}`, 'accept-encoding': 'identity' }
  if (write.method === 'POST') headers['idempotency-key'] = write.marker
  const body = write.kind === 'form' ? writeForm(write) : write.body === null ? null : JSON.stringify(write.body)
  if (typeof body === 'string')
    headers['content-type'] = write.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const begun_at = Date.now()
  try {
    const answer = await fetch(`${url}/api/v1${write.path}`, {
      method: write.method,
      headers,
      body,
      signal: AbortSignal.timeout(write.file ? FILE_ATTEMPT_MS : ATTEMPT_MS),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      digest: digestOf(answer.status, answer.headers.get('location'), answer.headers.get('etag'), text),
      request_id: answer.headers.get('request-id') ?? '',
      is_replayed: answer.headers.get('idempotent-replayed') === 'true',
      body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>),
      begun_at,
      acked_at: Date.now(),
    }
  } catch {
    // Cut off before, in or after the work: the client cannot know.
    return null
  }
}

const isPassing = ({ status, body }: Ack): boolean =>
  status >= 500 || status === 429 || (status === 409 && body?.code === 'idempotency_in_progress')

/** With another boundary each time. */
function writeForm({ body, file }: Write): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body!))
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  form.set('file', new Blob([file!.bytes], { type: file!.media_type }), file!.name)
  return form
}
