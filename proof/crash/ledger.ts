// The ledger of the clients: every acknowledged write with its answer.

import { createHash } from 'node:crypto'

/** Outcomes that models produce from texts and documents. */
export type OutcomeKind = 'extract' | 'summary' | 'classification' | 'search' | 'analysis'
export type CrashKind =
  | 'empty'
  | 'document'
  | 'form'
  | 'base64'
  | 'begin'
  | 'upload'
  | 'project'
  | 'patch'
  | 'batch'
  | 'cancel'
  | 'remove'
  | OutcomeKind

/** Source file of a document. */
export interface CrashGivenFile {
  name: string
  media_type: string
  bytes: Buffer<ArrayBuffer>
  pages: number
}

export interface Write {
  kind: CrashKind
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  /** For a form: its fields. */
  body: Record<string, unknown> | null
  /** Set if the file is a part of the form; otherwise it is in the body or in storage. */
  file?: CrashGivenFile
  /** Unique, and part of what is written, so that effects can be counted by it. Also the Idempotency-Key of a POST. */
  marker: string
  /** Target of a PATCH or DELETE. */
  subject: string | null
  /** Source document of an outcome, which is deleted with it. */
  document_id?: string
}

export interface Ack {
  status: number
  /** Status, Location, ETag and body: what a replay must repeat. */
  digest: string
  request_id: string
  is_replayed: boolean
  body: Record<string, unknown> | null
  begun_at: number
  acked_at: number
}

/** Without the request body: memory must hold a hundred thousand of them. */
export interface Entry {
  kind: CrashKind
  method: Write['method']
  marker: string
  /** How many pages each document that it makes shall have, by title. */
  documents: readonly (readonly [title: string, pages: number])[]
  file: { sha256: string; size_bytes: number } | null
  /** Upload that the document was created from. */
  upload_id: string | null
  /** Source document of an outcome. */
  document_id: string | null
  /** Secret of the key that sent the write. */
  secret: string
  id: string
  /** Status of the resource in the first answer. */
  status: string | null
  digest: string
  /** Request ids of the answers that were not replays. */
  request_ids: string[]
}

export class Ledger {
  readonly entries: Entry[] = []
  /** When acknowledged requests were sent and answered, to measure the length of outages. */
  readonly times: { begun_at: number; acked_at: number }[] = []
  /** Answers that were no success, by kind of write, status and code. */
  readonly refusals = new Map<string, number>()
  /** Attempts that had to be repeated, by reason. */
  readonly setbacks = new Map<string, number>()
  readonly wrong_replies: string[] = []
  /** Searches whose repetition ran again: allowed only if the first was deleted. */
  readonly gone: Entry[] = []
  readonly unanswered: string[] = []
  repeats = 0

  add(write: Write, secret: string, ack: Ack): Entry {
    const { digest, body } = ack
    const { kind, method, marker, subject } = write
    const status = typeof body?.status === 'string' ? body.status : null
    const entry: Entry = {
      kind,
      method,
      marker,
      documents: documentsOf(write),
      file: write.file
        ? { sha256: createHash('sha256').update(write.file.bytes).digest('hex'), size_bytes: write.file.bytes.length }
        : null,
      upload_id: uploadOf(write),
      document_id: write.document_id ?? null,
      secret,
      id: String(body?.id ?? subject),
      status,
      digest,
      request_ids: [],
    }
    this.entries.push(entry)
    this.note(entry, ack)
    return entry
  }

  /** The answer to a repetition. Only POST promises to say the same again; the others have their effect once more, or none. */
  addRepeat(entry: Entry, ack: Ack): void {
    this.repeats++
    const id = String(ack.body?.id ?? entry.id)
    if (entry.kind === 'search' && !ack.is_replayed && id !== entry.id) {
      this.gone.push(entry)
      this.entries.push({ ...entry, id, digest: ack.digest, request_ids: [ack.request_id] })
      return
    }
    this.note(entry, ack)
    if (entry.method !== 'POST') return
    const was =
      entry.request_ids.length > 1
        ? 'executed again'
        : ack.digest === entry.digest
          ? null
          : `answered ${ack.status}, not the same`
    if (was) this.wrong_replies.push(`${entry.kind} ${entry.marker}: ${was}`)
  }

  refuse(write: Write, ack: Ack): void {
    tally(this.refusals, `${write.kind}: ${ack.status} ${String(ack.body?.code ?? '')}`)
  }

  private note(entry: Entry, ack: Ack): void {
    if (ack.status >= 300) return
    this.times.push({ begun_at: ack.begun_at, acked_at: ack.acked_at })
    if (!ack.is_replayed) entry.request_ids.push(ack.request_id)
  }
}

interface CrashNewDocument {
  title: string
  source?: { pages: unknown[] }
}

const uploadOf = ({ body }: Write): string | null =>
  (body?.source as { upload_id?: string } | undefined)?.upload_id ?? null

function documentsOf({ kind, body, file }: Write): Entry['documents'] {
  if (kind === 'begin') return []
  if (file) return [[(body as unknown as CrashNewDocument).title, file.pages]]
  const bodies =
    kind === 'batch'
      ? (body!.inputs as CrashNewDocument[])
      : kind === 'document'
        ? [body as unknown as CrashNewDocument]
        : []
  return bodies.map(({ title, source }) => [title, source?.pages.length ?? 0])
}

export const tally = (counts: Map<string, number>, name: string, more = 1): void =>
  void counts.set(name, (counts.get(name) ?? 0) + more)

export const digestOf = (...parts: (string | number | null)[]): string =>
  createHash('sha1').update(JSON.stringify(parts)).digest('base64')
