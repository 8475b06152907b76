// The straight lines of a page, such as those of tables: long runs of ink along rows and columns.

import { darknessLimit, type Grey } from './grey.ts'
import { noiseOf } from './noise.ts'
import type { Rule } from './types.ts'

// In inches. A piece is longer than any stroke of ordinary letters.
const PIECE = 0.2
const SHORTEST = 0.4
const SHORTEST_JOINED = 0.15
const THICKEST = 0.045
const GAP = 0.05
// Share of paper along both sides of a line. Rows of dense text have no paper beside them.
const PAPER_BESIDE = 0.7
const MAX_RULES = 4000

/** Ink along one row (or column) of pixels. */
interface Run {
  line: number
  start: number
  end: number
}

interface Band extends Run {
  first_line: number
  /** Sums for the middle, weighted by length. */
  moment: number
  ink: number
}

export function findRules(grey: Grey, dpi: number): Rule[] {
  const limit = inkLimit(grey)
  const level = bandsOf(rowRuns(grey, limit, dpi * PIECE), dpi).filter((band) => isFree(grey, limit, band, 'row'))
  const upright = bandsOf(columnRuns(grey, limit, dpi * SHORTEST_JOINED), dpi).filter((band) =>
    isFree(grey, limit, band, 'column'),
  )
  const long_level = level.filter((band) => lengthOf(band) >= dpi * SHORTEST)
  const kept = upright.filter((band) => lengthOf(band) >= dpi * SHORTEST || touches(band, long_level, dpi * GAP))
  const rules = [
    ...long_level.map((band) => ({ x0: band.start, y0: middle(band), x1: band.end + 1, y1: middle(band) })),
    ...kept.map((band) => ({ x0: middle(band), y0: band.start, x1: middle(band), y1: band.end + 1 })),
  ]
  return rules.sort((a, b) => b.x1 - b.x0 + b.y1 - b.y0 - (a.x1 - a.x0 + a.y1 - a.y0)).slice(0, MAX_RULES)
}

const lengthOf = (band: Run) => band.end - band.start + 1
const middle = (band: Band) => band.moment / band.ink + 0.5

/** Table lines are often thin and light gray, far lighter than ink: slightly darker than the paper is enough here. */
function inkLimit(grey: Grey): number {
  const counts = new Uint32Array(256)
  for (const value of grey.pixels) counts[value] = (counts[value] ?? 0) + 1
  let paper = 255
  for (let value = 128; value < 256; value++) if ((counts[value] ?? 0) > (counts[paper] ?? 0)) paper = value
  return Math.max(darknessLimit(grey), paper - Math.min(40, 14 + 15 * noiseOf(grey).grain))
}

function rowRuns({ width, height, pixels }: Grey, limit: number, shortest: number): Run[] {
  const runs: Run[] = []
  for (let y = 0; y < height; y++) {
    let [start, end] = [0, -2]
    for (let x = 0, i = y * width; x < width; x++, i++) {
      if ((pixels[i] ?? 0) >= limit) continue
      // One pixel of paper may interrupt a line: noise.
      if (x - end > 2) {
        if (end - start >= shortest) runs.push({ line: y, start, end })
        start = x
      }
      end = x
    }
    if (end - start >= shortest) runs.push({ line: y, start, end })
  }
  return runs
}

/** As `rowRuns`, but still row by row: walking down the columns would miss the processor's cache at every step. */
function columnRuns({ width, height, pixels }: Grey, limit: number, shortest: number): Run[] {
  const runs: Run[] = []
  const starts = new Int32Array(width)
  const ends = new Int32Array(width).fill(-2)
  const finish = (x: number) => {
    const [start, end] = [starts[x] ?? 0, ends[x] ?? 0]
    if (end - start >= shortest) runs.push({ line: x, start, end })
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0, i = y * width; x < width; x++, i++) {
      if ((pixels[i] ?? 0) >= limit) continue
      if (y - (ends[x] ?? 0) > 2) {
        finish(x)
        starts[x] = y
      }
      ends[x] = y
    }
  }
  for (let x = 0; x < width; x++) finish(x)
  return runs.sort((a, b) => a.line - b.line || a.start - b.start)
}

/** Joins runs in neighboring rows that continue each other into one line; a line that is too thick is an area. */
function bandsOf(runs: Run[], dpi: number): Band[] {
  const gap = Math.ceil(dpi * GAP)
  let open: Band[] = []
  const bands: Band[] = []
  for (const run of runs) {
    open = open.filter((band) => run.line - band.line <= 2 || (bands.push(band), false))
    const band = open.find(({ start, end }) => run.start <= end + gap && run.end >= start - gap)
    if (!band) {
      open.push({ ...run, first_line: run.line, moment: run.line * lengthOf(run), ink: lengthOf(run) })
      continue
    }
    band.line = run.line
    band.start = Math.min(band.start, run.start)
    band.end = Math.max(band.end, run.end)
    band.moment += run.line * lengthOf(run)
    band.ink += lengthOf(run)
  }
  bands.push(...open)
  return bands.filter((band) => band.line - band.first_line < Math.max(4, dpi * THICKEST))
}

function isFree({ width, height, pixels }: Grey, limit: number, band: Band, along: 'row' | 'column'): boolean {
  const lines = along === 'row' ? height : width
  return [band.first_line - 2, band.line + 2].every((line) => {
    if (line < 0 || line >= lines) return true
    let paper = 0
    for (let at = band.start; at <= band.end; at++) {
      const i = along === 'row' ? line * width + at : at * width + line
      if ((pixels[i] ?? 0) >= limit) paper++
    }
    return paper >= PAPER_BESIDE * lengthOf(band)
  })
}

function touches(upright: Band, level: Band[], gap: number): boolean {
  const x = middle(upright)
  return level.some(
    (band) =>
      x >= band.start - gap &&
      x <= band.end + gap &&
      [upright.start, upright.end].some((y) => Math.abs(y - middle(band)) <= gap),
  )
}
