// The contract that every reader fulfills, then tests of each reader.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { textFromBlocks } from '@octavo/base/blocks.ts'
import { Block, Model, type OcrMode } from '@octavo/contract'
import { openExtract } from '@octavo/extract/extract.ts'
import { type PageImage, type ParsedPage, Unreadable } from '@octavo/extract/types.ts'
import { decode } from 'fast-png'
import { Check } from 'typebox/value'
import type { Provider, RemoteModel } from '../ai/catalogue.ts'
import { openCompatible } from '../ai/compatible/compatible.ts'
import type { Generator } from '../ai/model.ts'
import { startProvider, type TestProvider } from '../testing/provider.ts'
import type { Behaviour, ProviderRequest } from '../testing/provider-answers.ts'
import { BuiltInReader } from './built-in.ts'
import { DoclingReader } from './docling.ts'
import { openPageOcr, type PageOcr } from './page-ocr.ts'
import { type PageReader, type PageToRead, ReaderAnswerInvalid, ReaderUnavailable } from './reader.ts'
import { openReaders } from './readers.ts'
import { listVision, VisionReader } from './vision.ts'

const recorded = (name: string): string => readFileSync(new URL(`./recorded/${name}.json`, import.meta.url), 'utf8')
const given = () => ({ languages: ['en'], signal: new AbortController().signal })

const WHITE: PageImage = {
  width: 40,
  height: 60,
  dpi: 200,
  pixels: new Uint8Array(2_400).fill(255),
  tilt: 0,
  rules: [],
}

function pageOf(parsed: Partial<ParsedPage> = {}, image: () => Promise<PageImage> = async () => WHITE): PageToRead {
  const empty = { width: 595, height: 842, blocks: [], has_image: true, needs_ocr: true, warnings: [] }
  return { number: 1, parsed: { ...empty, ...parsed }, image }
}

