import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pdfBlob } from '@octavo/extract/testing/pdf-files.ts'
import { Unreadable } from '@octavo/extract/types.ts'
import type { Document, JobProgress } from '@octavo/sdk'
import { startApi } from '../../testing/api.ts'
import { until } from '../../testing/jobs.ts'

const RECORDED = readFileSync(new URL('../../readers/recorded/lease.json', import.meta.url))
let docling_status = 200
const docling = createServer((request, response) => {
  request.resume()
  if (request.url === '/version') response.end(JSON.stringify({ 'docling-serve': '1.38.2' }))
  else response.writeHead(docling_status).end(RECORDED)
})
docling.listen(0, '127.0.0.1')
await once(docling, 'listening')
after(() => docling.close())

const { app, owner } = await startApi(
  { after },
  { DOCLING_URL: `http://127.0.0.1:${(docling.address() as AddressInfo).port}`, MAX_PAGES: '12' },
)
const real = app.extract
afterEach(() => {
  app.extract = real
  docling_status = 200
})

/** Before a page is parsed; what it throws is what the file is said to be. */
function onPage(act: (number: number) => Promise<void> | void): void {
  app.extract = {
    ...real,
    async open(bytes, given) {
      const reading = await real.open(bytes, given)
      const { media_type, format, title, page_count, warnings, attachments } = reading
      const page = async (number: number) => {
        await act(number)
        return reading.page(number)
      }
      const image = (number: number, dpi: number) => reading.image(number, dpi)
      const attachment = (index: number) => reading.attachment(index)
      const file = { media_type, format, title, page_count, warnings, attachments }
      return { ...file, page, image, attachment, close: () => reading.close() }
    },
  }
}
const pdfWithPages = (count: number): Blob =>
  pdfBlob(...Array.from({ length: count }, (_, i) => [`This is page number ${i + 1} of the lease.`]))
const settled = async (id: string): Promise<Document> => {
  await until(async () => (await owner.documents.get(id)).status !== 'processing', 'the document')
  return owner.documents.get(id)
}
const numbersOf = async (id: string): Promise<number[]> => (await owner.pages.list(id)).data.map(({ number }) => number)

test('reports ingestion progress and allows more time for more pages', async () => {
  const told: JobProgress[] = []
  onPage(() => sleep(600))

  const document = await owner.documents.createAndWait(pdfWithPages(8), {
    onProgress: (progress) => told.push(progress),
  })
  const job = await owner.jobs.get(document.latest_job_id!)

  assert.deepEqual([document.status, document.page_count, document.pages_ready], ['ready', 8, 8])
  assert.deepEqual(told.at(-1), { unit: 'pages', completed: 8, failed: 0, total: 8 })
  const counts = told.map(({ completed }) => completed)
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
  )
  assert.ok(new Set(counts).size > 2, counts.join(' '))
  assert.equal(job.timeout_seconds, 600 + 8 * 15)
})

test('keeps the pages read before a cancel and resumes from there', async () => {
  const asked: number[] = []
  onPage(async (number) => {
    asked.push(number)
    await sleep(150)
  })
  const { id, latest_job_id } = await owner.documents.createFromFile(pdfWithPages(12), {}, { wait_seconds: 0 })
  await until(async () => (await owner.documents.get(id)).pages_ready >= 3, 'three pages')

  await owner.jobs.update(latest_job_id!, { status: 'cancelled' })
  const stopped = await settled(id)
  const kept = await owner.pages.list(id)
  const before = asked.length
  await owner.jobs.update(latest_job_id!, { status: 'queued' })
  const whole = await settled(id)

  assert.deepEqual([stopped.status, stopped.error?.code, stopped.page_count], ['partially_ready', 'cancelled', 12])
  assert.ok(stopped.pages_ready >= 3 && stopped.pages_ready < 12, String(stopped.pages_ready))
  assert.equal(kept.data.length, stopped.pages_ready)
  assert.deepEqual([whole.status, whole.pages_ready, whole.error], ['ready', 12, null])
  assert.deepEqual(
    asked.slice(before).toSorted((a, b) => a - b),
    Array.from({ length: 12 - kept.data.length }, (_, i) => kept.data.length + 1 + i),
  )
  assert.deepEqual((await owner.pages.list(id)).data.slice(0, kept.data.length), kept.data)
})

