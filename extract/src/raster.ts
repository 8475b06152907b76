// Pixels → an upright page, ready for OCR and for storing. Pure JavaScript: it runs in the confined child.

import { promisify } from 'node:util'
import { crc32, deflate, deflateSync } from 'node:zlib'
import { darknessLimit, type Grey, scaleGrey } from './grey.ts'
import { cleanNoise } from './noise.ts'
import { findRules } from './rules.ts'
import type { PageImage } from './types.ts'

const COPY_WIDTH = 700
const MAX_TILT = 5
const MIN_TILT = 0.1
// Photos and empty pages also have a best angle, but it scores hardly better than 0; with text, the gain is far larger.
const MIN_GAIN = 1.03

export function toPageImage(grey: Grey, dpi: number): PageImage {
  // Before it is turned: turning would smear specks.
  const clean = cleanNoise(grey)
  const tilt = findTilt(clean)
  const upright = tilt === 0 ? clean : turn(clean, tilt)
  return { ...upright, dpi, tilt, rules: findRules(upright, dpi) }
}

/** Degrees, clockwise, by which the page must be turned; 0 if it is straight enough. */
export function findTilt(grey: Grey): number {
  const ink = inkOf(grey)
  if (ink.weights.length === 0) return 0
  let best = { angle: 0, score: 0 }
  for (const step of [0.5, 0.1, 0.02]) {
    const around = best.angle
    const reach = step === 0.5 ? MAX_TILT : step * 5
    for (let i = -Math.round(reach / step); i * step <= reach + 1e-9; i++) {
      const angle = around + i * step
      const score = sharpness(ink, angle)
      if (score > best.score) best = { angle, score }
    }
  }
  const is_tilted = Math.abs(best.angle) >= MIN_TILT && best.score > MIN_GAIN * sharpness(ink, 0)
  return is_tilted ? Math.round(best.angle * 100) / 100 : 0
}

interface Ink {
  height: number
  xs: Float32Array
  ys: Float32Array
  weights: Float32Array
  /** Pixels of the full page per pixel of the copy. */
  scale: number
}

/** The dark pixels of a small copy; coordinates from its middle. */
function inkOf(grey: Grey): Ink {
  const scale = Math.max(1, grey.width / COPY_WIDTH)
  const small = scaleGrey(grey, Math.round(grey.width / scale), Math.max(1, Math.round(grey.height / scale)))
  const { width, height, pixels } = small
  const threshold = darknessLimit(small)
  let count = 0
  for (const value of pixels) if (value < threshold) count++
  const ink = {
    height,
    xs: new Float32Array(count),
    ys: new Float32Array(count),
    weights: new Float32Array(count),
    scale,
  }
  for (let i = 0, at = 0; i < pixels.length; i++) {
    const value = pixels[i] ?? 0
    if (value >= threshold) continue
    ink.xs[at] = (i % width) - (width - 1) / 2
    ink.ys[at] = Math.floor(i / width) - (height - 1) / 2
    ink.weights[at++] = threshold - value
  }
  return ink
}

/** How steeply ink and gaps alternate from row to row when the copy is sheared: greatest when lines of text lie level. */
function sharpness({ height, xs, ys, weights }: Ink, angle: number): number {
  const slope = Math.tan((angle * Math.PI) / 180)
  const rows = new Float64Array(height + 2)
  const middle = (height - 1) / 2
  for (let i = 0; i < weights.length; i++) {
    const y = (ys[i] ?? 0) + slope * (xs[i] ?? 0) + middle
    const row = Math.floor(y)
    if (row < 0 || row >= height) continue
    const part = y - row
    const weight = weights[i] ?? 0
    rows[row] = (rows[row] ?? 0) + weight * (1 - part)
    rows[row + 1] = (rows[row + 1] ?? 0) + weight * part
  }
  let score = 0
  for (let row = 1; row <= height; row++) score += ((rows[row] ?? 0) - (rows[row - 1] ?? 0)) ** 2
  return score
}

/** Turned clockwise about its middle on white; grown only as far as ink would fall off an edge. */
export function turn(grey: Grey, degrees: number): Grey {
  const angle = (degrees * Math.PI) / 180
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  const { width, height, pixels } = grey
  const to = grownSize(grey, sin, cos)
  const turned = new Uint8Array(to.width * to.height).fill(255)
  for (let y = 0; y < to.height; y++) {
    const dy = y - (to.height - 1) / 2
    let from_x = cos * (-(to.width - 1) / 2) + sin * dy + (width - 1) / 2
    let from_y = -sin * (-(to.width - 1) / 2) + cos * dy + (height - 1) / 2
    for (let x = 0; x < to.width; x++, from_x += cos, from_y -= sin) {
      const left = Math.floor(from_x)
      const top = Math.floor(from_y)
      if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) continue
      const i = top * width + left
      const part_x = from_x - left
      const part_y = from_y - top
      const upper = (pixels[i] ?? 0) * (1 - part_x) + (pixels[i + 1] ?? 0) * part_x
      const lower = (pixels[i + width] ?? 0) * (1 - part_x) + (pixels[i + width + 1] ?? 0) * part_x
      turned[y * to.width + x] = upper * (1 - part_y) + lower * part_y + 0.5
    }
  }
  return { ...to, pixels: turned }
}

function grownSize(grey: Grey, sin: number, cos: number): { width: number; height: number } {
  const { xs, ys, scale } = inkOf(grey)
  let [reach_x, reach_y] = [0, 0]
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i] ?? 0
    const y = ys[i] ?? 0
    reach_x = Math.max(reach_x, Math.abs(cos * x - sin * y))
    reach_y = Math.max(reach_y, Math.abs(sin * x + cos * y))
  }
  const grow = (size: number, reach: number) => size + 2 * Math.max(0, Math.ceil((reach + 1) * scale - size / 2))
  return { width: grow(grey.width, reach_x), height: grow(grey.height, reach_y) }
}

type Resolved = Grey & { dpi?: number }
const PACKING = { level: 3 }
const PNG_SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10)

/** A gray PNG with its resolution. */
export const encodePng = (image: Resolved): Uint8Array => framePng(image, deflateSync(rowsOf(image), PACKING))

/** The same without blocking the event loop. */
export const packPng = async (image: Resolved): Promise<Uint8Array> =>
  framePng(image, await promisify<Buffer, object, Buffer>(deflate)(rowsOf(image), PACKING))

function rowsOf({ width, height, pixels }: Grey): Buffer {
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  return rows
}

function framePng({ width, height, dpi }: Resolved, packed: Uint8Array): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const chunks = [chunk('IHDR', header)]
  if (dpi) {
    const density = Buffer.alloc(9)
    density.writeUInt32BE(Math.round(dpi / 0.0254), 0)
    density.writeUInt32BE(Math.round(dpi / 0.0254), 4)
    density[8] = 1
    chunks.push(chunk('pHYs', density))
  }
  return Buffer.concat([PNG_SIGNATURE, ...chunks, chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))])
}

function chunk(name: string, data: Uint8Array): Buffer {
  const framed = Buffer.alloc(data.length + 12)
  framed.writeUInt32BE(data.length, 0)
  framed.write(name, 4, 'latin1')
  framed.set(data, 8)
  framed.writeUInt32BE(crc32(framed.subarray(4, data.length + 8)), data.length + 8)
  return framed
}
