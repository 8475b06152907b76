import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pdfBlob, type SamplePage, scanOf } from '@octavo/extract/testing/pdf-files.ts'
import type { Document, NewFileDocument } from '@octavo/sdk'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'
import { listAll } from '../../testing/files.ts'
import { until } from '../../testing/jobs.ts'

const { app, owner, newTenant } = await startApi({ after })

const LINES = [
  'The lease begins on 1 March 2027 and ends after five years.',
  'The tenant pays 1,250.00 euros on the first day of each month.',
]
const read = (pages: SamplePage[], document: NewFileDocument = {}): Promise<Document> =>
  owner.documents.createAndWait(pdfBlob(...pages), { document: { title: 'Lease', ...document } })
const listPages = async ({ id }: { id: string }) => (await owner.pages.list(id)).data
const settled = async (id: string): Promise<Document> => {
  await until(async () => (await owner.documents.get(id)).status !== 'processing', 'the document')
  return owner.documents.get(id)
}
const collapseSpaces = (text: string): string => text.replace(/\s+/g, ' ')

test('a page shows its text, blocks, language, size and reader', async () => {
  const document = await read([['# Lease', ...LINES]])
  const [page] = await listPages(document)

  assert.deepEqual([document.status, document.language, document.warnings], ['ready', 'en', []])
  assert.equal(page?.text, ['Lease', ...LINES].join('\n\n'))
  assert.equal(page.markdown, ['# Lease', ...LINES].join('\n\n'))
  assert.deepEqual(
    page.blocks.map(({ type, text }) => [type, text]),
    [
      ['title', 'Lease'],
      ['paragraph', LINES[0]],
      ['paragraph', LINES[1]],
    ],
  )
  for (const { bbox = [] } of page.blocks)
    assert.ok(bbox.length === 4 && bbox.every((side) => side >= 0 && side <= 1), String(bbox))
  assert.deepEqual([page.language, page.width, page.height, page.text_source], ['en', 595, 842, 'embedded'])
  assert.deepEqual(
    [page.reader, page.confidence, page.image_file_id],
    [{ id: 'built_in', version: app.config.version }, null, null],
  )
})

test('rows of a table on its second page have the headers of the first page', async () => {
  const row = (...cells: string[]): string => `${cells.join(') Tj 150 0 Td (')}) Tj ${-150 * (cells.length - 1)} 0 Td (`
  const cities = (names: string[]) => names.map((name, i) => row(name, `${i + 12},500`, 'Norway'))
  const margin = ['', '', '', '']
  const first = [...margin, row('Town', 'People', 'Country'), ...cities(['Oslo', 'Bergen', 'Stavanger'])]
  const document = await read([first, [...margin, ...cities(['Bodo', 'Molde', 'Harstad'])]])

  const { data } = await owner.chunks.list(document.id)

  assert.match(data.at(-1)?.expanded_text ?? '', /Town: Molde; People: 13,500; Country: Norway/)
})

