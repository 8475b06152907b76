// Documents of every origin, with a word in them that nothing else contains.

import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Document, Octavo } from '@octavo/sdk'
import { encodePng } from '../../extract/src/raster.ts'
import { onePage, pdf, show, stream } from '../hostile/pdf.ts'
import { owned } from '../lib/scope.ts'
import type { World } from '../lib/world.ts'
import { type MadeOutcome, makeOutcomes, WORD } from './outcomes.ts'

const TEXT = `The ${WORD} lease begins on the first of May.`
const MIB = 1024 * 1024
/** Above what goes in one PUT. */
const LARGE_BYTES = 65 * MIB

const pageOf = (text: string, padding?: Buffer): Buffer =>
  pdf(onePage({ content: stream(show(text)), ...(padding ? { more: [stream(padding)] } : {}) }))

/** A page that only OCR can read. */
export async function scanOf(world: World, text: string): Promise<Blob> {
  const bytes = pageOf(text)
  const claims = {
    media_type: 'application/pdf',
    file_name: 'page.pdf',
    size_bytes: bytes.length,
    signal: AbortSignal.timeout(120_000),
  }
  await using reading = owned(await world.app.extract.open(async () => Readable.from([bytes]), claims))
  const image = await reading.image(1, 150)
  return new Blob([Buffer.from(encodePng({ ...image, dpi: 150 }))], { type: 'image/png' })
}

export interface DeletionOutput {
  origin: string
  document: Document
  upload_id: string | null
  outcomes: MadeOutcome[]
}

/** All of them are read before this is over. */
export async function makeDocuments(world: World, client: Octavo): Promise<DeletionOutput[]> {
  const scan = await scanOf(world, TEXT)
  const large = new Blob([Buffer.from(pageOf(TEXT, randomBytes(LARGE_BYTES)))], { type: 'application/pdf' })
  const made: DeletionOutput[] = []
  const add = async (
    origin: string,
    create: () => Promise<Document>,
    upload_id: string | null = null,
  ): Promise<void> => {
    made.push({ origin, document: await create(), upload_id, outcomes: [] })
  }
  await add('form', () => client.documents.createFromFile(scan, { title: 'By form' }))
  await add('base64', async () => {
    const data = Buffer.from(pageOf(TEXT)).toString('base64')
    return client.documents.create({
      title: 'By base64',
      source: { type: 'base64', media_type: 'application/pdf', data },
    })
  })
  for (const [origin, file] of [
    ['upload', scan],
    ['upload in parts', large],
  ] as const) {
    const upload = await client.uploads.createFromFile(file, { file_name: 'lease' })
    await add(
      origin,
      () =>
        client.documents.create(
          { title: `By ${origin}`, source: { type: 'upload', upload_id: upload.id } },
          { timeout_ms: 120_000 },
        ),
      upload.id,
    )
  }
  await add('text', () => client.documents.create({ title: 'By text', source: { type: 'text', text: TEXT } }))
  const read: DeletionOutput[] = []
  for (const one of made) {
    const document = await waitForReady(client, one.document.id)
    read.push({ ...one, document, outcomes: await makeOutcomes(client, document.id) })
  }
  return read
}

export async function waitForReady(client: Octavo, id: string): Promise<Document> {
  for (const deadline = Date.now() + 300_000; Date.now() < deadline; ) {
    const document = await client.documents.get(id, {}, { wait_seconds: 10 })
    if (document.status !== 'processing') return document
  }
  throw new Error(`document ${id} was not read in time`)
}
