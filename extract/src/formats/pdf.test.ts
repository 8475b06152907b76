import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textFromBlocks } from '@octavo/base/blocks.ts'
import { loadPdfium } from '../pdf/module.ts'
import type { Bounds, ParsedPage } from '../types.ts'
import { pdf } from './pdf.ts'

const bounds: Bounds = { max_bytes: 1e8, max_pages: 100, max_inflated_bytes: 1e8, max_pixels: 4e6 }

interface SamplePage {
  /** Operators of its content stream. */
  draws: string
  /** More of its dictionary. */
  more?: string
}

/** Objects from number 1; the first is the catalogue. */
function fileOf(objects: readonly string[], trailer = ''): Buffer {
  let body = '%PDF-1.7\n'
  const places: number[] = []
  for (const [index, object] of objects.entries()) {
    places.push(body.length)
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
  }
  const start = body.length
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  for (const place of places) body += `${String(place).padStart(10, '0')} 00000 n \n`
  return Buffer.from(
    `${body}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF`,
    'latin1',
  )
}

/** Each letter is replaced by the one before it. */
const moved = (text: string): string =>
  text.replace(/[b-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) - 1))

const streamOf = (data: string, more = '') => `<< /Length ${data.length} ${more} >>\nstream\n${data}\nendstream`
const PICTURE = streamOf(
  '\x00\x80\xff\x40',
  '/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8',
)

/** Fonts F1 and F2 (bold), a picture Im1, pages of 600 × 800 points. */
function sample(pages: readonly SamplePage[], info = ''): Buffer {
  const kids = pages.map((_, index) => `${7 + index * 2} 0 R`).join(' ')
  const resources = '/Resources << /Font << /F1 3 0 R /F2 4 0 R >> /XObject << /Im1 5 0 R >> >>'
  return fileOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} ${resources} /MediaBox [0 0 600 800] >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>',
      PICTURE,
      `<< ${info} >>`,
      ...pages.flatMap(({ draws, more = '' }, index) => [
        `<< /Type /Page /Parent 2 0 R /Contents ${8 + index * 2} 0 R ${more} >>`,
        streamOf(draws),
      ]),
    ],
    '/Info 6 0 R',
  )
}

const at = (x: number, y: number, text: string, font = '/F1 12') =>
  `BT ${font} Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET\n`
const openPdf = (bytes: Uint8Array, own: Partial<Bounds> = {}) =>
  pdf.open(bytes, {
    claims: { media_type: null, file_name: null },
    media_type: 'application/pdf',
    bounds: { ...bounds, ...own },
  })
async function pagesOf(bytes: Uint8Array): Promise<ParsedPage[]> {
  const file = await openPdf(bytes)
  const pages: ParsedPage[] = []
  for (let number = 1; number <= file.page_count; number++) pages.push(await file.page(number))
  file.close?.()
  return pages
}
const textIn = (page: ParsedPage | undefined) => textFromBlocks(page?.blocks ?? []).text

test('reads the text despite bytes before the header', async () => {
  const bytes = sample([{ draws: at(50, 740, 'Annual report') }])
  const junk = Buffer.from('\x1b%-12345X@PJL ENTER LANGUAGE=PDF\r\n'.padEnd(1000, '\n'), 'latin1')

  const [page] = await pagesOf(Buffer.concat([junk, bytes]))

  assert.equal(textIn(page), 'Annual report')
})

test('reads the size, text and headings of a page', async () => {
  const draws = `${at(50, 740, 'Annual report', '/F2 24')}${at(50, 700, 'The first line of a paragraph goes')}${at(50, 685, 'on in the second one.')}`
  const file = await openPdf(sample([{ draws }], '/Title (Annual report 2024)'))
  const page = await file.page(1)

  assert.equal(file.title, 'Annual report 2024')
  assert.deepEqual([page.width, page.height, page.needs_ocr, page.has_image], [600, 800, false, true])
  assert.deepEqual(
    page.blocks.map(({ type, text }) => [type, text]),
    [
      ['title', 'Annual report'],
      ['paragraph', 'The first line of a paragraph goes on in the second one.'],
    ],
  )
  const [left = 0, top = 0, right = 0, bottom = 0] = page.blocks[0]?.bbox ?? []
  assert.ok(
    Math.abs(left - 50 / 600) < 0.01 && top > 0.04 && bottom < 0.09 && right < 0.4,
    [left, top, right, bottom].join(' '),
  )
})

test('does not use a file name as the title', async () => {
  const file = await openPdf(sample([{ draws: at(50, 700, 'Hello') }], '/Title (Microsoft Word - draft3.docx)'))

  assert.equal(file.title, null)
})