test('reads a failed page again once its cause is gone, and the document becomes ready', async () => {
  let isBroken = true
  onPage((number) => {
    if (number === 2 && isBroken) throw new Unreadable('document_too_large', 'Page 2 takes too long.', 2)
  })
  const document = await owner.documents.createAndWait(pdfWithPages(3))
  const [, broken] = (await owner.pages.list(document.id)).data

  isBroken = false
  const queued = await owner.pages.update(document.id, broken!.id, { status: 'queued' })
  const whole = await settled(document.id)
  const page = await owner.pages.get(document.id, broken!.id)

  assert.deepEqual(
    [document.status, broken?.status, broken?.error?.code],
    ['partially_ready', 'failed', 'document_too_large'],
  )
  assert.equal(queued.status, 'queued')
  assert.deepEqual([whole.status, whole.error, whole.pages_ready, whole.pages_failed], ['ready', null, 3, 0])
  assert.deepEqual([page.status, page.error, page.text], ['succeeded', null, 'This is page number 2 of the lease.'])
  assert.equal((await owner.chunks.list(document.id, { page_id: page.id })).data.length, 1)
})

test('restores a queued page to its previous state when its job is cancelled', async () => {
  const document = await owner.documents.createAndWait(pdfWithPages(2))
  const [first] = (await owner.pages.list(document.id)).data
  onPage(() => sleep(5_000))

  await owner.pages.update(document.id, first!.id, { status: 'queued' })
  const { latest_job_id } = await owner.documents.get(document.id)
  await owner.jobs.update(latest_job_id!, { status: 'cancelled' })
  const after = await settled(document.id)

  assert.deepEqual([after.pages_ready, after.pages_failed], [2, 0])
  assert.deepEqual((await owner.pages.get(document.id, first!.id)).status, 'succeeded')
  assert.deepEqual(await numbersOf(document.id), [1, 2])
})

test('reads the first pages of a document that is too long, with an error', async () => {
  const document = await owner.documents.createAndWait(pdfWithPages(14))

  assert.deepEqual([document.status, document.page_count, document.pages_ready], ['partially_ready', 14, 12])
  assert.equal(document.error?.code, 'document_too_large')
  assert.match(document.warnings.join(' '), /12/)
})

test('an unreadable file reports the reason', async () => {
  const broken = new Blob(['%PDF-1.7\nnothing of it is left'], { type: 'application/pdf' })

  const document = await owner.documents.createAndWait(broken)

  assert.deepEqual([document.status, document.error?.code, document.page_count], ['failed', 'document_unreadable', 0])
  assert.equal(await (await owner.files.download(document.file_id!)).text(), '%PDF-1.7\nnothing of it is left')
})

test('reads pages with another reader and names it on them', async () => {
  const document = await owner.documents.createAndWait(pdfWithPages(1), {
    document: { processing: { reader: 'docling' } },
  })
  const [page] = (await owner.pages.list(document.id)).data

  assert.deepEqual([document.status, document.processing?.reader], ['ready', 'docling'])
  assert.deepEqual([page?.reader, page?.text_source], [{ id: 'docling', version: '1.38.2' }, 'ocr'])
  assert.ok(page!.text.length > 0 && !page!.text.includes('This is page number'))
  assert.equal((await owner.files.get(page!.image_file_id!)).media_type, 'image/png')
})

test('the job retries while a reader is unavailable, and the document does not fail', async () => {
  docling_status = 503
  const created = await owner.documents.createFromFile(
    pdfWithPages(1),
    { processing: { reader: 'docling' } },
    { wait_seconds: 0 },
  )
  await until(async () => (await owner.jobs.get(created.latest_job_id!)).attempts.length > 0, 'the first attempt')

  const job = await owner.jobs.get(created.latest_job_id!)
  const { status } = await owner.documents.get(created.id)

  assert.deepEqual([job.status, status, job.attempts[0]?.error?.code], ['queued', 'processing', 'model_unavailable'])
  assert.doesNotMatch(JSON.stringify(job), /127\.0\.0\.1/)
})

test('metrics count the stored pages by status and origin of the text', async () => {
  onPage((number) => {
    if (number === 2) throw new Unreadable('document_unreadable', 'Damaged.', number)
  })
  app.metrics.pages.reset()

  await owner.documents.createAndWait(pdfWithPages(3))
  await owner.documents.createAndWait({ title: 'Lease', source: { type: 'text', text: 'Rent: 1,200' } })

  const { values } = await app.metrics.pages.get()
  assert.deepEqual(values.map(({ labels, value }) => `${labels.status} ${labels.text_source} ${value}`).toSorted(), [
    'failed embedded 1',
    'succeeded embedded 2',
    'succeeded supplied 1',
  ])
})
