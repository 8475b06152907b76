// Grain and specks, as scanners, cameras and fax machines leave them. A clean page is left alone: its finest strokes
// would suffer.

import { darknessLimit, type Grey } from './grey.ts'

// Limits of a clean page: the difference between a paper pixel and its neighbors, and the share of isolated dark
// pixels.
const MOST_GRAIN = 6
const MOST_SPECKS = 0.001

export function cleanNoise(grey: Grey): Grey {
  if (grey.width < 3 || grey.height < 3) return grey
  const { grain, specks } = noiseOf(grey)
  if (grain <= MOST_GRAIN && specks <= MOST_SPECKS) return grey
  const despeckled = despeckle(grey)
  return grain > MOST_GRAIN ? soften(despeckled) : despeckled
}

/** From every fifth row; specks as a part of all pixels. */
export function noiseOf(grey: Grey): { grain: number; specks: number } {
  const { width, height, pixels } = grey
  const limit = darknessLimit(grey)
  let [paper, difference, specks, seen] = [0, 0, 0, 0]
  for (let y = 1; y < height - 1; y += 5) {
    for (let i = y * width + 1; i < (y + 1) * width - 1; i++) {
      const value = pixels[i] ?? 0
      const left = pixels[i - 1] ?? 0
      const right = pixels[i + 1] ?? 0
      const up = pixels[i - width] ?? 0
      const down = pixels[i + width] ?? 0
      const lowest = Math.min(left, right, up, down)
      seen++
      if (lowest < limit) continue
      if (value < limit) {
        specks += value < lowest - 60 ? 1 : 0
        continue
      }
      paper++
      difference += Math.abs(value - (left + right + up + down) / 4)
    }
  }
  // The mean difference of normal noise to the mean of four others, as a standard deviation.
  return { grain: paper === 0 ? 0 : (difference / paper) * 1.12, specks: seen === 0 ? 0 : specks / seen }
}

/** A pixel may be no darker than the second darkest of its eight neighbors, and no lighter than the second lightest. */
function despeckle({ width, height, pixels }: Grey): Grey {
  const cleaned = pixels.slice()
  const around = [1, -1, width, -width, width + 1, -width - 1, width - 1, -width + 1]
  for (let y = 1; y < height - 1; y++) {
    for (let i = y * width + 1; i < (y + 1) * width - 1; i++) {
      const value = pixels[i] ?? 0
      let as_dark = 0
      let as_light = 0
      for (let n = 0; n < 8 && (as_dark < 2 || as_light < 2); n++) {
        const other = pixels[i + (around[n] ?? 0)] ?? 0
        if (other <= value) as_dark++
        if (other >= value) as_light++
      }
      if (as_dark >= 2 && as_light >= 2) continue
      cleaned[i] = as_dark < 2 ? secondDarkest(pixels, i, around) : 255 - secondDarkest(pixels, i, around, 255)
    }
  }
  return { width, height, pixels: cleaned }
}

/** With `flip` 255 the second lightest, from 255 down. */
function secondDarkest(pixels: Uint8Array, i: number, around: readonly number[], flip = 0): number {
  let darkest = 255
  let second = 255
  for (let n = 0; n < 8; n++) {
    const value = (pixels[i + (around[n] ?? 0)] ?? 0) ^ flip
    if (value < darkest) {
      second = darkest
      darkest = value
    } else if (value < second) second = value
  }
  return second
}

/** 1-2-1 along rows and columns. */
function soften({ width, height, pixels }: Grey): Grey {
  const softened = pixels.slice()
  let above = new Uint16Array(width)
  let row = new Uint16Array(width)
  let below = new Uint16Array(width)
  const sumRow = (y: number, into: Uint16Array) => {
    for (let x = 1, i = y * width + 1; x < width - 1; x++, i++) {
      into[x] = (pixels[i - 1] ?? 0) + 2 * (pixels[i] ?? 0) + (pixels[i + 1] ?? 0)
    }
  }
  sumRow(0, above)
  sumRow(1, row)
  for (let y = 1; y < height - 1; y++) {
    sumRow(y + 1, below)
    for (let x = 1; x < width - 1; x++) {
      softened[y * width + x] = ((above[x] ?? 0) + 2 * (row[x] ?? 0) + (below[x] ?? 0) + 8) >> 4
    }
    ;[above, row, below] = [row, below, above]
  }
  return { width, height, pixels: softened }
}
