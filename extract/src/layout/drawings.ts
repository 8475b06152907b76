// Charts and diagrams: their labels are neither tables nor headings.

import { around, holds, middleX, middleY, shared, Unions } from './geometry.ts'
import type { Box } from './types.ts'

/** Each is compared with all others. */
const MAX_DRAWINGS = 600
/** In ems. */
const [REACH, MIN_SIDE] = [2.5, 5]
const MIN_STROKES = 3
/** In ems. */
const MIN_APART = 0.25
/** In parts of the page: more is a background. */
const MAX_PART = 0.5

interface PageArea {
  width: number
  height: number
}

/** Areas of drawings that are close to each other, with the space for labels around them. */
export function findDrawings(drawings: readonly Box[], { width, height }: PageArea, em: number): Box[] {
  const own = drawings.filter((box) => areaOf(box) < width * height * MAX_PART).slice(0, MAX_DRAWINGS)
  const unions = new Unions(own.length)
  for (const [index, box] of own.entries())
    for (let other = 0; other < index; other++)
      if (isNear(box, own[other] ?? box, em * REACH)) unions.join(index, other)
  const groups = Map.groupBy(own, (_, index) => unions.find(index))
  return [...groups.values()].flatMap((group) => {
    const { x0, y0, x1, y1 } = around(group)
    const is_small = Math.min(x1 - x0, y1 - y0) < em * MIN_SIDE
    if (is_small || group.length < MIN_STROKES) return []
    return [{ x0: x0 - em * REACH, y0: y0 - em, x1: x1 + em, y1: y1 + em * REACH }]
  })
}

const areaOf = ({ x0, y0, x1, y1 }: Box): number => Math.max(0, x1 - x0) * Math.max(0, y1 - y0)

const isNear = (a: Box, b: Box, reach: number): boolean =>
  shared(a.x0, a.x1, b.x0, b.x1) > -reach && shared(a.y0, a.y1, b.y0, b.y1) > -reach

/** Whether most cells have a frame each, and no frame touches another: boxes of a diagram. */
export function areBoxed(cells: readonly Box[], frames: readonly Box[], em: number): boolean {
  if (frames.length < MIN_STROKES || cells.length < MIN_STROKES) return false
  const own = new Set<Box>()
  let count = 0
  for (const cell of cells) {
    const around_it = frames.filter((frame) => holds(frame, cell)).sort((a, b) => areaOf(a) - areaOf(b))
    const [frame] = around_it
    if (!frame || cells.some((other) => other !== cell && holds(frame, other))) continue
    own.add(frame)
    count++
  }
  const isApart = (frame: Box) => ![...own].some((other) => other !== frame && isNear(frame, other, em * MIN_APART))
  return count >= cells.length * 0.5 && [...own].filter(isApart).length >= own.size * 0.7
}

/** Whether at least half of a box is part of a drawing. */
export function isDrawn(box: Box, areas: readonly Box[]): boolean {
  return areas.some((area) => {
    const [wide, high] = [shared(box.x0, box.x1, area.x0, area.x1), shared(box.y0, box.y1, area.y0, area.y1)]
    return wide > 0 && high > 0 && wide * high > areaOf(box) * 0.5
  })
}

/** Whether strokes of a drawing run through a box. */
export function isStruck(box: Box, drawings: readonly Box[]): boolean {
  const inside = drawings.filter((drawing) => {
    const [x, y] = [middleX(drawing), middleY(drawing)]
    return x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1 && areaOf(drawing) < areaOf(box) * 1.2
  })
  return inside.length >= MIN_STROKES || inside.some((drawing) => areaOf(drawing) > areaOf(box) * 0.2)
}
