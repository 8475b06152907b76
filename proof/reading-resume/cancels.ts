// A reading that is cancelled keeps what it has, and goes on with the rest when it is run again.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Book } from '../lib/book.ts'
import type { Part } from '../lib/proof.ts'
import { beginReading, judgeRest, listRows, partOf, type ReadingResumeScene, readNotes } from './scene.ts'
import { judgeWhole } from './verdict.ts'

const LOOK_MS = 50

/** As soon as the API shows so many pages. */
export async function cancelAt(scene: ReadingResumeScene, book: Book, page: number): Promise<Part> {
  const client = scene.key.client()
  const reading = await beginReading(scene, book)
  const { document_id, job_id } = reading
  for (;;) {
    const { pages_ready, status } = await client.documents.get(document_id)
    if (pages_ready >= page) break
    if (status !== 'processing') throw new Error(`the document is ${status} with ${pages_ready} pages`)
    await sleep(LOOK_MS)
  }
  await client.jobs.update(job_id, { status: 'cancelled' })
  const cancelled = await client.jobs.wait(job_id)
  const document = await client.documents.get(document_id)
  const note = readNotes(scene).length
  const rows = await listRows(scene, reading)
  const findings: string[] = []
  if (cancelled.status !== 'cancelled') throw new Error(`the job was not cancelled, it is ${cancelled.status}`)
  if (document.status !== 'partially_ready') findings.push(`the cancelled document is ${document.status}`)
  if (rows.size < page) findings.push(`${rows.size} pages were kept, ${page} had been shown`)
  if (document.pages_ready !== rows.size)
    findings.push(`the document says ${document.pages_ready} pages and has ${rows.size}`)
  await client.jobs.update(job_id, { status: 'queued' })
  await client.jobs.wait(job_id)
  findings.push(...(await judgeRest(scene, reading, rows, note)), ...(await judgeWhole(scene, reading, 2)))
  const left = readNotes(scene).slice(note).length
  return partOf(
    `cancelled at page ${page} of ${book.pages}`,
    `${rows.size} kept, and ${left} read when it ran again`,
    findings,
  )
}
