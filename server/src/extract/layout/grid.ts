// Lines that meet → grids.

import { clustered, shared, Unions } from './geometry.ts'
import type { Line, Lines } from './rules.ts'
import type { Box } from './types.ts'

export interface Grid {
  box: Box
  /** Borders of columns and rows, the outermost included. */
  xs: number[]
  ys: number[]
  /** Whether lines are drawn between columns only. */
  is_open: boolean
  /** Whether a line is drawn at border `at` beside a row; weak is one that is only an edge of a colour. */
  hasDown(row: number, at: number): 'line' | 'weak' | null
  hasAcross(at: number, column: number): 'line' | 'weak' | null
}

/** Lines of one length beside each other that none crosses, as in tables that have lines between rows only. */
export type Stack = Line[]

/** Lines inside a frame, without those at its four sides, and without filled areas: in a frame these are labels. */
export function gridsOf(lines: Lines, em: number): { grids: Grid[]; stacks: Stack[] } {
  const reach = em * 0.3
  const { across, down } = lines
  const unions = new Unions(across.length + down.length)
  for (const [i, a] of across.entries()) {
    for (const [j, d] of down.entries()) {
      if (d.at >= a.from - reach && d.at <= a.to + reach && a.at >= d.from - reach && a.at <= d.to + reach)
        unions.join(i, across.length + j)
    }
  }
  const groups = new Map<number, Lines>()
  const groupOf = (index: number): Lines => {
    const root = unions.find(index)
    const group = groups.get(root) ?? { across: [], down: [] }
    groups.set(root, group)
    return group
  }
  for (const [index, one] of across.entries()) groupOf(index).across.push(one)
  for (const [index, one] of down.entries()) groupOf(across.length + index).down.push(one)
  const alone = [...groups.values()].filter((group) => group.down.length === 0).flatMap((group) => group.across)
  const crossed = [...groups.values()].filter((group) => group.across.length > 0 && group.down.length > 0)
  const grids = crossed.flatMap((group) => gridOf(group, em)).sort((a, b) => area(a.box) - area(b.box))
  const standing = [...groups.values()].filter((group) => group.across.length === 0).flatMap((group) => group.down)
  for (const pillars of pillarsOf(standing, em)) grids.push(...gridOf({ across: [], down: pillars }, em))
  return { grids, stacks: stacksOf(alone, em) }
}

const area = ({ x0, y0, x1, y1 }: Box): number => (x1 - x0) * (y1 - y0)

/** Long lines first. */
function stacksOf(lines: readonly Line[], em: number): Stack[] {
  const stacks: Stack[] = []
  for (const line of lines.toSorted((a, b) => b.to - b.from - (a.to - a.from))) {
    if (line.to - line.from < em * 3) continue
    const stack = stacks.find(
      ([first]) => first && Math.abs(first.from - line.from) < em * 0.4 && Math.abs(first.to - line.to) < em * 0.4,
    )
    if (stack) stack.push(line)
    else stacks.push([line])
  }
  return stacks.filter((stack) => stack.length >= 2)
}

function gridOf({ across, down }: Lines, em: number): Grid[] {
  const reach = em * 0.3
  const xs = clustered(
    down.map(({ at }) => at),
    reach,
  )
  const heights = across.length > 0 ? across.map(({ at }) => at) : down.flatMap(({ from, to }) => [from, to])
  const ys = clustered(heights, reach)
  addEnds(xs, across, em)
  addEnds(ys, down, em)
  const [x0, x1, y0, y1] = [xs[0], xs.at(-1), ys[0], ys.at(-1)]
  if (x0 === undefined || x1 === undefined || y0 === undefined || y1 === undefined || xs.length < 2 || ys.length < 2)
    return []
  // A single colored row is a stripe: the rows above and below it belong to the table as well.
  if (ys.length === 2 && [...across, ...down].every(({ is_edge }) => is_edge)) return []
  const downs = presence(down, xs, ys)
  const acrosses = presence(across, ys, xs)
  const box = { x0, y0, x1, y1 }
  const hasDown: Grid['hasDown'] = (row, at) => said(downs[at]?.[row])
  const hasAcross: Grid['hasAcross'] = (at, column) => said(acrosses[at]?.[column])
  return [{ box, xs, ys, is_open: across.length === 0, hasDown, hasAcross }]
}

/** Lines down that begin or end together, as in tables that have lines between columns only. */
function pillarsOf(lines: readonly Line[], em: number): Stack[] {
  const pillars: Stack[] = []
  const isNear = (a: number, b: number) => Math.abs(a - b) < em * 0.4
  for (const line of lines.toSorted((a, b) => b.to - b.from - (a.to - a.from))) {
    if (line.to - line.from < em * 2) continue
    const met = pillars.find(([first]) => first && (isNear(first.from, line.from) || isNear(first.to, line.to)))
    if (met) met.push(line)
    else pillars.push([line])
  }
  return pillars.filter((pillar) => pillar.length >= 3)
}

const said = (mark: number | undefined): 'line' | 'weak' | null => (mark === 2 ? 'line' : mark === 1 ? 'weak' : null)

/** Open sides: lines that go on beyond the last one that crosses them end at a border that is not drawn. */
function addEnds(borders: number[], crossing: readonly Line[], em: number): void {
  const from = Math.min(...crossing.map((line) => line.from))
  const to = Math.max(...crossing.map((line) => line.to))
  if (crossing.length === 0) return
  if (from < (borders[0] ?? Number.POSITIVE_INFINITY) - em * 0.8) borders.unshift(from)
  if (to > (borders.at(-1) ?? Number.NEGATIVE_INFINITY) + em * 0.8) borders.push(to)
}

/** For each border and each stretch between two borders of the other direction, whether a line is drawn. */
function presence(lines: readonly Line[], borders: readonly number[], others: readonly number[]): Uint8Array[] {
  const marks = borders.map(() => new Uint8Array(Math.max(0, others.length - 1)))
  for (const line of lines) {
    let nearest = 0
    for (const [index, border] of borders.entries())
      if (Math.abs(border - line.at) < Math.abs((borders[nearest] ?? 0) - line.at)) nearest = index
    const own = marks[nearest]
    if (!own) continue
    for (let index = 0; index < own.length; index++) {
      const [from, to] = [others[index] ?? 0, others[index + 1] ?? 0]
      if (shared(line.from, line.to, from, to) >= (to - from) * 0.5)
        own[index] = Math.max(own[index] ?? 0, line.is_edge ? 1 : 2)
    }
  }
  return marks
}
