// PDF files whose structure goes round in circles, whose streams grow, and that would like to do more than be read.

import { deflateSync } from 'node:zlib'
import { type HostileFile, inGroup } from './file.ts'
import { bomb, CATALOG, FONT, onePage, packedStream, pdf, pdfOfPages, pdfWithTable, show, stream } from './pdf.ts'

const file = inGroup('pdf')
const MIB = 1024 * 1024
const zeros = Buffer.alloc(MIB)
const spaces = Buffer.alloc(MIB, ' ')
const PAGE = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>`

function nestedFilters(): Buffer {
  let data = bomb(spaces, 1024)
  for (let i = 1; i < 10; i++) data = deflateSync(data, { level: 9 })
  return stream(data, `/Filter [${' /FlateDecode'.repeat(10)} ]`)
}

const streams: HostileFile[] = [
  file('pdf_nested_filters', { expected: 'either', make: () => pdf(onePage({ content: nestedFilters() })) }),
  file('pdf_content_bomb', {
    expected: 'either',
    make: () =>
      pdf(
        onePage({ content: stream(bomb(Buffer.from('0 0 m 9 9 l S '.repeat(70_000)), 700), '/Filter /FlateDecode') }),
      ),
  }),
  file('pdf_object_stream_bomb', {
    expected: 'either',
    make: () => {
      const objects = new Map(onePage({}).map((object, i) => [i + 1, object]))
      // The font is an object inside the bomb.
      objects.delete(5)
      objects.set(6, stream(bomb(spaces, 700), '/Filter /FlateDecode /Type /ObjStm /N 1 /First 10'))
      return pdfWithTable(objects, [{ number: 5, stream: 6, index: 0 }])
    },
  }),
  file('pdf_object_stream_loop', {
    expected: 'either',
    make: () => {
      const objects = new Map(onePage({}).map((object, i) => [i + 1, object]))
      objects.delete(5)
      objects.set(6, packedStream('7 0 << >>', '/Type /ObjStm /N 1 /First 4 /Extends 8 0 R'))
      objects.set(8, packedStream('9 0 << >>', '/Type /ObjStm /N 1 /First 4 /Extends 6 0 R'))
      return pdfWithTable(objects, [{ number: 5, stream: 6, index: 1 }])
    },
  }),
  file('pdf_font_bomb', {
    expected: 'either',
    make: () => {
      const descriptor = '<< /Type /FontDescriptor /FontName /Bomb /Flags 4 /FontBBox [0 0 1 1] /FontFile2 7 0 R >>'
      const objects = onePage({
        more: [descriptor, stream(bomb(zeros, 700), '/Filter /FlateDecode /Length1 734003200')],
      })
      objects[4] =
        '<< /Type /Font /Subtype /TrueType /BaseFont /Bomb /FirstChar 0 /LastChar 1 /Widths [1 1] /FontDescriptor 6 0 R >>'
      return pdf(objects)
    },
  }),
  file('pdf_character_map_bomb', {
    expected: 'either',
    make: () => {
      const map = `begincmap 1 begincodespacerange <00000000> <FFFFFFFF> endcodespacerange\n${'1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange\n'.repeat(2_000)}endcmap`
      const objects = onePage({ more: [packedStream(map)] })
      objects[4] = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>'
      return pdf(objects)
    },
  }),
]

const trees: HostileFile[] = [
  file('pdf_page_tree_loop', {
    expected: 'either',
    make: () =>
      pdf([
        CATALOG,
        '<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 2 /Parent 3 0 R >>',
        '<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 2 /Parent 2 0 R >>',
      ]),
  }),
  file('pdf_100000_pages', {
    expected: 'read',
    shows: 'One of many',
    make: () => pdfOfPages(100_000, show('One of many')),
  }),
  file('pdf_one_page_100000_times', {
    expected: 'either',
    make: () =>
      pdf([
        CATALOG,
        `<< /Type /Pages /Kids [${'3 0 R '.repeat(100_000)}] /Count 100000 >>`,
        PAGE,
        stream(show('Plain text')),
        FONT,
      ]),
  }),
  file('pdf_wrong_count', {
    expected: 'either',
    make: () =>
      pdf([CATALOG, '<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>', PAGE, stream(show('Plain text')), FONT]),
  }),
  file('pdf_deep_tree', {
    expected: 'either',
    make: () => {
      const depth = 20_000
      const nodes = Array.from(
        { length: depth },
        (_, i) => `<< /Type /Pages /Parent ${i + 1} 0 R /Kids [${i + 3} 0 R] /Count 1 >>`,
      )
      return pdf([CATALOG, ...nodes, `<< /Type /Page /Parent ${depth + 1} 0 R /MediaBox [0 0 612 792] >>`])
    },
  }),
  file('pdf_300_blank_pages', { expected: 'either', make: () => pdfOfPages(300, ' ') }),
]

const circles: HostileFile[] = [
  file('pdf_circular_length', {
    expected: 'either',
    make: () =>
      pdf(
        onePage({
          content: '<< /Length 6 0 R /Filter 7 0 R >>\nstream\nBT ET\nendstream',
          more: ['6 0 R', '[7 0 R]'],
          page: '/Annots 8 0 R /Parent 3 0 R',
        }),
      ),
  }),
  file('pdf_xref_loop', {
    expected: 'either',
    shows: 'Plain text',
    make: () => pdf(onePage({}), { prev: '/Prev HERE' }),
  }),
  file('pdf_xref_huge', {
    expected: 'either',
    make: () => {
      const table = packedStream(
        Buffer.alloc(64),
        '/Type /XRef /Size 2147483647 /W [1 2147483647 2147483647] /Index [0 2147483647] /Root 1 0 R',
      )
      return Buffer.concat([Buffer.from('%PDF-1.7\n1 0 obj\n'), table, Buffer.from('\nendobj\nstartxref\n9\n%%EOF\n')])
    },
  }),
  file('pdf_deep_arrays', {
    expected: 'either',
    make: () =>
      pdf([...onePage({ page: '/Deep 6 0 R' }), `${'['.repeat(100_000)}${']'.repeat(100_000)}`], {
        trailer: '/Info 6 0 R',
      }),
  }),
  file('pdf_deep_dictionaries', {
    expected: 'either',
    make: () =>
      pdf(
        onePage({
          content: packedStream(
            `/P ${'<< /A '.repeat(100_000)}1${' >>'.repeat(100_000)} BDC EMC ${show('Plain text')}`,
          ),
        }),
      ),
  }),
  file('pdf_locked', {
    expected: 'refused',
    codes: ['document_unreadable'],
    make: () => {
      const key = 'ab'.repeat(32)
      return pdf(onePage({}), {
        trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -44 /O <${key}> /U <${key}> >> /ID [<00> <00>]`,
      })
    },
  }),
  file('pdf_truncated', { expected: 'either', make: () => pdf(onePage({})).subarray(0, 420) }),
]