test('reads a scanned page from its image and keeps the image', async () => {
  const document = await read([LINES, await scanOf(...LINES)], { processing: { languages: ['en'] } })
  const [written, scanned] = await listPages(document)

  assert.deepEqual([written?.text_source, scanned?.text_source, scanned?.reader?.id], ['embedded', 'ocr', 'built_in'])
  assert.equal(collapseSpaces(scanned!.text), LINES.join(' '))
  assert.ok(scanned!.confidence! > 0.8 && scanned!.confidence! <= 1, String(scanned?.confidence))
  const file = await owner.files.get(scanned!.image_file_id!)
  const bytes = Buffer.from(await (await owner.files.download(file.id)).arrayBuffer())
  assert.deepEqual(
    [file.kind, file.media_type, file.document_id, file.size_bytes],
    ['page_image', 'image/png', document.id, bytes.length],
  )
  assert.equal(bytes.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n')
  await owner.documents.remove(document.id)
  await assert.rejects(owner.files.get(file.id), { code: 'not_found' })
})

test('OCR can run on every page or on none', async () => {
  const scan = await scanOf(...LINES)

  const always = await read([LINES], { processing: { ocr: 'always', languages: ['en'] } })
  const never = await read([LINES, scan], { processing: { ocr: 'never' } })

  assert.deepEqual(always.processing, { reader: 'built_in', ocr: 'always', attachments: 'none', languages: ['en'] })
  assert.deepEqual(
    (await listPages(always)).map(({ text_source, text }) => [text_source, collapseSpaces(text)]),
    [['ocr', LINES.join(' ')]],
  )
  assert.deepEqual(
    (await listPages(never)).map(({ text_source, text, image_file_id }) => [
      text_source,
      collapseSpaces(text),
      image_file_id,
    ]),
    [
      ['embedded', LINES.join(' '), null],
      ['embedded', '', null],
    ],
  )
})

test('an unsupported language fails the job with a reason', async () => {
  const document = await read([await scanOf('nuqneH')], { processing: { languages: ['tlh'] } })
  const job = await owner.jobs.get(document.latest_job_id!)

  assert.deepEqual(
    [document.status, document.error?.code, job.status, job.error?.code],
    ['failed', 'unsupported_language', 'failed', 'unsupported_language'],
  )
  assert.match(job.error!.message, /'tlh'/)
})

test('processing options come from the request, then the project, then the service', async () => {
  const project = await owner.projects.create({
    name: 'Scans',
    default_processing: { ocr: 'never', languages: ['de'] },
  })

  const plain = await read([LINES], { project_id: project.id })
  const own = await read([LINES], { project_id: project.id, processing: { ocr: 'auto' } })
  const unknown = [
    owner.documents.createFromFile(pdfBlob(LINES), { processing: { reader: 'nobody' } }),
    owner.projects.create({ name: 'x', default_processing: { reader: 'nobody' } }),
  ]

  assert.deepEqual(plain.processing, { reader: 'built_in', ocr: 'never', attachments: 'none', languages: ['de'] })
  assert.deepEqual(own.processing, { reader: 'built_in', ocr: 'auto', attachments: 'none', languages: ['de'] })
  assert.deepEqual(await Promise.all(unknown.map(async (call) => summaryOf(await failed(call)))), [
    [422, 'processing.reader capability_missing'],
    [422, 'default_processing.reader capability_missing'],
  ])
})

test('a broken page does not affect the other pages', async () => {
  const document = await read([LINES, 'broken', LINES])
  const job = await owner.jobs.get(document.latest_job_id!)
  const pages = await listPages(document)

  assert.deepEqual(
    [document.status, document.page_count, document.pages_ready, document.pages_failed],
    ['partially_ready', 3, 2, 1],
  )
  assert.deepEqual([document.error?.code, job.status, job.usage?.pages], ['items_failed', 'partially_succeeded', 2])
  assert.deepEqual(
    pages.map(({ status, error }) => [status, error?.code ?? null]),
    [
      ['succeeded', null],
      ['failed', 'document_unreadable'],
      ['succeeded', null],
    ],
  )
  assert.deepEqual(
    (await owner.pages.list(document.id, { status: 'failed' })).data.map(({ number }) => number),
    [2],
  )
})

test('writing the text of a failed page fixes it', async () => {
  const document = await read([LINES, 'broken'])
  const [, broken] = await listPages(document)

  const mended = await owner.pages.update(document.id, broken!.id, { text: 'As it stands on paper.' })
  const whole = await owner.documents.get(document.id)

  assert.deepEqual([mended.status, mended.error, mended.text_source], ['succeeded', null, 'corrected'])
  assert.deepEqual([whole.status, whole.error, whole.pages_ready, whole.pages_failed], ['ready', null, 2, 0])
})

test('deleting its failed page makes a document ready', async () => {
  const document = await read([LINES, 'broken'])
  const [, broken] = await listPages(document)

  await owner.pages.remove(document.id, broken!.id)

  const { status, page_count, pages_failed } = await owner.documents.get(document.id)
  assert.deepEqual([status, page_count, pages_failed], ['ready', 1, 0])
})

test('rereading a page from the file replaces its correction and leaves other pages unchanged', async () => {
  const document = await read([LINES, ['Another page.'], 'broken'])
  const [first, second, third] = await listPages(document)
  await owner.pages.update(document.id, first!.id, { text: 'Nonsense.', metadata: { checked: 'no' } })

  const queued = await owner.pages.update(document.id, first!.id, { status: 'queued' })
  const after = await settled(document.id)
  const again = await owner.pages.update(document.id, third!.id, { status: 'queued' }).then(() => settled(document.id))
  const pages = await listPages(document)

  assert.deepEqual([queued.status, queued.text], ['queued', 'Nonsense.'])
  assert.notEqual(after.latest_job_id, document.latest_job_id)
  for (const { status, pages_ready, pages_failed, page_count } of [after, again])
    assert.deepEqual([status, pages_ready, pages_failed, page_count], ['partially_ready', 2, 1, 3])
  assert.deepEqual(
    pages.map(({ id, status }) => [id, status]),
    [
      [first!.id, 'succeeded'],
      [second!.id, 'succeeded'],
      [third!.id, 'failed'],
    ],
  )
  assert.deepEqual(
    [pages[0]!.text, pages[0]!.text_source, pages[0]!.metadata],
    [first!.text, 'embedded', { checked: 'no' }],
  )
  assert.deepEqual(pages[1], second)
})

test('refuses to reread a page without a file, and a status together with other fields', async () => {
  const text = await owner.documents.create({ title: 'Text', source: { type: 'text', text: 'x' } })
  const [page] = await listPages(text)

  const error = await failed(owner.pages.update(text.id, page!.id, { status: 'queued' }))
  const both = await failed(owner.pages.update(text.id, page!.id, { status: 'queued', text: 'y' }))

  assert.deepEqual([error.status, error.code], [409, 'invalid_state'])
  assert.deepEqual(summaryOf(both), [422, 'status inconsistent'])
  assert.equal((await listPages(text))[0]?.status, 'succeeded')
})

test("a correction clears the reader's data about the old text", async () => {
  const document = await read([await scanOf(...LINES)], { processing: { languages: ['en'] } })
  const [page] = await listPages(document)

  const corrected = await owner.pages.update(document.id, page!.id, {
    text: 'Der Mieter zahlt die Miete am ersten Tag des Monats.',
  })
  const added = await owner.pages.create(document.id, {
    text: 'Le locataire paie le loyer le premier jour de chaque mois.',
  })

  assert.deepEqual([corrected.text_source, corrected.confidence, corrected.language], ['corrected', null, 'de'])
  assert.deepEqual(
    corrected.blocks.map(({ type }) => type),
    ['paragraph'],
  )
  assert.deepEqual(
    [added.language, added.markdown],
    ['fr', 'Le locataire paie le loyer le premier jour de chaque mois.'],
  )
})

test('deleting a document removes all its bytes, including page images', async () => {
  const { client } = await newTenant()
  const before = (await listAll(app.files, '')).length
  const document = await client.documents.createAndWait(pdfBlob(await scanOf(...LINES)), {
    document: { processing: { languages: ['en'] } },
  })
  const stored = (await listAll(app.files, '')).length

  await client.documents.remove(document.id)

  assert.equal(stored, before + 2)
  await until(async () => (await listAll(app.files, '')).length === before)
})
