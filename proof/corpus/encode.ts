// Pictures → files, as scanners and phones write them.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { deflateSync } from 'node:zlib'
import encodeWithWebp, { init } from '@jsquash/webp/encode.js'
import { encode as encodeWithPng } from 'fast-png'
import jpeg from 'jpeg-js'
import type { CorpusPicture } from './scan.ts'

const OPAQUE = 255
let webp: Promise<void> | undefined

function inColour({ width, height, pixels }: CorpusPicture): {
  width: number
  height: number
  data: Uint8ClampedArray<ArrayBuffer>
} {
  const data = new Uint8ClampedArray(pixels.length * 4)
  pixels.forEach((grey, i) => data.set([grey, grey, grey, OPAQUE], i * 4))
  return { width, height, data }
}

export const makePng = ({ width, height, pixels }: CorpusPicture): Uint8Array =>
  encodeWithPng({ width, height, data: pixels, channels: 1 })

export function makeJpeg(picture: CorpusPicture, quality: number): Uint8Array {
  const { width, height, data } = inColour(picture)
  return jpeg.encode({ width, height, data: Buffer.from(data.buffer) }, quality).data
}

/** The package finds its program by `fetch`, which knows no files. */
async function prepareWebp(): Promise<void> {
  const program = createRequire(import.meta.url).resolve('@jsquash/webp/codec/enc/webp_enc_simd.wasm')
  await init({ wasmBinary: await readFile(program) })
}

export async function makeWebp(picture: CorpusPicture, quality: number): Promise<Uint8Array> {
  webp ??= prepareWebp()
  await webp
  return new Uint8Array(await encodeWithWebp(inColour(picture), { quality }))
}

const SHORT = 3
const LONG = 4
const RATIONAL = 5

/** One picture or several in one file; `is_packed` with deflate. */
export function makeTiff(pictures: readonly CorpusPicture[], is_packed: boolean): Uint8Array {
  const parts: Buffer[] = [Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])]
  let length = 8
  const append = (part: Buffer): number => {
    const at = length
    parts.push(part)
    length += part.length
    return at
  }
  let link = { part: parts[0]!, at: 4 }
  for (const { width, height, dpi, pixels } of pictures) {
    const strip = is_packed ? deflateSync(pixels) : Buffer.from(pixels)
    const even = strip.length % 2 === 0 ? strip : Buffer.concat([strip, Buffer.alloc(1)])
    const strip_at = append(even)
    const resolution = Buffer.alloc(8)
    resolution.writeUInt32LE(dpi, 0)
    resolution.writeUInt32LE(1, 4)
    const resolution_at = append(resolution)
    const entries = [
      [256, LONG, width],
      [257, LONG, height],
      [258, SHORT, 8],
      [259, SHORT, is_packed ? 8 : 1],
      [262, SHORT, 1],
      [273, LONG, strip_at],
      [277, SHORT, 1],
      [278, LONG, height],
      [279, LONG, strip.length],
      [282, RATIONAL, resolution_at],
      [283, RATIONAL, resolution_at],
      [296, SHORT, 2],
    ] as const
    const directory = Buffer.alloc(2 + entries.length * 12 + 4)
    directory.writeUInt16LE(entries.length, 0)
    entries.forEach(([tag, type, value], index) => {
      directory.writeUInt16LE(tag, 2 + index * 12)
      directory.writeUInt16LE(type, 4 + index * 12)
      directory.writeUInt32LE(1, 6 + index * 12)
      directory.writeUInt32LE(value, 10 + index * 12)
    })
    link.part.writeUInt32LE(append(directory), link.at)
    link = { part: directory, at: directory.length - 4 }
  }
  return Buffer.concat(parts)
}

/** A PDF without a letter in it: each page is a JPEG. */
export function makeScannedPdf(pictures: readonly CorpusPicture[], quality: number): Uint8Array {
  const objects: Buffer[] = []
  const add = (...parts: (string | Uint8Array)[]): number =>
    objects.push(Buffer.concat(parts.map((part) => Buffer.from(part as string))))
  const pages = pictures.map((_, index) => 3 + index * 3)
  add('<< /Type /Catalog /Pages 2 0 R >>')
  add(`<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((id) => `${id} 0 R`).join(' ')}] >>`)
  for (const picture of pictures) {
    const [wide, high] = [(picture.width * 72) / picture.dpi, (picture.height * 72) / picture.dpi]
    const id = objects.length + 1
    const drawing = `q ${wide} 0 0 ${high} 0 0 cm /I Do Q`
    const data = makeJpeg(picture, quality)
    const resources = `/Resources << /XObject << /I ${id + 2} 0 R >> >>`
    add(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Contents ${id + 1} 0 R ${resources} >>`)
    add(`<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`)
    const size = `/Width ${picture.width} /Height ${picture.height} /BitsPerComponent 8 /ColorSpace /DeviceRGB`
    add(
      `<< /Type /XObject /Subtype /Image ${size} /Filter /DCTDecode /Length ${data.length} >>\nstream\n`,
      data,
      '\nendstream',
    )
  }
  return joinObjects(objects)
}

function joinObjects(objects: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n')]
  const places: number[] = []
  let length = parts[0]!.length
  objects.forEach((object, index) => {
    const written = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    places.push(length)
    parts.push(written)
    length += written.length
  })
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}${trailer}`)])
}
