// The writes of the clients. Every write carries its marker, so that its effects can be found and counted.

import type { Random } from '../lib/random.ts'
import { newFile } from './files.ts'
import type { CrashGivenFile, CrashKind, Write } from './ledger.ts'
import { newOutcome, outcomeMix } from './outcomes.ts'

/** Few documents are long: their jobs have several steps, so that a kill falls between two of them. */
const LONG_SHARE = 0.04
const LONG_PAGES = 120
const SHORT_PAGES = 4
const BATCH_INPUTS = 6
const SLOW_PAGES = 800
const FILES_REMOVED_SHARE = 0.3
/** Maximum number of patches that fit into a document's metadata beside its own marker. */
const MAX_PATCHES = 40

/** How often each kind is chosen. A file takes a process to read, so few are. */
const mix: Readonly<Record<Exclude<CrashKind, 'upload'>, number>> = {
  empty: 24,
  document: 25,
  form: 4,
  base64: 3,
  begin: 3,
  project: 15,
  patch: 20,
  batch: 3,
  cancel: 8,
  remove: 7,
  ...outcomeMix,
}
const isDocument = new Set<CrashKind>(['empty', 'document', 'form', 'base64', 'upload'])

interface CrashKnownItem {
  id: string
  job_id: string | null
  has_file: boolean
  patches: number
}

/** Resources that one client has created and not removed. */
export interface Desk {
  documents: CrashKnownItem[]
  /** Jobs that it may still cancel. */
  job_ids: string[]
  /** Those that it has cancelled: what they read may be missing. */
  cancelled: Set<string>
}
export const newDesk = (): Desk => ({ documents: [], job_ids: [], cancelled: new Set() })

const pageText = (marker: string, number: number): string => `${marker} page ${number}`
const pageTexts = (marker: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({ text: pageText(marker, i + 1) }))

function newSource(random: Random, marker: string) {
  const count = random.next() < LONG_SHARE ? LONG_PAGES : random.whole(1, SHORT_PAGES)
  return { type: 'pages', pages: pageTexts(marker, count) }
}

/** A document whose title says so takes some seconds: sixteen steps. */
export const newSlowWrite = (marker: string): Write => ({
  kind: 'document',
  method: 'POST',
  path: '/documents',
  body: { title: marker, metadata: { marker }, source: { type: 'pages', pages: pageTexts(marker, SLOW_PAGES) } },
  marker,
  subject: null,
})

/** Something else where there is nothing to change, cancel or remove. */
export function chooseWrite(random: Random, desk: Desk, marker: string): Write {
  const kind = random.weighted(mix)
  const post = (
    path: string,
    body: Record<string, unknown>,
    given: { as?: CrashKind; file?: CrashGivenFile } = {},
  ): Write => ({
    kind: given.as ?? kind,
    method: 'POST',
    path,
    body,
    ...(given.file ? { file: given.file } : {}),
    marker,
    subject: null,
  })
  const title = { title: marker, metadata: { marker } }
  switch (kind) {
    case 'empty':
      break
    case 'document':
      return post('/documents', { ...title, source: newSource(random, marker) })
    case 'form':
      return post('/documents', title, { file: newFile(random, marker) })
    case 'base64': {
      const file = newFile(random, marker)
      const source = {
        type: 'base64',
        media_type: file.media_type,
        file_name: file.name,
        data: file.bytes.toString('base64'),
      }
      return post('/documents', { ...title, source }, { file })
    }
    case 'begin': {
      const file = newFile(random, marker)
      const { name: file_name, media_type, bytes } = file
      return post('/uploads', { file_name, media_type, size_bytes: bytes.length, metadata: { marker } }, { file })
    }
    case 'project':
      return post('/projects', { name: marker, metadata: { marker } })
    case 'batch': {
      const inputs = Array.from({ length: random.whole(1, BATCH_INPUTS) }, (_, i) => {
        const name = `${marker}.${i}`
        return { title: name, metadata: { marker: name }, source: newSource(random, name) }
      })
      return post('/jobs', { type: 'documents', inputs, metadata: { marker } })
    }
    case 'patch': {
      const document = desk.documents.length > 0 ? random.one(desk.documents) : null
      if (!document || document.patches >= MAX_PATCHES) break
      const body = { metadata: { [`patch_${document.patches++}`]: marker } }
      return { kind, method: 'PATCH', path: `/documents/${document.id}`, body, marker, subject: document.id }
    }
    case 'cancel': {
      const job_id = desk.job_ids.pop()
      if (job_id === undefined) break
      desk.cancelled.add(job_id)
      return { kind, method: 'PATCH', path: `/jobs/${job_id}`, body: { status: 'cancelled' }, marker, subject: job_id }
    }
    case 'remove': {
      const document = takeDocument(random, desk)
      if (!document) break
      return { kind, method: 'DELETE', path: `/documents/${document.id}`, body: null, marker, subject: document.id }
    }
    case 'extract':
    case 'summary':
    case 'classification':
    case 'search':
      return newOutcome(kind, marker, null)
    case 'analysis': {
      const known = desk.documents.filter(
        ({ job_id }) => job_id !== null && !desk.job_ids.includes(job_id) && !desk.cancelled.has(job_id),
      )
      if (known.length === 0) break
      return newOutcome(kind, marker, random.one(known).id)
    }
  }
  return post('/documents', title, { as: 'empty' })
}

/** One to remove: files are few, and are removed more often than their number says. */
function takeDocument(random: Random, desk: Desk): CrashKnownItem | null {
  const files = random.next() < FILES_REMOVED_SHARE ? desk.documents.filter(({ has_file }) => has_file) : []
  const document = files.length > 0 ? random.one(files) : desk.documents.length > 0 ? random.one(desk.documents) : null
  desk.documents = desk.documents.filter((known) => known !== document)
  return document
}

/** Records what the client can do next, given the answer. */
export function learn(desk: Desk, write: Write, body: Record<string, unknown> | null): void {
  if (isDocument.has(write.kind)) {
    const job_id = (body?.latest_job_id as string | undefined) ?? null
    desk.documents.push({ id: String(body?.id), job_id, has_file: write.file !== undefined, patches: 0 })
    if (job_id) desk.job_ids.push(job_id)
  }
  if (write.kind === 'batch') desk.job_ids.push(String(body?.id))
  // The oldest are left alone, so that most of what was written is still there to be compared.
  if (desk.documents.length > 60) desk.documents.splice(0, 20)
  if (desk.job_ids.length > 4) desk.job_ids.shift()
}
