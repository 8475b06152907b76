// Columns of text: regions of a page in the order in which they are read.

import type { Stretch } from './gaps.ts'
import { around, middleX, middleY, shared } from './geometry.ts'
import { partsOf, type Row, rowsOf } from './lines.ts'
import { weightOf } from './script.ts'
import type { Box, Word } from './types.ts'

/** A word, or something that is in the way of columns as a whole: a table, a figure. */
export type Item = { box: Box; word: Word } | { box: Box; word: null; index: number }

const MIN_GUTTER = 0.8
const MIN_COLUMN = 6
const MAX_DEPTH = 4
const MAX_STRIPS = 1_200
const MAX_GAPS = 60
const MAX_TRIES = 40
const MAX_GUTTERS = 7
/** In ems: how far apart two lines of one text are at most. */
const MAX_LEADING = 2.2

export function regionsOf(items: readonly Item[], em: number, depth = 0): Item[][] {
  if (items.length === 0) return []
  if (depth >= MAX_DEPTH) return [[...items]]
  const page = around(items.map(({ box }) => box))
  const strip = Math.max(em * 0.5, (page.y1 - page.y0) / MAX_STRIPS)
  const gaps = gapsByStrip(items, page, { strip, narrow: em * MIN_GUTTER }).map((own) =>
    own.filter((gap) => isRoom(gap, page, em)).slice(0, MAX_GAPS),
  )
  const regions: Item[][] = []
  let [plain_from, at, tries] = [0, 0, MAX_TRIES]
  const slice = (from: number, to: number) =>
    items.filter(({ box }) => {
      const place = Math.floor((middleY(box) - page.y0) / strip)
      return place >= from && place < to
    })
  const closePlain = (to: number) => {
    const own = slice(plain_from, to)
    if (own.length > 0) regions.push(own)
  }
  while (at < gaps.length) {
    const band = bandFrom(gaps, at, em)
    const columns = band && tries-- > 0 ? columnsIn(slice(at, band.end), band.gutters, em) : null
    if (!band || !columns) {
      at += band ? 2 : 1
      continue
    }
    if (columns === 'table') {
      at = band.end
      continue
    }
    closePlain(at)
    for (const column of columns) regions.push(...regionsOf(column, em, depth + 1))
    at = band.end
    plain_from = at
  }
  closePlain(gaps.length)
  return regions
}

/** Whether the gap has room for a gutter with a column on both sides. */
function isRoom({ x0, x1 }: Stretch, page: Box, em: number): boolean {
  return x1 - x0 >= em * MIN_GUTTER && x1 - page.x0 >= em * MIN_COLUMN && page.x1 - x0 >= em * MIN_COLUMN
}

/** The empty stretches of each strip, from far left to far right; gaps narrower than `narrow` may be left out. */
function gapsByStrip(
  items: readonly Item[],
  page: Box,
  { strip, narrow }: { strip: number; narrow: number },
): Stretch[][] {
  const count = Math.max(1, Math.ceil((page.y1 - page.y0) / strip))
  const filled: Stretch[][] = Array.from({ length: count }, () => [])
  for (const { box } of items) {
    const inset = Math.min((box.y1 - box.y0) * 0.2, strip)
    const first = Math.max(0, Math.floor((box.y0 + inset - page.y0) / strip))
    const last = Math.min(count - 1, Math.floor((box.y1 - inset - page.y0) / strip))
    for (let index = first; index <= last; index++) {
      const own = filled[index]
      const before = own?.at(-1)
      // Words mostly come in the order of their line.
      if (before && box.x0 >= before.x0 && box.x0 - before.x1 < narrow) before.x1 = Math.max(before.x1, box.x1)
      else own?.push({ x0: box.x0, x1: box.x1 })
    }
  }
  return filled.map((own) => {
    const gaps: Stretch[] = []
    let reach = Number.NEGATIVE_INFINITY
    for (const { x0, x1 } of own.sort((a, b) => a.x0 - b.x0)) {
      if (x0 > reach) gaps.push({ x0: reach, x1: x0 })
      reach = Math.max(reach, x1)
    }
    gaps.push({ x0: reach, x1: Number.POSITIVE_INFINITY })
    return gaps
  })
}

interface Band {
  end: number
  gutters: Stretch[]
}

/** As many strips as keep a gap in common that is not at the edge. */
function bandFrom(gaps: readonly Stretch[][], start: number, em: number): Band | null {
  let common = gaps[start] ?? []
  if (common.length === 0 || isEmpty(common)) return null
  let end = start + 1
  for (; end < gaps.length; end++) {
    const next = bothOf(common, gaps[end] ?? [], em * MIN_GUTTER)
    // A gutter reaches to the edge of the page until a strip has content on its other side.
    if (next.length === 0 || (common.some(isInner) && !next.some(isInner))) break
    common = next
  }
  const gutters = common.filter(isInner)
  return gutters.length > 0 && gutters.length <= MAX_GUTTERS && end - start >= 6 ? { end, gutters } : null
}

