// Archives that are larger inside than outside, that contain themselves, or that lie about what is in them.

import { type HostileFile, inGroup } from './file.ts'
import { docx, docxEntries, epub, odt, paragraph, pptx, sheet, wordDocument, xlsx } from './office.ts'
import {
  directoryEntry,
  endOfDirectory,
  type HostileEntry,
  localHeader,
  pack,
  packRepeated,
  zip,
  zipOverlapping,
} from './zip.ts'

const file = inGroup('archives')
const MIB = 1024 * 1024
const spaces = Buffer.alloc(MIB, ' ')
const [before = '', after = ''] = wordDocument(paragraph('|')).split('|')
const plain = wordDocument(paragraph('Plain text'))
const TOO_LARGE = ['document_too_large', 'document_unreadable'] as const

/** As if it came from the directory of a 16 TB archive. */
function zip64(): Buffer {
  const whole = zip(docxEntries(plain))
  const end = Buffer.alloc(56 + 20)
  end.writeUInt32LE(0x06064b50, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeBigUInt64LE(2n ** 62n, 24)
  end.writeBigUInt64LE(2n ** 62n, 32)
  end.writeBigUInt64LE(2n ** 62n, 40)
  end.writeBigUInt64LE(2n ** 62n, 48)
  end.writeUInt32LE(0x07064b50, 56)
  end.writeBigUInt64LE(BigInt(whole.length - 22), 64)
  end.writeUInt32LE(1, 72)
  const last = Buffer.from(whole.subarray(-22))
  last.fill(0xff, 8, 20)
  return Buffer.concat([whole.subarray(0, -22), end, last])
}

/** Its one stored entry is the rest of the archive, with the directory that lists it. */
function insideItself(): Buffer {
  const name = 'word/document.xml'
  const length = 46 + name.length + 22
  const rest = { bytes: Buffer.alloc(length), size: length, crc: 0, method: 0 as const }
  const header = localHeader(name, rest)
  const directory = directoryEntry({ name, data: rest }, rest, 0)
  return Buffer.concat([header, directory, endOfDirectory(directory, header.length, 1)])
}

/** Sixteen to the power of five copies of a gigabyte, as 42.zip has it. */
function nested(): Buffer {
  let inner = zip([{ name: 'zeros.bin', data: packRepeated(Buffer.alloc(MIB), 1024) }])
  for (let level = 0; level < 5; level++) {
    const copy = pack(inner)
    inner = zip(Array.from({ length: 16 }, (_, i) => ({ name: `lib${level}${i}.zip`, data: copy })))
  }
  return inner
}

function nestedDocuments(): Buffer {
  let inner = docx(plain)
  for (let i = 0; i < 60; i++) inner = docx(plain, [{ name: 'word/embeddings/inner.docx', data: inner }])
  return inner
}

const many = (count: number, data: HostileEntry['data']): HostileEntry[] =>
  Array.from({ length: count }, (_, i) => ({ name: `word/media/${i.toString(36)}.xml`, data }))

/** All entries of the directory have the same header. */
function sameBytes(): Buffer {
  const kernel = packRepeated(spaces, 16, { head: before, tail: after })
  const honest = docxEntries(kernel)
  const start = honest.slice(0, 2).reduce((sum, { name, data }) => sum + 30 + name.length + pack(data).bytes.length, 0)
  const empty = { bytes: new Uint8Array(), size: 0, crc: 0, method: 0 as const }
  const copies = many(2_000, empty).map((entry) => ({
    ...entry,
    forged: { offset: start, size: kernel.size, packed_size: kernel.bytes.length, method: 8 },
  }))
  return zip([...honest, ...copies])
}

const bombs: HostileFile[] = [
  file('docx_flat_bomb', {
    expected: 'refused',
    codes: TOO_LARGE,
    make: () => docx(packRepeated(spaces, 1024, { head: before, tail: after })),
  }),
  file('xlsx_strings_bomb', {
    expected: 'refused',
    codes: TOO_LARGE,
    make: () =>
      xlsx({
        sheet: sheet('<row r="1"><c r="A1" t="s"><v>0</v></c></row>'),
        strings: packRepeated(Buffer.from('<si><t>all of these are the same</t></si>'.repeat(25_000)), 700, {
          head: '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
          tail: '</sst>',
        }),
      }),
  }),
  file('odt_flat_bomb', { expected: 'refused', codes: TOO_LARGE, make: () => odt(packRepeated(spaces, 700)) }),
  file('epub_flat_bomb', {
    expected: 'refused',
    codes: TOO_LARGE,
    make: () => epub(packRepeated(spaces, 700, { head: '<html><body><p>' })),
  }),
  file('pptx_flat_bomb', { expected: 'refused', codes: TOO_LARGE, make: () => pptx(packRepeated(spaces, 700)) }),
  file('docx_media_bomb', {
    expected: 'either',
    codes: TOO_LARGE,
    make: () => docx(plain, [{ name: 'word/media/image1.png', data: packRepeated(Buffer.alloc(MIB), 2_000) }]),
  }),
  file('docx_many_small_bombs', {
    expected: 'refused',
    codes: TOO_LARGE,
    make: () => docx(plain, many(4_000, packRepeated(Buffer.alloc(256 * 1024), 1))),
  }),
  file('docx_20000_entries', {
    expected: 'refused',
    codes: TOO_LARGE,
    make: () => docx(plain, many(20_000, pack('x'))),
  }),
  // Its directory seems to have 4,467 entries.
  file('docx_70000_entries', {
    expected: 'either',
    shows: 'Plain text',
    make: () => docx(plain, many(70_000, pack('x'))),
  }),
]

const overlaps: HostileFile[] = [
  file('docx_overlapping', { expected: 'refused', codes: TOO_LARGE, make: sameBytes }),
  file('docx_overlapping_quoted', {
    expected: 'refused',
    codes: TOO_LARGE,
    make: () =>
      zipOverlapping(
        docxEntries(plain),
        many(400, '').map(({ name }) => name),
        packRepeated(spaces, 8),
      ),
  }),
  file('docx_inside_itself', { expected: 'refused', make: insideItself }),
  file('zip_nested_five_deep', {
    expected: 'refused',
    codes: ['unsupported_format', 'document_too_large', 'document_unreadable'],
    make: nested,
  }),
  file('docx_nested_five_deep', { expected: 'refused', make: nested }),
  file('docx_inside_docx', { expected: 'either', shows: 'Plain text', make: nestedDocuments }),
]

const lies: HostileFile[] = [
  file('docx_forged_size', {
    expected: 'refused',
    codes: TOO_LARGE,
    make: () => {
      const [types, links, main] = docxEntries(packRepeated(spaces, 700, { head: before, tail: after }))
      return zip([types!, links!, { ...main!, forged: { size: 1_000 } }])
    },
  }),
  file('docx_forged_offsets', {
    expected: 'refused',
    make: () =>
      zip(docxEntries(plain).map((entry) => ({ ...entry, forged: { offset: 0xfffffff0, packed_size: 0xfffffff0 } }))),
  }),
  file('docx_zip64_exabytes', { expected: 'either', make: zip64 }),
  file('docx_two_of_a_name', {
    expected: 'either',
    make: () =>
      docx(plain, [{ name: 'word/document.xml', data: packRepeated(spaces, 700, { head: before, tail: after }) }]),
  }),
  file('docx_traversal_entries', {
    expected: 'either',
    shows: 'Plain text',
    make: () =>
      docx(plain, [
        { name: '../../../../../../tmp/octavo-hostile-canary', data: 'out' },
        { name: '/tmp/octavo-hostile-canary', data: 'out' },
        { name: '..\\..\\octavo-hostile-canary', data: 'out' },
        { name: '__proto__/octavo', data: 'out' },
      ]),
  }),
  file('docx_symlink', {
    expected: 'either',
    hides: 'root:',
    make: () =>
      zip(
        docxEntries('/etc/passwd').map((entry) =>
          entry.name.startsWith('word') ? { ...entry, mode: 0o120777 } : entry,
        ),
      ),
  }),
  file('docx_locked', {
    expected: 'refused',
    make: () => zip(docxEntries(plain).map((entry) => ({ ...entry, flags: 1 }))),
  }),
  file('docx_truncated', { expected: 'refused', make: () => docx(plain).subarray(0, 500) }),
]

export const archives: readonly HostileFile[] = [...bombs, ...overlaps, ...lies]
export const plainDocx = (): Buffer => docx(plain)
