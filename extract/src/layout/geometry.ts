// Boxes and the numbers that are taken from many of them.

import type { Box } from './types.ts'

export function around(boxes: readonly Box[]): Box {
  let [x0, y0, x1, y1] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]
  for (const box of boxes) {
    if (box.x0 < x0) x0 = box.x0
    if (box.y0 < y0) y0 = box.y0
    if (box.x1 > x1) x1 = box.x1
    if (box.y1 > y1) y1 = box.y1
  }
  return { x0, y0, x1, y1 }
}

/** The same box as a list, as the API has it. */
export const bboxOf = ({ x0, y0, x1, y1 }: Box): number[] => [x0, y0, x1, y1]

/** How long two stretches run side by side; negative is the distance between them. */
export const shared = (a0: number, a1: number, b0: number, b1: number): number => Math.min(a1, b1) - Math.max(a0, b0)

export const middleY = ({ y0, y1 }: Box): number => (y0 + y1) / 2
export const middleX = ({ x0, x1 }: Box): number => (x0 + x1) / 2

export function holds(outer: Box, inner: Box): boolean {
  const [x, y] = [middleX(inner), middleY(inner)]
  return x >= outer.x0 && x <= outer.x1 && y >= outer.y0 && y <= outer.y1
}

/** The index of the stretch between two borders that a place is in, or of the nearest one. */
export const placeIn = (borders: readonly number[], at: number): number =>
  Math.min(
    borders.length - 2,
    Math.max(
      0,
      borders.findLastIndex((border) => border <= at),
    ),
  )

/** 0 of nothing. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return 0
  return Float64Array.from(values).sort()[values.length >> 1] ?? 0
}

/** Values that are closer than `reach` to the next are one; its place is the middle of the outermost two. */
export function clustered(values: readonly number[], reach: number): number[] {
  const clusters: { from: number; to: number }[] = []
  for (const value of values.toSorted((a, b) => a - b)) {
    const last = clusters.at(-1)
    if (last && value - last.to <= reach) last.to = value
    else clusters.push({ from: value, to: value })
  }
  return clusters.map(({ from, to }) => (from + to) / 2)
}

/** Sets that grow together. */
export class Unions {
  readonly #parents: Int32Array
  constructor(size: number) {
    this.#parents = Int32Array.from({ length: size }, (_, index) => index)
  }

  find(member: number): number {
    let root = member
    while ((this.#parents[root] ?? root) !== root) {
      const next = this.#parents[root] ?? root
      this.#parents[root] = this.#parents[next] ?? next
      root = next
    }
    return root
  }

  join(a: number, b: number): void {
    this.#parents[this.find(a)] = this.find(b)
  }
}
