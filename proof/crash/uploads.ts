// Bytes that go straight to storage: an upload is begun, sent until storage has taken it, and becomes a document.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../lib/random.ts'
import type { Ledger, Write } from './ledger.ts'
import { persist, type Sender } from './send.ts'

/** Long enough that no request that was given up is still under way when the document is deleted. */
const PUT_MS = 30_000
const GIVE_UP_MS = 60_000
const PAUSE_MS = 200
const REPEATED_SHARE = 0.15

interface CrashUpload {
  id: string
  put: { url: string; headers: Record<string, string> }
}

/** The write that makes the document; null: there was no end of trouble, which the ledger knows. */
export async function uploadFile(
  { sender, random }: { sender: Sender; random: Random },
  ledger: Ledger,
  chosen: Write,
): Promise<Write | null> {
  const { marker } = chosen
  const begin = { ...chosen, marker: `${marker}-begun` }
  const first = random.whole(0, 1)
  const twin = random.next() < REPEATED_SHARE ? persist(sender, begin, first + 1) : null
  const ack = await persist(sender, begin, first)
  const again = await twin
  if (!ack || ack.status >= 300) {
    if (ack) ledger.refuse(begin, ack)
    else ledger.unanswered.push(`${begin.kind} ${marker}`)
    return null
  }
  const entry = ledger.add(begin, sender.secret, ack)
  if (again) ledger.addRepeat(entry, again)
  const { id, put } = ack.body as unknown as CrashUpload
  if (!(await store(sender, put, begin))) {
    ledger.unanswered.push(`bytes of ${marker}`)
    return null
  }
  const body = { title: marker, metadata: { marker }, source: { type: 'upload', upload_id: id } }
  return { kind: 'upload', method: 'POST', path: '/documents', body, file: begin.file!, marker, subject: null }
}

async function store({ onSetback }: Sender, { url, headers }: CrashUpload['put'], { file }: Write): Promise<boolean> {
  for (const end = Date.now() + GIVE_UP_MS; Date.now() < end; await sleep(PAUSE_MS)) {
    const answer = await fetch(url, {
      method: 'PUT',
      headers,
      body: file!.bytes,
      signal: AbortSignal.timeout(PUT_MS),
    }).catch(() => null)
    await answer?.arrayBuffer().catch(() => null)
    if (answer?.ok) return true
    onSetback(answer ? `PUT to storage: ${answer.status}` : 'PUT to storage: no answer')
  }
  return false
}
