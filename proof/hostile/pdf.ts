// PDF files, object by object.

import { deflateSync } from 'node:zlib'
import { packRepeated } from './zip.ts'

export type Obj = string | Buffer

export const stream = (data: string | Uint8Array, dict = ''): Buffer => {
  const bytes = Buffer.from(data as Uint8Array)
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${dict} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}
export const packedStream = (data: string | Uint8Array, dict = ''): Buffer =>
  stream(deflateSync(Buffer.from(data as Uint8Array)), `/Filter /FlateDecode ${dict}`)

/** `times` × `chunk` as a zlib stream (its checksum is wrong, which readers forgive). */
export const bomb = (chunk: Uint8Array, times: number): Buffer =>
  Buffer.concat([Buffer.from([0x78, 0xda]), packRepeated(chunk, times).bytes, Buffer.from([0, 0, 0, 1])])

/** Objects are numbered from 1, the first one is the catalogue. */
export function pdf(objects: readonly Obj[], { trailer = '', prev = '', version = '1.7' } = {}): Buffer {
  const parts: Buffer[] = [Buffer.from(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`, 'latin1')]
  let length = parts[0]!.length
  const offsets: number[] = []
  const add = (part: Buffer): void => {
    parts.push(part)
    length += part.length
  }
  for (const [i, object] of objects.entries()) {
    offsets.push(length)
    add(Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object as Buffer), Buffer.from('\nendobj\n')]))
  }
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines.join('')}`
  const start = length
  add(
    Buffer.from(
      `${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${prev.replace('HERE', String(start))} ${trailer} >>\n`,
    ),
  )
  add(Buffer.from(`startxref\n${start}\n%%EOF\n`))
  return Buffer.concat(parts)
}

export const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
export const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
export const show = (text: string): string => `BT /F1 12 Tf 72 700 Td (${text}) Tj ET\n`

interface OnePage {
  /** Object 4. */
  content?: Obj
  /** Inside the page (object 3). */
  page?: string
  /** Inside its resources, beside the font. */
  resources?: string
  /** Inside the catalogue. */
  catalog?: string
  /** From object 6. */
  more?: readonly Obj[]
  media_box?: string
}

/** One page: catalogue 1, tree 2, page 3, content 4, font 5. */
export const onePage = ({
  content,
  page = '',
  resources = '',
  catalog = '',
  more = [],
  media_box = '[0 0 612 792]',
}: OnePage): Obj[] => [
  `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  `<< /Type /Page /Parent 2 0 R /MediaBox ${media_box} /Resources << /Font << /F1 5 0 R >> ${resources} >> /Contents 4 0 R ${page} >>`,
  content ?? stream(show('Plain text')),
  FONT,
  ...more,
]

interface HostileCompressedStream {
  number: number
  /** The object stream that holds it, and its place there. */
  stream: number
  index: number
}

/** With a table of references that is a stream, which alone can name objects inside object streams. */
export function pdfWithTable(direct: ReadonlyMap<number, Obj>, compressed: readonly HostileCompressedStream[]): Buffer {
  const size = Math.max(...direct.keys(), ...compressed.slice(-1).map(({ number }) => number)) + 2
  const entries = Buffer.alloc(size * 7)
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  let length = 9
  const enter = (number: number, [kind, at, index]: readonly [number, number, number]): void => {
    entries.writeUInt8(kind, number * 7)
    entries.writeUInt32BE(at, number * 7 + 1)
    entries.writeUInt16BE(index, number * 7 + 5)
  }
  for (const [number, body] of direct) {
    enter(number, [1, length, 0])
    const part = Buffer.concat([
      Buffer.from(`${number} 0 obj\n`),
      Buffer.from(body as Buffer),
      Buffer.from('\nendobj\n'),
    ])
    parts.push(part)
    length += part.length
  }
  for (const { number, stream, index } of compressed) enter(number, [2, stream, index])
  enter(size - 1, [1, length, 0])
  const table = packedStream(entries, `/Type /XRef /Size ${size} /W [1 4 2] /Root 1 0 R`)
  return Buffer.concat([
    ...parts,
    Buffer.from(`${size - 1} 0 obj\n`),
    table,
    Buffer.from(`\nendobj\nstartxref\n${length}\n%%EOF\n`),
  ])
}

const FIRST = 6
const EACH = 2_000

/** Pages in object streams: a hundred thousand of them are less than two megabytes. */
export function pdfOfPages(count: number, content: string): Buffer {
  const kids = Array.from({ length: count }, (_, i) => `${FIRST + i} 0 R`).join(' ')
  const direct = new Map<number, Obj>([
    [1, CATALOG],
    [
      2,
      `<< /Type /Pages /Kids [${kids}] /Count ${count} /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> >>`,
    ],
    [4, stream(content)],
    [5, FONT],
  ])
  const body = '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>'
  const compressed: HostileCompressedStream[] = []
  for (let from = 0; from < count; from += EACH) {
    const numbers = Array.from({ length: Math.min(EACH, count - from) }, (_, i) => FIRST + from + i)
    const holder = FIRST + count + from / EACH
    const head = numbers.map((number, i) => `${number} ${i * (body.length + 1)} `).join('')
    direct.set(
      holder,
      packedStream(
        head + numbers.map(() => body).join(' '),
        `/Type /ObjStm /N ${numbers.length} /First ${head.length}`,
      ),
    )
    compressed.push(...numbers.map((number, index) => ({ number, stream: holder, index })))
  }
  return pdfWithTable(direct, compressed)
}
