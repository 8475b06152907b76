// Straight lines of a page, put in order: pieces that continue each other are one.

import type { Box, PageFrame } from './types.ts'

/** A horizontal or vertical line: its position, and where it starts and ends. */
export interface Line {
  at: number
  from: number
  to: number
  /** Only the edge of a filled area. */
  is_edge: boolean
}

export interface Lines {
  across: Line[]
  down: Line[]
}

const MAX_LINES = 1_500

export function linesOf({ rules, fills, width, height }: PageFrame, em: number): Lines {
  const across: Line[] = []
  const down: Line[] = []
  for (const rule of rules) {
    const [long, high] = [Math.abs(rule.x1 - rule.x0), Math.abs(rule.y1 - rule.y0)]
    if (long >= high * 4) across.push(line(rule, 'x', false))
    else if (high >= long * 4) down.push(line(rule, 'y', false))
  }
  for (const { x0, y0, x1, y1 } of fills ?? []) {
    if ((x1 - x0) * (y1 - y0) > width * height * 0.6 || x1 - x0 < em || y1 - y0 < em * 0.8) continue
    across.push({ at: y0, from: x0, to: x1, is_edge: true }, { at: y1, from: x0, to: x1, is_edge: true })
    down.push({ at: x0, from: y0, to: y1, is_edge: true }, { at: x1, from: y0, to: y1, is_edge: true })
  }
  const reach = em * 0.15
  return { across: merged(across, reach, em), down: merged(down, reach, em) }
}

function line({ x0, y0, x1, y1 }: Box, along: 'x' | 'y', is_edge: boolean): Line {
  if (along === 'x') return { at: (y0 + y1) / 2, from: Math.min(x0, x1), to: Math.max(x0, x1), is_edge }
  return { at: (x0 + x1) / 2, from: Math.min(y0, y1), to: Math.max(y0, y1), is_edge }
}

function merged(lines: Line[], reach: number, em: number): Line[] {
  const groups: { at: number; lines: Line[] }[] = []
  for (const one of lines.sort((a, b) => a.at - b.at)) {
    const group = groups.at(-1)
    if (group && one.at - group.at <= reach) group.lines.push(one)
    else groups.push({ at: one.at, lines: [one] })
  }
  const result = groups.flatMap((group) => [
    ...continued(
      group.lines.filter(({ is_edge }) => !is_edge),
      em * 0.3,
    ),
    ...continued(
      group.lines.filter(({ is_edge }) => is_edge),
      em * 0.3,
    ),
  ])
  if (result.length <= MAX_LINES) return result
  return result.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MAX_LINES)
}

function continued(lines: Line[], gap: number): Line[] {
  const result: Line[] = []
  for (const one of lines.sort((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last && one.from <= last.to + gap) last.to = Math.max(last.to, one.to)
    else result.push({ ...one })
  }
  return result
}