test('reads the cells of a ruled table', async () => {
  const lines =
    [50, 150, 250].map((x) => `${x} 600 m ${x} 660 l S\n`).join('') +
    [600, 630, 660].map((y) => `50 ${y} m 250 ${y} l S\n`).join('')
  const words = at(60, 640, 'Name') + at(160, 640, 'Amount') + at(60, 610, 'Apples') + at(160, 610, '12')
  const [page] = await pagesOf(sample([{ draws: lines + words }]))

  const [block] = page?.blocks ?? []
  assert.equal(block?.type, 'table')
  assert.equal(block?.text, 'Name\tAmount\nApples\t12')
  assert.deepEqual([block?.table?.rows, block?.table?.columns], [2, 2])
})

test('reads a rotated page as displayed', async () => {
  // Drawn so that the text is upright once the viewer has rotated the page clockwise.
  const draws =
    'BT /F1 12 Tf 0 1 -1 0 100 50 Tm (First line of it) Tj ET BT /F1 12 Tf 0 1 -1 0 115 50 Tm (and the second) Tj ET'
  const [page] = await pagesOf(sample([{ draws, more: '/Rotate 90' }]))

  assert.deepEqual([page?.width, page?.height], [800, 600])
  assert.equal(textIn(page), 'First line of it and the second')
  const [left = 1, top = 1] = page?.blocks[0]?.bbox ?? []
  assert.ok(left < 0.1 && top < 0.2, `${left} ${top}`)
})

test('a page has the size of its crop box', async () => {
  const [page] = await pagesOf(sample([{ draws: at(120, 560, 'Inside'), more: '/CropBox [100 500 400 600]' }]))

  assert.deepEqual([page?.width, page?.height], [300, 100])
  const [left = 0, top = 0] = page?.blocks[0]?.bbox ?? []
  assert.ok(Math.abs(left - 20 / 300) < 0.02 && top > 0.2 && top < 0.4, `${left} ${top}`)
})

test('places vertical text after upright text', async () => {
  const draws = `BT /F1 10 Tf 0 1 -1 0 30 300 Tm (Copy of the archive) Tj ET ${at(100, 700, 'A letter to the owner of the house')}`
  const [page] = await pagesOf(sample([{ draws }]))

  assert.equal(textIn(page), 'A letter to the owner of the house\n\nCopy of the archive')
  const [left = 0, top = 0, right = 0, bottom = 0] = page?.blocks[1]?.bbox ?? []
  assert.ok(right - left < 0.05 && bottom - top > 0.08, 'its box is higher than wide')
})

test('requests OCR only for pages that cannot be read as text', async () => {
  const picture = 'q 600 0 0 800 0 0 cm /Im1 Do Q\n'
  const prose = Array.from({ length: 30 }, (_, row) =>
    at(50, 740 - row * 20, `Line ${row} of a page that has text enough`),
  ).join('')
  const pages = await pagesOf(
    sample([
      { draws: picture },
      { draws: picture + at(290, 20, '7') },
      { draws: picture + prose },
      { draws: prose },
      { draws: '' },
    ]),
  )

  assert.deepEqual(
    pages.map(({ needs_ocr }) => needs_ocr),
    [true, true, false, false, false],
  )
})

test('a page whose fonts show other letters than the file has needs OCR', async () => {
  const text = 'All human beings are born free and equal in dignity and rights.'
  const shown = (own: string) => Array.from({ length: 5 }, (_, row) => at(50, 700 - row * 20, own)).join('')
  const pages = await pagesOf(sample([{ draws: shown(moved(text)) }, { draws: shown(text) }]))

  assert.deepEqual(
    pages.map(({ needs_ocr }) => needs_ocr),
    [true, false],
  )
})