const isEmpty = ([only, ...others]: readonly Stretch[]): boolean =>
  others.length === 0 && only !== undefined && !Number.isFinite(only.x0) && !Number.isFinite(only.x1)

/** Both are in order, from left to right. */
function bothOf(some: readonly Stretch[], others: readonly Stretch[], least: number): Stretch[] {
  const result: Stretch[] = []
  let [i, j] = [0, 0]
  while (i < some.length && j < others.length) {
    const [a, b] = [some[i], others[j]]
    if (!a || !b) break
    const x0 = Math.max(a.x0, b.x0)
    const x1 = Math.min(a.x1, b.x1)
    if (x1 - x0 >= least) result.push({ x0, x1 })
    if (a.x1 < b.x1) i++
    else j++
  }
  return result
}

const isInner = ({ x0, x1 }: Stretch): boolean => Number.isFinite(x0) && Number.isFinite(x1)

/** Null unless each of them is text that runs on from line to line; cells of a table may be such text too. */
function columnsIn(items: readonly Item[], gutters: readonly Stretch[], em: number): Item[][] | 'table' | null {
  const borders = gutters.map(({ x0, x1 }) => (x0 + x1) / 2)
  const columns: Item[][] = Array.from({ length: borders.length + 1 }, () => [])
  for (const item of items) columns[borders.filter((x) => x < middleX(item.box)).length]?.push(item)
  const filled = columns.filter((column) => column.length > 0)
  if (filled.length < 2) return null
  const kinds = filled.map((column) => proseIn(column, em))
  const total = kinds.reduce((sum, { lines }) => sum + lines, 0)
  if (total >= 5 && kinds.every(({ is_prose }) => is_prose)) return filled
  if (areIndependent(filled)) return filled
  const [first, ...others] = filled
  return first && kinds[0]?.is_prose === false && areLabels(first, others.flat()) ? 'table' : null
}

/** Independent texts side by side, such as two addresses: few lines of one are level with a line of the other. */
function areIndependent(columns: readonly (readonly Item[])[]): boolean {
  const rows = columns.map((column) => rowsOf(column.flatMap(({ word }) => word ?? [])))
  return rows.slice(1).every((right, index) => {
    const beside = (rows[index] ?? []).flatMap((row) => {
      const offsets = right
        .filter((other) => shared(row.y0, row.y1, other.y0, other.y1) > 0)
        .map((other) => Math.abs(other.y1 - row.y1) / Math.max(row.size, other.size))
      return offsets.length === 0 ? [] : [Math.min(...offsets)]
    })
    return beside.length >= 3 && beside.filter((offset) => offset < 0.2).length <= beside.length * 0.34
  })
}

/** Whether most lines of a column are level with a line of the other columns, as row labels are. */
function areLabels(column: readonly Item[], others: readonly Item[]): boolean {
  const labels = rowsOf(column.flatMap(({ word }) => word ?? []))
  const lines = rowsOf(others.flatMap(({ word }) => word ?? []))
  if (labels.length < 3) return false
  const beside = labels.filter((label) => lines.some((line) => Math.abs(line.y1 - label.y1) < label.size * 0.15))
  return beside.length >= labels.length * 0.8
}

function proseIn(items: readonly Item[], em: number): { is_prose: boolean; lines: number } {
  const words = items.flatMap(({ word }) => word ?? [])
  const others = items.filter(({ word }) => word === null)
  const parts = rowsOf(words).flatMap((row) => partsOf(row.words, em * 0.9))
  const box = around(items.map((item) => item.box))
  let [full, all, lines] = [0, 0, others.length]
  // Row labels of a table may be as long as a line of text, but none continues on the next line.
  const goesOn = (part: Row, index: number) =>
    part.y1 - (parts[index - 1]?.y1 ?? Number.NEGATIVE_INFINITY) < em * MAX_LEADING
  if (others.length === 0 && parts.length >= 3 && !parts.some(goesOn)) return { is_prose: false, lines }
  const width = box.x1 - box.x0
  // Lines of an indented text, such as an item of a list, begin below each other.
  const isIndented = ({ x0, x1 }: Row, index: number) =>
    x1 >= box.x1 - width * 0.25 &&
    [parts[index - 1], parts[index + 1]].some((other) => other && Math.abs(other.x0 - x0) < em * 0.3)
  for (const [index, part] of parts.entries()) {
    const weight = part.words.reduce((sum, { text }) => sum + weightOf(text) + 1, 0)
    all += weight
    const is_full = shared(part.x0, part.x1, box.x0, box.x1) >= width * 0.7 || isIndented(part, index)
    if (!is_full || weight < 18) continue
    full += weight
    lines++
  }
  return { is_prose: lines > 0 && (others.length > 0 || full >= all * 0.5), lines }
}
