// PNG. Decoded here: an inflated stream longer than its header promised is then refused, not held.

import { inflateSync } from 'node:zlib'
import type { Grey } from '../grey.ts'
import { broken, checkSize, greyOf, openPictures, type Size } from '../picture.ts'
import type { Bounds, Format } from '../types.ts'

export const png: Format = {
  name: 'png',
  media_types: ['image/png', 'image/apng'],
  open(bytes, { bounds }) {
    const header = headerOf(bytes)
    checkSize(header, bounds)
    const { density, data, palette, transparency } = chunksOf(bytes, bounds)
    const decode = () => decodePng(header, data, { palette, transparency })
    return openPictures([{ width: header.width, height: header.height, density, orientation: 1, decode }], bounds)
  },
}

interface Header extends Size {
  depth: number
  kind: number
  is_interlaced: boolean
}

interface Colours {
  palette: Uint8Array | null
  transparency: Uint8Array | null
}

// Samples per pixel by color type: gray, RGB, palette, gray and alpha, RGB and alpha.
const SAMPLES: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

function headerOf(bytes: Uint8Array): Header {
  if (bytes.length < 33) throw broken('it has no header')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const header = {
    width: view.getUint32(16),
    height: view.getUint32(20),
    depth: view.getUint8(24),
    kind: view.getUint8(25),
    is_interlaced: view.getUint8(28) === 1,
  }
  if (!SAMPLES[header.kind] || ![1, 2, 4, 8, 16].includes(header.depth)) throw broken('it has an unknown color type')
  return header
}

function chunksOf(bytes: Uint8Array, bounds: Bounds) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const data: Uint8Array[] = []
  const found: Colours & { density: readonly [number, number] | null } = {
    palette: null,
    transparency: null,
    density: null,
  }
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at)
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    const body = bytes.subarray(at + 8, Math.min(bytes.length, at + 8 + length))
    if (name === 'IDAT') data.push(body)
    if (name === 'PLTE') found.palette = body
    if (name === 'tRNS') found.transparency = body
    if (name === 'pHYs' && body.length >= 9 && body[8] === 1)
      found.density = [view.getUint32(at + 8) * 0.0254, view.getUint32(at + 12) * 0.0254]
    if (name === 'IEND') break
    at += 12 + length
  }
  if (data.length === 0 || data.length > bounds.max_pixels) throw broken('its pixels are missing')
  return { ...found, data }
}

function decodePng(header: Header, data: Uint8Array[], colours: Colours): Grey {
  const { width, height } = header
  const passes = header.is_interlaced
    ? ADAM7.map(([x, y, across, down]) => ({ x, y, across, down, ...passSize(header, x, y, across, down) }))
    : [{ x: 0, y: 0, across: 1, down: 1, width, height }]
  const kept = passes.filter((pass) => pass.width > 0 && pass.height > 0)
  const bits = header.depth * (SAMPLES[header.kind] ?? 0)
  const rowBytes = (pass: Size) => Math.ceil((pass.width * bits) / 8)
  const length = kept.reduce((sum, pass) => sum + pass.height * (1 + rowBytes(pass)), 0)
  const raw = inflateSync(Buffer.concat(data), { maxOutputLength: length + 64 })
  if (raw.length < length) throw broken('its pixels are missing')
  const pixels = new Uint8Array(width * height)
  let at = 0
  for (const pass of kept) {
    const row_bytes = rowBytes(pass)
    unfilter(raw.subarray(at, at + pass.height * (1 + row_bytes)), row_bytes, Math.max(1, bits >> 3))
    for (let y = 0; y < pass.height; y++) {
      const row = greyRow(raw.subarray(at + 1, at + 1 + row_bytes), pass.width, header, colours)
      const offset = (pass.y + y * pass.down) * width + pass.x
      for (let x = 0; x < pass.width; x++) pixels[offset + x * pass.across] = row[x] ?? 0
      at += 1 + row_bytes
    }
  }
  return { width, height, pixels }
}

function passSize({ width, height }: Size, x: number, y: number, across: number, down: number): Size {
  return { width: Math.ceil((width - x) / across), height: Math.ceil((height - y) / down) }
}

function unfilter(data: Uint8Array, row_bytes: number, step: number): void {
  const stride = row_bytes + 1
  for (let start = 0; start < data.length; start += stride) {
    const filter = data[start] ?? 0
    if (filter === 0) continue
    if (filter > 4) throw broken('its pixels cannot be decoded')
    for (let i = 1; i <= row_bytes; i++) {
      const left = i > step ? (data[start + i - step] ?? 0) : 0
      const up = start > 0 ? (data[start + i - stride] ?? 0) : 0
      const corner = start > 0 && i > step ? (data[start + i - stride - step] ?? 0) : 0
      data[start + i] = (data[start + i] ?? 0) + guessOf(filter, left, up, corner)
    }
  }
}

function guessOf(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  return filter === 3 ? (left + up) >> 1 : paeth(left, up, corner)
}

function paeth(left: number, up: number, corner: number): number {
  const [by_left, by_up, by_corner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  if (by_left <= by_up && by_left <= by_corner) return left
  return by_up <= by_corner ? up : corner
}

function greyRow(
  row: Uint8Array,
  width: number,
  { depth, kind }: Header,
  { palette, transparency }: Colours,
): Uint8Array {
  const samples = SAMPLES[kind] ?? 0
  const values = new Uint8Array(width * samples)
  const most = (1 << Math.min(8, depth)) - 1
  for (let i = 0; i < values.length; i++) {
    const value =
      depth >= 8
        ? (row[i * (depth >> 3)] ?? 0)
        : ((row[(i * depth) >> 3] ?? 0) >> (8 - depth - ((i * depth) & 7))) & most
    values[i] = kind === 3 || depth >= 8 ? value : (value * 255) / most
  }
  if (kind !== 3) return greyOf(values, { width, height: 1 }, samples as 1 | 2 | 3 | 4).pixels
  const colours = new Uint8Array(width * 4)
  for (let i = 0; i < width; i++) {
    const index = values[i] ?? 0
    colours.set(palette?.subarray(index * 3, index * 3 + 3) ?? [], i * 4)
    colours[i * 4 + 3] = transparency?.[index] ?? 255
  }
  return greyOf(colours, { width, height: 1 }, 4).pixels
}