test('letters of a Type 3 font are as large as they are drawn', async () => {
  const draws = 'BT /F3 0.24 Tf 50 700 Td (AABA ABBA) Tj ET'
  const glyph = streamOf('30 0 0 0 25 36 d1 0 0 25 36 re f')
  const file = fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 600 800] >>',
    '<< /Type /Page /Parent 2 0 R /Resources << /Font << /F3 5 0 R >> >> /Contents 4 0 R >>',
    streamOf(draws),
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 30 36] /FontMatrix [1 0 0 1 0 0] /FirstChar 32 /LastChar 66
        /Widths [30 ${'0 '.repeat(32)}30 30] /CharProcs << /A 6 0 R /B 6 0 R >>
        /Encoding << /Type /Encoding /Differences [32 /space 65 /A /B] >> >>`,
    glyph,
  ])

  const [page] = await pagesOf(file)

  assert.equal(textFromBlocks(page?.blocks ?? []).text, 'AABA ABBA')
})

test('renders a page within the pixel limit', async () => {
  const file = await openPdf(sample([{ draws: '0 0 300 800 re f' }]), { max_pixels: 60_000 })
  const image = await file.image?.(1, 300)

  assert.ok(image && image.width * image.height <= 60_000 && image.width > 180, `${image?.width} × ${image?.height}`)
  assert.ok(image.dpi < 30 && image.dpi > 20, `${image.dpi}`)
  const middle = Math.floor(image.height / 2) * image.width
  assert.ok((image.pixels[middle + 10] ?? 255) < 50, 'the left half is black')
  assert.ok((image.pixels[middle + image.width - 10] ?? 0) > 200, 'the right half is white')
})

test('refuses a PDF that cannot be opened, with a reason', async () => {
  const encrypted = fileOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [] /Count 0 >>',
      `<< /Filter /Standard /V 1 /R 2 /P -44 /O <${'28'.repeat(32)}> /U <${'11'.repeat(32)}> >>`,
    ],
    '/Encrypt 3 0 R /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]',
  )
  const empty = fileOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'])

  await assert.rejects(async () => openPdf(encrypted), {
    code: 'document_unreadable',
    message: /protected by a password/,
  })
  await assert.rejects(async () => openPdf(Buffer.from('%PDF-1.7 and nothing else')), {
    code: 'document_unreadable',
    page: null,
  })
  await assert.rejects(async () => openPdf(empty), { code: 'document_empty' })
})

test('a missing page leaves the others readable', async () => {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R 99 0 R 4 0 R] /Count 3 /MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>',
    streamOf(at(50, 700, 'Still here')),
  ]
  const file = await openPdf(fileOf(objects))

  await assert.rejects(async () => file.page(2), { code: 'document_unreadable', page: 2 })
  assert.equal(textIn(await file.page(3)), 'Still here')
})

test('stops at a page tree that contains itself', async () => {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 4 >>']

  const outcome = await (async () => (await openPdf(fileOf(objects))).page(1))().catch((reason: unknown) => reason)
  assert.match(`${(outcome as { code?: string }).code}`, /^document_(unreadable|empty)$/)
})

test('limits the readable pages and counts them all', async () => {
  const file = await openPdf(
    sample(Array.from({ length: 5 }, (_, index) => ({ draws: at(50, 700, `Page ${index}`) }))),
    { max_pages: 3 },
  )

  assert.equal(file.page_count, 5)
  assert.equal(textIn(await file.page(3)), 'Page 2')
  await assert.rejects(async () => file.page(4), { code: 'document_unreadable', page: 4 })
})

test('reading pages does not leak memory', async () => {
  const words = Array.from({ length: 40 }, (_, row) =>
    at(50, 780 - row * 18, 'Some words of a line that is long'),
  ).join('')
  const draws = words + '1 1 m 9 9 l S\n'.repeat(300)
  const file = await openPdf(sample(Array.from({ length: 200 }, () => ({ draws }))), { max_pages: 200 })
  const readTo = async (from: number, to: number) => {
    for (let number = from; number <= to; number++) await file.page(number)
    return (await loadPdfium()).bytes(0, 0).buffer.byteLength
  }
  const before = await readTo(1, 50)
  const after = await readTo(51, 200)

  assert.ok(after - before < 4e6, `${before} → ${after}`)
})

test('reads form fields with their values and labels', async () => {
  const widget = (rect: string, more: string) =>
    `<< /Type /Annot /Subtype /Widget /Rect [${rect}] /P 3 0 R /F 4 ${more} >>`
  const draws =
    'BT /F1 10 Tf 50 700 Td (Full name:) Tj ET BT /F1 10 Tf 50 670 Td (City:) Tj ET BT /F1 10 Tf 130 640 Td (I agree) Tj ET'
  const file = fileOf([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R 7 0 R 8 0 R] >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R /Annots [6 0 R 7 0 R 8 0 R] /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    streamOf(draws),
    widget('120 696 300 712', '/FT /Tx /T (name) /V (Ada Lovelace)'),
    widget('120 666 300 682', '/FT /Tx /T (city)'),
    widget('110 638 122 650', '/FT /Btn /T (agree) /V /Yes /AS /Yes /AP << /N << /Yes 5 0 R /Off 5 0 R >> >>'),
  ])

  const [page] = await pagesOf(file)
  assert.deepEqual(
    page?.blocks.map(({ type, text }) => [type, text]),
    [['fields', 'Full name: Ada Lovelace\nCity\nI agree: checked']],
  )
  assert.deepEqual(page?.blocks[0]?.fields?.[0]?.value_bbox, [0.2, 0.11, 0.5, 0.13])
})
