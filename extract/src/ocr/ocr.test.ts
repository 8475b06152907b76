import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { pdf } from '../formats/pdf.ts'
import { png } from '../formats/png.ts'
import { toPageImage, turn } from '../raster.ts'
import type { PageImage } from '../types.ts'
import { blocksOf } from './blocks.ts'
import { type OcrConfig, type OcrEngine, UnsupportedLanguage, UnsupportedScript } from './ocr.ts'
import { openOcr } from './open.ts'
import { OcrNotInstalled } from './paddle.ts'

const LINES = [
  'The lease begins on 1 March 2027 and ends after five years.',
  'The tenant pays 1,250.00 euros on the first day of each month.',
  'Either side may end it with a notice of ninety days in writing.',
]
const bounds = { max_bytes: 1e8, max_pages: 10, max_inflated_bytes: 1e8, max_pixels: 4e7 }
const never = new AbortController().signal
const skip_native = (await openOcr({ engine: 'tesseract', models_dir: null })) ? false : 'tesseract is not installed'

/** Drawn with a font that every PDF may use without carrying it. */
function pdfOf(lines: readonly string[]): Uint8Array {
  const text = lines.map((line) => `(${line}) Tj T*`).join(' ')
  const stream = `BT /F 12 Tf 20 TL 60 700 Td ${text} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Uint8Array.from(Buffer.from(`%PDF-1.4\n${body}trailer << /Root 1 0 R /Size 6 >>\n%%EOF`, 'latin1'))
}

let image: PageImage
before(async () => {
  const opened = await pdf.open(pdfOf(LINES), {
    claims: { media_type: null, file_name: null },
    media_type: 'application/pdf',
    bounds,
  })
  image = (await opened.image?.(1, 150)) as PageImage
})

async function withEngine<T>(engine: OcrConfig['engine'], act: (engine: OcrEngine) => Promise<T>): Promise<T> {
  const opened = await openOcr({ engine, models_dir: null })
  assert.ok(opened)
  try {
    return await act(opened)
  } finally {
    await opened.close()
  }
}

for (const engine of ['tesseract', 'tesseract_js'] as const) {
  const skip = engine === 'tesseract' && skip_native

  test(`${engine} reads a rendered page word for word with the right positions`, { skip }, async () => {
    const page = await withEngine(engine, (opened) => opened.read(image, { languages: ['en'], signal: never }))

    assert.equal(page.words.map((word) => word.text).join(' '), LINES.join(' '))
    assert.ok(page.confidence > 0.85 && page.confidence <= 1)
    const [first] = page.words
    assert.ok(
      first && Math.abs(first.x0 - (60 / 72) * 150) < 4 && Math.abs(first.y1 - ((842 - 700) / 72) * 150) < 4,
      JSON.stringify(first),
    )
    assert.ok(Math.abs((first?.size ?? 0) - 25) < 5, `size ${first?.size}`)
  })

  test(`${engine} stops when aborted`, { skip }, async () => {
    await withEngine(engine, async (opened) => {
      const stop = new AbortController()
      const reading = opened.read(image, { languages: ['en'], signal: stop.signal })
      setTimeout(() => stop.abort(new Error('enough')), 30)

      await assert.rejects(reading, { message: 'enough' })
      const again = await opened.read(image, { languages: ['en'], signal: never })
      assert.equal(again.words[0]?.text, 'The')
    })
  })

  test(`${engine} lists its languages when asked for an unknown one`, { skip }, async () => {
    await withEngine(engine, async (opened) => {
      const languages = await opened.languages()

      assert.ok(languages.includes('en'))
      await assert.rejects(opened.read(image, { languages: ['tlh'], signal: never }), (error) => {
        return error instanceof UnsupportedLanguage && error.language === 'tlh' && error.available.includes('en')
      })
    })
  })
}

test('refuses a page in a script that no installed language covers', async () => {
  const bytes = readFileSync(new URL('recorded/georgian.png', import.meta.url))
  const given = { claims: { media_type: null, file_name: null }, media_type: 'image/png', bounds }
  const georgian = await (await png.open(bytes, given)).image?.(1, 150)
  assert.ok(georgian)

  await withEngine('tesseract_js', async (opened) => {
    await assert.rejects(opened.read(georgian, { languages: ['en'], signal: never }), UnsupportedScript)
  })
})

test('rotates an upside-down page even without orientation detection', async () => {
  const upset = { ...image, pixels: image.pixels.toReversed() }

  const page = await withEngine('tesseract_js', (opened) => opened.read(upset, { languages: ['en'], signal: never }))

  assert.equal(page.turned, 180)
  assert.equal(page.words.map((word) => word.text).join(' '), LINES.join(' '))
})

test('reads a skewed scan and keeps its blocks within the page', async () => {
  const askew = toPageImage(turn(image, -2.5), 150)

  const page = await withEngine('auto', (opened) => opened.read(askew, { languages: [], signal: never }))
  const { blocks, confidence } = blocksOf(page, askew)

  assert.ok(Math.abs(askew.tilt - 2.5) < 0.1)
  assert.equal(
    blocks
      .map((block) => block.text)
      .join(' ')
      .replace(/\s+/g, ' '),
    LINES.join(' '),
  )
  assert.ok(confidence > 0.8)
  for (const { bbox } of blocks) assert.ok(bbox?.every((value) => value >= 0 && value <= 1))
})

test('reads an upside-down page', { skip: skip_native }, async () => {
  const many = Array.from({ length: 8 }, () => LINES).flat()
  const opened = await pdf.open(pdfOf(many), {
    claims: { media_type: null, file_name: null },
    media_type: 'application/pdf',
    bounds,
  })
  const upright = (await opened.image?.(1, 150)) as PageImage
  const upset = { ...upright, pixels: upright.pixels.toReversed() }

  const page = await withEngine('tesseract', (engine) => engine.read(upset, { languages: [], signal: never }))

  assert.equal(page.turned, 180)
  assert.equal(
    page.words
      .slice(0, 12)
      .map((word) => word.text)
      .join(' '),
    LINES[0],
  )
  const first = blocksOf(page, upset).blocks[0]?.bbox?.[3] ?? 0
  assert.ok(first > 0.8, 'its first line is at the bottom of the page as it is stored')
})

test('an engine with missing packages says what to install', async () => {
  await assert.rejects(openOcr({ engine: 'pp_ocr', models_dir: null }), (error) => {
    return error instanceof OcrNotInstalled && /npm install|OCTAVO_MODELS_DIR/.test(error.message)
  })
})

test('finds no tesseract if it is not on the path', async () => {
  assert.equal(await openOcr({ engine: 'tesseract', models_dir: null, env: { PATH: '/nowhere' } }), null)
})
