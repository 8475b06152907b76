// Small PDF files, made of the lines that a test writes.

import { pdf } from '../formats/pdf.ts'
import type { PageImage } from '../types.ts'

/** `broken`: a page that is not there; an image fills the page, as a scanner makes it. */
export type SamplePage = readonly string[] | 'broken' | PageImage

const WIDTH = 595
const HEIGHT = 842

function pdfFile(objects: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  for (const [i, object] of objects.entries())
    parts.push(Buffer.from(`${i + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'))
  return Buffer.concat([...parts, Buffer.from(`trailer << /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF\n`)])
}

const streamOf = (data: Buffer, more = ''): Buffer =>
  Buffer.concat([Buffer.from(`<< /Length ${data.length} ${more} >>\nstream\n`), data, Buffer.from('\nendstream')])

/** A line that begins with `# ` is large and bold. */
function drawn(lines: readonly string[]): string {
  const shown = lines.map((line) =>
    line.startsWith('# ') ? `/F2 24 Tf (${line.slice(2)}) ' /F1 12 Tf` : `(${line}) '`,
  )
  return `BT /F1 12 Tf 72 790 Td 28 TL ${shown.join(' ')} ET`
}

/** Each page takes three objects from number 6: itself, what is drawn, an image. */
export function pdfOf(...pages: SamplePage[]): Buffer {
  const kids = pages.map((page, i) => `${page === 'broken' ? 5 : 6 + i * 3} 0 R`).join(' ')
  const objects: Buffer[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>',
    '(not a page)',
  ].map((text) => Buffer.from(text))
  for (const [i, page] of pages.entries()) {
    const [contents, image] = [7 + i * 3, 8 + i * 3]
    const resources = `/Resources << /Font << /F1 3 0 R /F2 4 0 R >> /XObject << /Im ${image} 0 R >> >>`
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents ${contents} 0 R ${resources} >>`,
      ),
    )
    if (page === 'broken') objects.push(Buffer.from('null'), Buffer.from('null'))
    else if (!('pixels' in page)) objects.push(streamOf(Buffer.from(drawn(page), 'latin1')), Buffer.from('null'))
    else objects.push(streamOf(Buffer.from(`${WIDTH} 0 0 ${HEIGHT} 0 0 cm /Im Do`)), imageOf(page))
  }
  return pdfFile(objects)
}

const imageOf = ({ width, height, pixels }: PageImage): Buffer =>
  streamOf(
    Buffer.from(pixels),
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
  )

const bounds = { max_bytes: 1e8, max_pages: 10, max_inflated_bytes: 1e8, max_pixels: 4e7 }

/** A page with these lines as a scanner sees it. */
export async function scanOf(...lines: string[]): Promise<PageImage> {
  const given = { claims: { media_type: null, file_name: null }, media_type: 'application/pdf', bounds }
  const file = await pdf.open(pdfOf(lines), given)
  const image = await file.image!(1, 150)
  file.close?.()
  return image
}

/** As `createFromFile` takes it. */
export const pdfBlob = (...pages: SamplePage[]): Blob =>
  new Blob([new Uint8Array(pdfOf(...pages))], { type: 'application/pdf' })
