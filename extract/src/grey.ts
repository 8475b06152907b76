// Grayscale images and operations on them.

import { itemAt } from '@octavo/base/required.ts'

export interface Grey {
  width: number
  height: number
  /** 8 bits each, row by row; 0 is black. */
  pixels: Uint8Array
}

/** Below it a pixel is ink: halfway between paper and ink by Otsu's method. */
export function darknessLimit({ pixels }: Grey): number {
  const counts = new Float64Array(256)
  for (const value of pixels) counts[value] = (counts[value] ?? 0) + 1
  let total = 0
  for (let value = 0; value < 256; value++) total += value * (counts[value] ?? 0)
  let best = { limit: 128, spread: 0 }
  for (let value = 0, below = 0, sum = 0; value < 255; value++) {
    below += counts[value] ?? 0
    sum += value * (counts[value] ?? 0)
    const above = pixels.length - below
    if (below === 0 || above === 0) continue
    const spread = below * above * (sum / below - (total - sum) / above) ** 2
    if (spread > best.spread) best = { limit: value + 1, spread }
  }
  return Math.min(220, Math.max(48, best.limit))
}

/** Smaller by averaging, larger by interpolation. */
export function scaleGrey(grey: Grey, width: number, height: number): Grey {
  if (width === grey.width && height === grey.height) return grey
  const columns = sharesOf(grey.width, width)
  const rows = sharesOf(grey.height, height)
  const narrow = new Float32Array(width * grey.height)
  for (let y = 0; y < grey.height; y++) {
    for (let x = 0; x < width; x++) {
      const { first, parts } = itemAt(columns, x)
      let sum = 0
      for (let i = 0; i < parts.length; i++) sum += (parts[i] ?? 0) * (grey.pixels[y * grey.width + first + i] ?? 0)
      narrow[y * width + x] = sum
    }
  }
  const pixels = new Uint8Array(width * height)
  const sums = new Float32Array(width)
  for (let y = 0; y < height; y++) {
    const { first, parts } = itemAt(rows, y)
    sums.fill(0.5)
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i] ?? 0
      const offset = (first + i) * width
      for (let x = 0; x < width; x++) sums[x] = (sums[x] ?? 0) + part * (narrow[offset + x] ?? 0)
    }
    for (let x = 0; x < width; x++) pixels[y * width + x] = Math.min(255, Math.max(0, sums[x] ?? 0))
  }
  return { width, height, pixels }
}

interface Share {
  first: number
  parts: Float32Array
}

/** Which old pixels make a new one, and how much of each. */
function sharesOf(from: number, to: number): Share[] {
  const scale = from / to
  return Array.from({ length: to }, (_, i) =>
    scale > 1 ? areaShare(i * scale, (i + 1) * scale, from) : cubicShare((i + 0.5) * scale - 0.5, from),
  )
}

function areaShare(start: number, end: number, from: number): Share {
  const first = Math.floor(start)
  const last = Math.min(from - 1, Math.ceil(end) - 1)
  const parts = new Float32Array(last - first + 1)
  for (let i = 0; i < parts.length; i++)
    parts[i] = (Math.min(end, first + i + 1) - Math.max(start, first + i)) / (end - start)
  return { first, parts }
}

// Catmull-Rom: letters keep sharper edges than with straight interpolation.
function cubicShare(at: number, from: number): Share {
  const start = Math.floor(at) - 1
  const first = Math.min(Math.max(0, start), Math.max(0, from - 1))
  const parts = new Float32Array(Math.max(1, Math.min(from, start + 4) - first))
  for (let i = start; i < start + 4; i++) {
    const d = Math.abs(at - i)
    const part = d < 1 ? 1.5 * d ** 3 - 2.5 * d ** 2 + 1 : -0.5 * d ** 3 + 2.5 * d ** 2 - 4 * d + 2
    const place = Math.min(parts.length - 1, Math.max(0, i - first))
    parts[place] = (parts[place] ?? 0) + part
  }
  return { first, parts }
}
