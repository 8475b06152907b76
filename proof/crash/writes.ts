// What clients write. Every write carries its marker, so that its effect can be found and counted.

import type { Random } from '../lib/random.ts'
import type { Kind, Write } from './ledger.ts'

/** Few documents are long: their jobs have several steps, so that a kill falls between two of them. */
const LONG_SHARE = 0.04
const LONG_PAGES = 120
const SHORT_PAGES = 4
const BATCH_INPUTS = 6
const SLOW_PAGES = 800
/** What one document can carry in its metadata beside its own marker. */
const MAX_PATCHES = 40

/** How often each kind is chosen. */
const mix: Readonly<Record<Kind, number>> = { empty: 24, document: 25, project: 15, patch: 20, batch: 3, cancel: 8, remove: 7 }

interface Known {
  id: string
  job_id: string | null
  patches: number
}

/** What one client has made and not removed. */
export interface Desk {
  documents: Known[]
  /** Jobs that it may still cancel. */
  job_ids: string[]
}
export const newDesk = (): Desk => ({ documents: [], job_ids: [] })

const pageText = (marker: string, number: number): string => `${marker} page ${number}`
const pagesOf = (marker: string, count: number) => Array.from({ length: count }, (_, i) => ({ text: pageText(marker, i + 1) }))

function newSource(random: Random, marker: string) {
  const count = random.next() < LONG_SHARE ? LONG_PAGES : random.whole(1, SHORT_PAGES)
  return { type: 'pages', pages: pagesOf(marker, count) }
}

/** A document whose title says so takes some seconds: sixteen steps. */
export const newSlowWrite = (marker: string): Write => ({
  kind: 'document',
  method: 'POST',
  path: '/documents',
  body: { title: marker, metadata: { marker }, source: { type: 'pages', pages: pagesOf(marker, SLOW_PAGES) } },
  marker,
  subject: null,
})

/** Something else where there is nothing to change, cancel or remove. */
export function chooseWrite(random: Random, desk: Desk, marker: string): Write {
  const kind = random.weighted(mix)
  const post = (path: string, body: Record<string, unknown>, as: Kind = kind): Write => ({
    kind: as,
    method: 'POST',
    path,
    body,
    marker,
    subject: null,
  })
  const title = { title: marker, metadata: { marker } }
  switch (kind) {
    case 'empty':
      break
    case 'document':
      return post('/documents', { ...title, source: newSource(random, marker) })
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
      return { kind, method: 'PATCH', path: `/jobs/${job_id}`, body: { status: 'cancelled' }, marker, subject: job_id }
    }
    case 'remove': {
      if (desk.documents.length === 0) break
      const [document] = desk.documents.splice(random.whole(0, desk.documents.length - 1), 1)
      return { kind, method: 'DELETE', path: `/documents/${document!.id}`, body: null, marker, subject: document!.id }
    }
  }
  return post('/documents', title, 'empty')
}

/** What the answer lets the client do next. */
export function learn(desk: Desk, write: Write, body: Record<string, unknown> | null): void {
  if (write.kind === 'empty' || write.kind === 'document') {
    const job_id = (body?.latest_job_id as string | undefined) ?? null
    desk.documents.push({ id: String(body?.id), job_id, patches: 0 })
    if (job_id) desk.job_ids.push(job_id)
  }
  if (write.kind === 'batch') desk.job_ids.push(String(body?.id))
  // The oldest are left alone, so that most of what was written is still there to be compared.
  if (desk.documents.length > 60) desk.documents.splice(0, 20)
  if (desk.job_ids.length > 4) desk.job_ids.shift()
}
