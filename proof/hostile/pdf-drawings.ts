// PDF pages that take for ever to draw, or that have more on them than a page has.

import { type HostileFile, inGroup } from './file.ts'
import { bomb, onePage, packedStream, pdf, show, stream } from './pdf.ts'

const file = inGroup('pdf')
const FORM = '/Type /XObject /Subtype /Form /BBox [0 0 612 792]'

/** Ten forms, each of which draws the next one ten times. */
function formTree(): Buffer {
  const forms = Array.from({ length: 10 }, (_, i) =>
    i === 9
      ? stream('0 0 10 10 re f', FORM)
      : stream('/N Do '.repeat(10), `${FORM} /Resources << /XObject << /N ${i + 7} 0 R >> >>`),
  )
  return pdf(onePage({ content: stream('/N Do'), resources: '/XObject << /N 6 0 R >>', more: forms }))
}

/** A page without text is drawn if there seem to be letters among its shapes. */
const WORTH_DRAWING = '0 0 1 1 re f '.repeat(80)

const recursions: HostileFile[] = [
  file('pdf_form_in_itself', {
    expected: 'either',
    make: () =>
      pdf(
        onePage({
          content: stream('/N Do'),
          resources: '/XObject << /N 6 0 R >>',
          more: [stream('/N Do /N Do', `${FORM} /Resources << /XObject << /N 6 0 R >> >>`)],
        }),
      ),
  }),
  file('pdf_form_tree', { expected: 'either', make: formTree }),
  file('pdf_glyph_in_itself', {
    expected: 'either',
    make: () => {
      const glyph = stream('1000 0 d0 BT /F1 1 Tf (aaaa) Tj ET', '/Resources << /Font << /F1 5 0 R >> >>')
      const objects = onePage({ content: stream(show('aaaa')), more: [glyph] })
      objects[4] =
        '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [.001 0 0 .001 0 0] /CharProcs << /a 6 0 R >> /Encoding << /Type /Encoding /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1000] /Resources << /Font << /F1 5 0 R >> >> >>'
      return pdf(objects)
    },
  }),
]

const sizes: HostileFile[] = [
  file('pdf_huge_page', { expected: 'either', make: () => pdf(onePage({ media_box: '[0 0 1000000000 1000000000]' })) }),
  file('pdf_huge_blank_page', {
    expected: 'either',
    make: () =>
      pdf(
        onePage({
          content: stream(`${WORTH_DRAWING}0 0 1000000 1000000 re f`),
          media_box: '[0 0 1000000 1000000]',
          page: '/UserUnit 75000',
        }),
      ),
  }),
  file('pdf_no_page_size', {
    expected: 'either',
    make: () => pdf(onePage({ media_box: '[1e308 -1e308 0 0]', page: '/CropBox [0 0 0 0] /Rotate 91' })),
  }),
  file('pdf_huge_image', {
    expected: 'either',
    make: () => {
      const image = stream(
        bomb(Buffer.alloc(8_000), 64_000),
        '/Type /XObject /Subtype /Image /Width 64000 /Height 64000 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /FlateDecode',
      )
      return pdf(
        onePage({
          content: stream('612 0 0 792 0 0 cm /I Do'),
          resources: '/XObject << /I 6 0 R >>',
          more: [image],
        }),
      )
    },
  }),
  file('pdf_tiny_tiles', {
    expected: 'either',
    make: () => {
      const dict =
        '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep .0001 /YStep .0001 /Resources << >>'
      const content = stream(`${WORTH_DRAWING}/Pattern cs /P scn 0 0 612 792 re f`)
      return pdf(onePage({ content, resources: '/Pattern << /P 6 0 R >>', more: [stream('0 0 1 1 re f', dict)] }))
    },
  }),
  file('pdf_slow_shading', {
    expected: 'either',
    make: () => {
      // A program of 200,000 steps for each point of the page.
      const shade = packedStream(
        `{ pop ${'sin 1 add '.repeat(100_000)}}`,
        '/FunctionType 4 /Domain [0 1 0 1] /Range [0 1]',
      )
      const shading =
        '<< /ShadingType 1 /ColorSpace /DeviceGray /Domain [0 1 0 1] /Matrix [612 0 0 792 0 0] /Function 7 0 R >>'
      return pdf(
        onePage({
          content: stream(`${WORTH_DRAWING}/S sh`),
          resources: '/Shading << /S 6 0 R >>',
          more: [shading, shade],
        }),
      )
    },
  }),
]

const rows = (count: number, row: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => row(i)).join('')

const crowds: HostileFile[] = [
  file('pdf_million_letters', {
    expected: 'either',
    make: () =>
      pdf(
        onePage({
          content: packedStream(
            `BT /F1 1 Tf ${rows(40_000, (i) => `1 0 0 1 ${i % 600} ${(i * 7) % 790} Tm (word ${i} and more of the same) Tj `)}ET`,
          ),
        }),
      ),
  }),
  file('pdf_many_rules', {
    expected: 'either',
    make: () =>
      pdf(
        onePage({
          content: packedStream(
            `${rows(60_000, (i) => `${(i * 13) % 612} 0 m ${(i * 13) % 612} 792 l S 0 ${(i * 17) % 792} m 612 ${(i * 17) % 792} l S\n`)}${show('Plain text')}`,
          ),
        }),
      ),
  }),
]

export const pdfDrawings: readonly HostileFile[] = [...recursions, ...sizes, ...crowds]