const acts: HostileFile[] = [
  file('pdf_script', {
    group: 'active',
    expected: 'read',
    shows: 'Plain text',
    make: (canary) =>
      pdf(
        onePage({
          catalog: '/OpenAction 6 0 R /Names << /JavaScript << /Names [(a) 6 0 R] >> >> /AA << /WC 6 0 R >>',
          more: [
            `<< /S /JavaScript /JS (app.launchURL("${canary}"\\); this.submitForm("${canary}"\\); while\\(true\\){}) >>`,
          ],
        }),
      ),
  }),
  file('pdf_launch', {
    group: 'active',
    expected: 'read',
    shows: 'Plain text',
    make: () =>
      pdf(
        onePage({
          catalog: '/OpenAction << /S /Launch /F (/bin/sh) /Unix << /F (touch octavo-hostile-canary) >> >>',
          page: '/AA << /O << /S /Launch /F (/bin/sh) >> >>',
        }),
      ),
  }),
  file('pdf_embedded_files', {
    group: 'active',
    expected: 'read',
    shows: 'Plain text',
    make: () =>
      pdf(
        onePage({
          catalog: '/Names << /EmbeddedFiles << /Names [(../../x.exe) 6 0 R] >> >>',
          more: [
            '<< /Type /Filespec /F (../../x.exe) /EF << /F 7 0 R >> >>',
            stream(bomb(zeros, 700), '/Type /EmbeddedFile /Filter /FlateDecode'),
          ],
        }),
      ),
  }),
]

export const pdfs: readonly HostileFile[] = [...streams, ...trees, ...circles, ...acts]
