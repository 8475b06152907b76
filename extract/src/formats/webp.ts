// WebP: lossy and lossless, one frame.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { densityOf, directoriesOf, orientationOf } from '../directory.ts'
import { broken, checkSize, greyOf, openPictures, type Picture, type Size } from '../picture.ts'
import { type Format, Unreadable } from '../types.ts'

export const webp: Format = {
  name: 'webp',
  media_types: ['image/webp'],
  open(bytes, { bounds }) {
    const { sizes, density, orientation } = headOf(bytes)
    const size = sizes[0]
    if (!size) throw broken('it has no header')
    // The canvas and the picture on it each state a size.
    for (const stated of sizes) checkSize(stated, bounds)
    return openPictures([{ ...size, density, orientation, decode: () => decodeWebp(bytes) }], bounds)
  },
}

interface Decoder {
  decode(bytes: Uint8Array): (Size & { data: Uint8Array }) | null
}

let decoder: Promise<Decoder> | undefined

/** Left to itself the package fetches its WASM file, which fails with a path. */
async function loadDecoder(): Promise<Decoder> {
  const wasmBinary = await readFile(fileURLToPath(import.meta.resolve('@jsquash/webp/codec/dec/webp_dec.wasm')))
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the package's types refer to missing ones
  const { default: create } = (await import('@jsquash/webp/codec/dec/webp_dec.js')) as {
    default: (options: object) => Promise<Decoder>
  }
  return create({ noInitialRun: true, wasmBinary })
}

async function decodeWebp(bytes: Uint8Array) {
  decoder ??= loadDecoder()
  const image = (await decoder).decode(bytes)
  if (!image) throw broken('its pixels cannot be decoded')
  return greyOf(image.data, image, 4)
}

interface Head extends Pick<Picture, 'density' | 'orientation'> {
  sizes: Size[]
}

function headOf(bytes: Uint8Array): Head {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const head: Head = { sizes: [], density: null, orientation: 1 }
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = String.fromCharCode(...bytes.subarray(at, at + 4))
    const length = view.getUint32(at + 4, true)
    const data = bytes.subarray(at + 8, Math.min(bytes.length, at + 8 + length))
    if (name === 'ANIM') {
      throw new Unreadable('document_unreadable', 'The image is an animation. Save one frame of it and upload that.')
    }
    const size = sizeOf(name, data)
    if (size) head.sizes.push(size)
    if (name === 'EXIF') {
      const [directory] = directoriesOf(
        String.fromCharCode(...data.subarray(0, 4)) === 'Exif' ? data.subarray(6) : data,
      )
      head.orientation = orientationOf(directory)
      head.density = directory ? densityOf(directory) : null
    }
    at += 8 + length + (length % 2)
  }
  return head
}

function sizeOf(chunk: string, data: Uint8Array): Size | undefined {
  if (data.length < 10 && !(chunk === 'VP8L' && data.length >= 5)) return undefined
  const byte = (at: number) => data[at] ?? 0
  if (chunk === 'VP8X') {
    const size = (at: number) => 1 + (byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16))
    return { width: size(4), height: size(7) }
  }
  if (chunk === 'VP8 ')
    return { width: (byte(6) | (byte(7) << 8)) & 0x3fff, height: (byte(8) | (byte(9) << 8)) & 0x3fff }
  if (chunk !== 'VP8L') return undefined
  const bits = (byte(1) | (byte(2) << 8) | (byte(3) << 16) | (byte(4) << 24)) >>> 0
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
}
