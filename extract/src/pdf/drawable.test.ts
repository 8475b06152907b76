import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pdf } from '../formats/pdf.ts'

const bounds = { max_bytes: 1e8, max_pages: 10, max_inflated_bytes: 1e8, max_pixels: 1e6 }

/** One page that shows one image; pdfium finds the objects without a table. */
async function draw({ points = 600, side = 2 }): Promise<{ width: number }> {
  const image = `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /BitsPerComponent 8 /ColorSpace /DeviceGray`
  const form = '/Type /XObject /Subtype /Form /BBox [0 0 600 600] /Resources << /XObject << /I 5 0 R >> >>'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${points} ${points}] /Resources << /XObject << /F 6 0 R >> >> /Contents 4 0 R >>`,
    '<< /Length 5 >>\nstream\n/F Do\nendstream',
    `<< ${image} /Length 4 >>\nstream\nabcd\nendstream`,
    `<< ${form} /Length 26 >>\nstream\n600 0 0 600 0 0 cm /I Do  \nendstream`,
  ]
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
  const bytes = Buffer.from(`%PDF-1.7\n${body}trailer\n<< /Size 7 /Root 1 0 R >>\n%%EOF`)
  const file = await pdf.open(bytes, {
    claims: { media_type: null, file_name: null },
    media_type: 'application/pdf',
    bounds,
  })
  return file.image!(1, 36)
}

test('renders a page whose images have up to four times its pixel limit', async () => {
  assert.equal((await draw({ side: 2_000 })).width, 300)
  await assert.rejects(draw({ side: 2_001 }), { code: 'document_too_large', message: /limit of 4 million pixels/ })
  await assert.rejects(draw({ side: 2_000_000_000 }), { code: 'document_too_large' })
})

test('renders a page of 200 inches, but not a larger one', async () => {
  assert.equal((await draw({ points: 14_400 })).width, 1_000)
  await assert.rejects(draw({ points: 14_401 }), { code: 'document_too_large', message: /200 inches/ })
})