/** A server that answers as docling-serve does. */
async function startDocling(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
) {
  const server = createServer((request, response) => {
    if (request.url === '/version') response.end(JSON.stringify({ 'docling-serve': '1.38.2' }))
    else void answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const replay = (t: TestContext, name: string): Promise<string> =>
  startDocling(t, (_request, response) => void response.end(recorded(name)))
const doclingAt = (url: string, more: { total_ms?: number } = {}): DoclingReader =>
  new DoclingReader({ url, api_key: 'secret', ...more })

interface ReaderScene {
  reader: PageReader
  page: PageToRead
}

interface ReaderSubject {
  name: string
  /** A reader, and a page on which it finds the words of a lease. */
  open: (t: TestContext) => Promise<ReaderScene>
  openBlank: (t: TestContext) => Promise<ReaderScene>
  /** One that takes its time. */
  openSlow: (t: TestContext) => Promise<ReaderScene>
}

const docling: ReaderSubject = {
  name: 'docling',
  open: async (t) => ({ reader: doclingAt(await replay(t, 'lease')), page: pageOf() }),
  openBlank: async (t) => ({ reader: doclingAt(await replay(t, 'empty')), page: pageOf() }),
  openSlow: async (t) => ({ reader: doclingAt(await startDocling(t, () => {})), page: pageOf() }),
}

const LIMITS = {
  max_read_bytes: 1e6,
  max_pages: 10,
  max_inflated_bytes: 1e7,
  max_pixels: 1e8,
  parser_heap_mb: 384,
  parser_resident_mb: 700,
  parser_open_seconds: 30,
  parser_page_seconds: 30,
}

/** A page of a PDF with these lines of text, opened by a real child. */
async function openPdfPage(t: TestContext, lines: readonly string[]): Promise<PageToRead> {
  const bytes = pdfOf(lines)
  const extract = openExtract(LIMITS)
  t.after(() => extract.close())
  const claims = { media_type: 'application/pdf', file_name: 'lease.pdf' }
  const given = { ...claims, size_bytes: bytes.length, signal: new AbortController().signal }
  const file = await extract.open(async () => Readable.from([bytes]), given)
  t.after(() => file.close())
  return { number: 1, parsed: await file.page(1), image: (dpi) => file.image(1, dpi) }
}

function pdfOf(lines: readonly string[]): Buffer {
  const text = `BT /F1 14 Tf 72 770 Td 24 TL ${lines.map((line) => `(${line}) '`).join(' ')} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.4\n${body}trailer << /Root 1 0 R /Size 6 >>\n%%EOF\n`)
}

function openBuiltIn(t: TestContext): PageReader {
  const engine = openPageOcr({ engine: 'auto', models_dir: null, env: process.env })
  t.after(() => engine.close())
  return new BuiltInReader({ version: '1.0.0', ocr: 'always', engine })
}

const LINES = [
  'Lease of a workshop',
  'The landlord lets the workshop at 4 Quay Street',
  'to the tenant for three years from today.',
]

const built_in: ReaderSubject = {
  name: 'built_in',
  open: async (t) => ({ reader: openBuiltIn(t), page: await openPdfPage(t, LINES) }),
  openBlank: async (t) => ({ reader: openBuiltIn(t), page: await openPdfPage(t, []) }),
  openSlow: async (t) => ({ reader: openBuiltIn(t), page: pageOf({}, () => sleep(300, WHITE)) }),
}

const EYES: RemoteModel = {
  id: 'stub/eyes',
  provider: 'stub',
  model: 'eyes',
  kind: 'generator',
  capabilities: ['generate', 'vision'],
  context_tokens: 8_192,
  dimensions: null,
  max_batch: 4,
  price: { input: 0, output: 0 },
  licence: null,
  languages: [],
  version: '1.0',
  supports_schema: true,
  timeout_seconds: 1,
  max_concurrency: null,
}

/** A model that looks at pictures, of a server that answers as chat servers do; `says` is what it sees on every page. */
async function startVision(
  t: TestContext,
  says: string,
  behaviour: Behaviour = 'well',
): Promise<{ model: Generator; stub: TestProvider }> {
  const stub = await startProvider()
  t.after(() => stub.close())
  stub.say('eyes', () => says)
  stub.behave('eyes', behaviour)
  const provider: Provider = { id: 'stub', base_url: stub.url, api_key: null, locality: 'remote', headers: {} }
  // Only a server that stays silent is waited for until the end; a busy machine may answer late.
  const timeout_seconds = behaviour === 'well' ? 30 : EYES.timeout_seconds
  return { model: openCompatible({ ...EYES, timeout_seconds }, provider) as Generator, stub }
}

const readVision = async (t: TestContext, says: string, behaviour?: Behaviour): Promise<PageReader> =>
  new VisionReader((await startVision(t, says, behaviour)).model)

const seen = (more: object) => ({ type: 'paragraph', text: 'A', level: null, bbox: null, table: null, ...more })
const cell = (row: number, column: number, text: string, more = {}) => ({
  row,
  column,
  row_span: 1,
  column_span: 1,
  text,
  ...more,
})

const LEASE = {
  blocks: [
    seen({ type: 'title', text: 'Lease of a workshop', bbox: [0.12, 0.07, 0.45, 0.1] }),
    seen({ text: 'The landlord lets the workshop at 4 Quay Street to the tenant for three years from today.' }),
    seen({ type: 'list_item', text: 'The rent is due on the first day of each month.', level: 1 }),
    seen({
      type: 'table',
      text: '',
      table: { cells: [cell(1, 1, 'Year'), cell(1, 2, 'Rent'), cell(2, 1, '1'), cell(2, 2, '900')] },
    }),
  ],
}

const vision: ReaderSubject = {
  name: 'vision',
  open: async (t) => ({ reader: await readVision(t, JSON.stringify(LEASE)), page: pageOf() }),
  openBlank: async (t) => ({ reader: await readVision(t, '{"blocks":[]}'), page: pageOf() }),
  openSlow: async (t) => ({ reader: await readVision(t, '', 'hangs'), page: pageOf() }),
}

for (const { name, open, openBlank, openSlow } of [built_in, docling, vision]) {
  test(`${name}: a page becomes valid blocks and keeps the image that was read`, async (t) => {
    const { reader, page } = await open(t)

    const read = await reader.read(page, given())

    assert.match(textFromBlocks(read.blocks).text, /Lease of a workshop[^]*4 Quay Street/)
    for (const block of read.blocks) assert.ok(Check(Block, block), JSON.stringify(block))
    assert.equal(read.text_source, 'ocr')
    assert.ok(read.confidence === null || (read.confidence > 0 && read.confidence <= 1))
    assert.ok(read.image && read.image.pixels.length === read.image.width * read.image.height)
    assert.match(reader.id, /^[a-z0-9][a-z0-9._:/-]*$/)
    assert.match(reader.version, /^\d+\.\d+/)
  })

  test(`${name}: an empty page has no blocks and no error`, async (t) => {
    const { reader, page } = await openBlank(t)

    const { blocks, confidence } = await reader.read(page, given())

    assert.deepEqual([blocks, confidence], [[], null])
  })

  test(`${name}: a page without an image uses its embedded text`, async (t) => {
    const { reader } = await open(t)
    const blocks: Block[] = [{ type: 'paragraph', text: 'A mail.' }]
    const page = pageOf({ blocks, has_image: false, needs_ocr: false }, () => assert.fail('drawn'))

    assert.deepEqual(await reader.read(page, given()), { blocks, text_source: 'embedded', confidence: null })
  })

  test(`${name}: a signal ends the call with its reason`, async (t) => {
    const { reader, page } = await openSlow(t)
    const controller = new AbortController()
    const reason = new Error('cancelled')
    setTimeout(() => controller.abort(reason), 100)

    await assert.rejects(reader.read(page, { languages: [], signal: controller.signal }), reason)
  })

  test(`${name}: a page that cannot be rendered is unreadable`, async (t) => {
    const { reader } = await open(t)
    const broken = new Unreadable('document_unreadable', 'Broken.', 1)

    await assert.rejects(
      reader.read(
        pageOf({}, () => Promise.reject(broken)),
        given(),
      ),
      broken,
    )
  })
}

const OWN: Block[] = [{ type: 'paragraph', text: 'Of the file.' }]
const SEEN: Block[] = [{ type: 'paragraph', text: 'Of the image.' }]
const engineOf = (blocks: Block[], asked: unknown[] = []): PageOcr => ({
  languages: async () => ['de', 'en'],
  async read(_image, { likely }) {
    asked.push(likely)
    return { blocks, confidence: 0.9, languages: ['de'], warnings: [] }
  },
})
const builtIn = (ocr: OcrMode, engine = engineOf(SEEN)): BuiltInReader =>
  new BuiltInReader({ version: '1.0.0', ocr, engine })
const readText = async (reader: PageReader, parsed: Partial<ParsedPage>): Promise<string> => {
  const { blocks, text_source } = await reader.read(pageOf({ blocks: OWN, ...parsed }), given())
  return `${text_source}: ${textFromBlocks(blocks).text}`
}

test('built_in: OCR runs on pages that need it, on all, or on none', async () => {
  assert.equal(await readText(builtIn('auto'), { needs_ocr: true }), 'ocr: Of the image.')
  assert.equal(await readText(builtIn('auto'), { needs_ocr: false }), 'embedded: Of the file.')
  assert.equal(await readText(builtIn('always'), { needs_ocr: false }), 'ocr: Of the image.')
  assert.equal(await readText(builtIn('never'), { needs_ocr: true }), 'embedded: Of the file.')
})

test('built_in: warns if a page needs OCR and OCR is off', async () => {
  const { warnings } = await builtIn('never').read(pageOf({ needs_ocr: true }), given())
  const { warnings: none } = await builtIn('never').read(pageOf({ needs_ocr: false }), given())

  assert.match(warnings?.[0] ?? '', /no readable text.*`ocr` is `never`/)
  assert.equal(none, undefined)
})

test('built_in: keeps the embedded text if OCR finds nothing', async () => {
  assert.equal(await readText(builtIn('auto', engineOf([])), { needs_ocr: true }), 'embedded: Of the file.')
})

test('built_in: tries the language of the previous page first', async () => {
  const asked: unknown[] = []
  const reader = builtIn('auto', engineOf(SEEN, asked))

  await reader.read(pageOf(), given())
  await reader.read(pageOf(), given())

  assert.deepEqual(asked, [[], ['de']])
})

test('built_in: reports an unknown language as an error of this reader', async (t) => {
  await assert.rejects(
    openBuiltIn(t).read(pageOf(), { ...given(), languages: ['tlh'] }),
    (error) =>
      error instanceof ReaderAnswerInvalid && /'built_in' could not read this page: .*'tlh'.*\w\.$/.test(error.message),
  )
})

test('docling: sends the page as a PNG with the key and the languages', async (t) => {
  let sent = Buffer.alloc(0)
  const seen: Record<string, unknown> = {}
  const url = await startDocling(t, async (request, response) => {
    Object.assign(seen, { method: request.method, url: request.url, key: request.headers['x-api-key'] })
    sent = await buffer(request)
    response.end(recorded('lease'))
  })

  await doclingAt(`${url}/`).read(pageOf(), { languages: ['de', 'fr'], signal: new AbortController().signal })

  assert.deepEqual(seen, { method: 'POST', url: '/v1/convert/file', key: 'secret' })
  const fields = [...sent.toString('latin1').matchAll(/name="(\w+)"\r\n\r\n(\w+)\r\n/g)].map(
    ([, name, value]) => `${name}=${value}`,
  )
  assert.deepEqual(fields, [
    'from_formats=image',
    'to_formats=json',
    'image_export_mode=placeholder',
    'do_ocr=true',
    'ocr_lang=de',
    'ocr_lang=fr',
  ])
  assert.match(sent.toString('latin1'), /name="files"; filename="page.png"\r\nContent-Type: image\/png\r\n/)
  const { width, height, channels } = decode(sent.subarray(sent.indexOf('\x89PNG', 0, 'latin1')))
  assert.deepEqual([width, height, channels], [WHITE.width, WHITE.height, 1])
})

test('docling: server errors are retryable and do not reveal its address', async (t) => {
  const answers = (status: number, headers = {}) =>
    startDocling(t, (_request, response) => void response.writeHead(status, headers).end())
  const urls = [
    'http://127.0.0.1:1',
    'http://docling.invalid:5001',
    await startDocling(t, ({ socket }) => void socket.destroy()),
    ...(await Promise.all([500, 503, 504, 429, 401, 403, 404].map((status) => answers(status)))),
    await answers(302, { location: 'http://127.0.0.1/' }),
  ]

  for (const url of urls)
    await assert.rejects(
      doclingAt(url).read(pageOf(), given()),
      (error) =>
        error instanceof ReaderUnavailable && error.message === "The reader 'docling' is currently not available.",
      url,
    )
})

test('docling: gives up on a server that does not respond', async (t) => {
  const reader = doclingAt(await startDocling(t, () => {}), { total_ms: 100 })

  await assert.rejects(reader.read(pageOf(), given()), ReaderUnavailable)
})

test('docling: distinguishes an invalid response from a server error', async (t) => {
  const document = { json_content: { schema_name: 'DoclingDocument', body: { children: [{ $ref: '#/texts/9' }] } } }
  const bodies = [
    '',
    'null',
    '[]',
    '<html>',
    '{}',
    '{"status":"success"}',
    JSON.stringify({ status: 'success', document }),
    recorded('failure'),
  ]
  const urls = await Promise.all(bodies.map((body) => startDocling(t, (_request, response) => void response.end(body))))
  const refusing = await startDocling(t, (_request, response) => void response.writeHead(422).end('{"detail":[]}'))
  const endless = await startDocling(
    t,
    (_request, response) => void response.writeHead(200, { 'content-length': '40000000' }).write('{'),
  )

  for (const [i, url] of [...urls, refusing, endless].entries())
    await assert.rejects(doclingAt(url).read(pageOf(), given()), ReaderAnswerInvalid, bodies[i] ?? String(i))
})

test('docling: accepts a server that does not report its version', async (t) => {
  const server = createServer((request, response) => {
    if (request.url === '/version') response.writeHead(403).end()
    else response.end(recorded('lease'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const reader = doclingAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)

  assert.ok((await reader.read(pageOf(), given())).blocks.length > 0)
  assert.equal(reader.version, 'unknown')
})

test('vision: sends the page as a 150 dpi PNG with the languages', async (t) => {
  const { model, stub } = await startVision(t, '{"blocks":[]}')
  const dpis: number[] = []
  const page = { ...pageOf(), image: async (dpi: number) => (dpis.push(dpi), WHITE) }

  const { spent } = await new VisionReader(model).read(page, { ...given(), languages: ['de', 'fr'] })

  const [{ body }] = stub.asked as [ProviderRequest]
  const content = body.messages?.[1]?.content as { type: string; text?: string; image_url?: { url: string } }[]
  assert.match(content[0]?.text ?? '', /de, fr/)
  const [, bytes = ''] = content[1]?.image_url?.url.split('data:image/png;base64,') ?? []
  const { width, height, channels } = decode(Buffer.from(bytes, 'base64'))
  assert.deepEqual([width, height, channels, dpis], [WHITE.width, WHITE.height, 1, [150]])
  assert.equal(body.response_format?.json_schema?.strict, true)
  assert.ok(spent && spent.input_tokens > 0)
})

test('vision: drops invalid blocks and keeps the rest', async (t) => {
  const blocks = [
    seen({ bbox: [120, 40, 400, 80], level: 3 }),
    seen({ text: ' \n' }),
    seen({ type: 'figure', text: '' }),
    seen({ type: 'table', text: 'No cells' }),
    seen({
      type: 'table',
      text: 'ignored',
      table: {
        cells: [
          cell(2, 1, 'c'),
          cell(1, 1, 'a', { column_span: 2 }),
          cell(1, 2, 'twice'),
          cell(2, 2, 'd', { row_span: 1_000, column_span: 1_000 }),
        ],
      },
    }),
    seen({ type: 'heading', text: 'B', level: 2, bbox: [0.1, 0.2, 0.5, 0.3] }),
  ]

  const { blocks: read } = await (await readVision(t, JSON.stringify({ blocks }))).read(pageOf(), given())

  assert.deepEqual(read, [
    { type: 'paragraph', text: 'A' },
    { type: 'figure', text: '' },
    { type: 'paragraph', text: 'No cells' },
    {
      type: 'table',
      text: 'a\nc',
      table: { rows: 2, columns: 2, cells: [cell(1, 1, 'a', { column_span: 2 }), cell(2, 1, 'c')] },
    },
    { type: 'heading', text: 'B', level: 2, bbox: [0.1, 0.2, 0.5, 0.3] },
  ])
})

test('vision: distinguishes a server error from an invalid answer', async (t) => {
  for (const behaviour of ['throttles_until', 'fails', 'hangs', 'is_locked'] as const)
    await assert.rejects(
      (await readVision(t, '{"blocks":[]}', behaviour)).read(pageOf(), given()),
      ReaderUnavailable,
      behaviour,
    )
  for (const behaviour of ['refuses', 'breaks_json', 'ignores_schema', 'is_garbled', 'rejects'] as const)
    await assert.rejects(
      (await readVision(t, '{"blocks":[]}', behaviour)).read(pageOf(), given()),
      ReaderAnswerInvalid,
      behaviour,
    )
})

test('vision: every model with vision is a reader under its own id', async (t) => {
  const { model } = await startVision(t, JSON.stringify(LEASE))
  const blind = { ...model, card: { ...model.card, id: 'blind', capabilities: ['generate'] as const } }
  const models = [model, blind]
  const looking = listVision({
    list: () => models.map(({ card }) => card),
    generator: (id) => models.find(({ card }) => card.id === id) ?? null,
  })

  const readers = openReaders({ version: '1.0.0', docling: null, tika: null }, engineOf(SEEN), looking)

  assert.deepEqual([readers.has('stub/eyes'), readers.has('blind')], [true, false])
  assert.equal(readers.find('stub/eyes', { ocr: 'auto' })?.locality, 'remote')
})

test('lists and finds exactly the configured readers', async (t) => {
  const engine = engineOf(SEEN)
  const alone = openReaders({ version: '1.0.0', docling: null, tika: null }, engine)
  const both = openReaders(
    { version: '1.0.0', docling: { url: await replay(t, 'lease'), api_key: null }, tika: null },
    engine,
  )

  const listed = await both.list()

  assert.deepEqual(
    (await alone.list()).map(({ id, is_default, languages }) => [id, is_default, languages]),
    [['built_in', true, ['de', 'en']]],
  )
  assert.deepEqual(
    listed.map(({ id, is_default, locality }) => [id, is_default, locality]),
    [
      ['built_in', true, 'local'],
      ['docling', false, 'remote'],
    ],
  )
  for (const model of listed) assert.ok(Check(Model, model), JSON.stringify(model))
  assert.deepEqual([alone.has('docling'), both.has('docling'), both.has('toString')], [false, true, false])
  assert.equal(alone.find('docling', { ocr: 'auto' }), null)
  assert.equal(await readText(both.find('built_in', { ocr: 'never' })!, { needs_ocr: true }), 'embedded: Of the file.')
  assert.equal(await readText(both.find('built_in', { ocr: 'always' })!, {}), 'ocr: Of the image.')
})
