// Findings from a sample of a document's pages: sizes of text and headings, and rows that repeat at the top or bottom.

import { mainSize, type Row, rowsOf, textOfRow } from './lines.ts'
import type { EdgePlace, Survey, Word } from './types.ts'

export interface SampledPage {
  number: number
  height: number
  words: readonly Word[]
}

const EDGE = 0.2
const EDGE_ROWS = 4
/** In parts of the page's height. */
const SAME_PLACE = 0.012
const MIN_SHARE = 0.2
/** Two forms in one file may begin alike. */
const MIN_REPEATED = 3
const MIN_HEADING = 1.12
const MAX_HEADING_CHARACTERS = 120
/** Sizes that differ by less are of one level. */
const SAME_SIZE = 0.95

interface EdgeRow extends EdgePlace {
  size: number
  page: number
  text: string
  numbers: number[]
}

/** null: too little to compare. */
export function surveyOf(pages: readonly SampledPage[]): Survey | null {
  if (pages.length < 2) return null
  const sampled = pages.map((page) => ({ ...page, rows: rowsOf(page.words) }))
  const body = mainSize(pages.flatMap(({ words }) => words))
  if (body === 0) return null
  const edges = sampled.flatMap(({ number, height, rows }) => edgeRows(rows, { number, height }))
  const least = Math.max(2, Math.ceil(pages.length * MIN_SHARE))
  const repeated = repeatedRows(edges, Math.max(MIN_REPEATED, least))
  const found = {
    repeated,
    page_numbers: pageNumbers(
      edges.filter(({ size }) => size < body * MIN_HEADING),
      least,
    ),
    body,
  }
  const headings = sampled.flatMap(({ number, height, rows }) =>
    rows
      .filter((row) => row.size >= body * MIN_HEADING && !isRunningRow(row, { ...found, number, height }))
      .map((row) => ({ page: number, size: row.size, text: textOfRow(row.words) }))
      .filter(({ text }) => /\p{L}{2}/u.test(text) && text.length <= MAX_HEADING_CHARACTERS),
  )
  const heading_sizes = stepsOf(headings)
  const numbered = headings.filter(({ text }) => /^\d{1,2}\.?\s+\p{L}/u.test(text)).map(({ size }) => size)
  return {
    ...found,
    heading_sizes,
    numbered_level: numbered.length === 0 ? null : levelOfSize(Math.max(...numbered), heading_sizes),
  }
}

/** From 1. */
export const levelOfSize = (size: number, steps: readonly number[]): number =>
  steps.filter((step) => size < step * SAME_SIZE).length + 1

/** A size that only the first page has is that of the title. */
function stepsOf(headings: readonly { page: number; size: number }[]): number[] {
  const last_page = new Map<number, number>()
  for (const { page, size } of headings) {
    const key = Math.round(size * 10) / 10
    last_page.set(key, Math.max(page, last_page.get(key) ?? 0))
  }
  const steps: number[] = []
  const sizes = [...last_page].filter(([, page]) => page > 1).map(([size]) => size)
  for (const size of sizes.sort((a, b) => b - a)) {
    const above = steps.at(-1)
    if (above === undefined || size < above * SAME_SIZE) steps.push(size)
  }
  return steps
}

function edgeRows(rows: readonly Row[], page: { number: number; height: number }): EdgeRow[] {
  const top = rows.slice(0, EDGE_ROWS).filter(({ y1 }) => y1 < page.height * EDGE)
  const bottom = rows.slice(-EDGE_ROWS).filter(({ y0 }) => y0 > page.height * (1 - EDGE))
  return [...top.map((row) => edgeRow(row, 'top', page)), ...bottom.map((row) => edgeRow(row, 'bottom', page))]
}

function edgeRow(row: Row, edge: EdgePlace['edge'], { number, height }: { number: number; height: number }): EdgeRow {
  const text = textOfRow(row.words)
  return { edge, y: row.y1 / height, size: row.size, page: number, text: plain(text), numbers: numbersOf(text) }
}

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim()

/** The numbers that a row begins or ends with. */
function numbersOf(text: string): number[] {
  const found = [/^\D{0,8}(\d{1,5})(?!\S)/.exec(text)?.[1], /(?<!\S)(\d{1,5})\D{0,3}$/.exec(text)?.[1]]
  const of = /(?<!\S)(\d{1,5})\s*(?:\/|of|von|de|di|sur|z|из)\s*\d{1,5}$/i.exec(text)?.[1]
  return [...found, of].flatMap((digits) => (digits === undefined ? [] : [Number(digits)]))
}

const areAlike = (a: EdgePlace, b: EdgePlace): boolean => a.edge === b.edge && Math.abs(a.y - b.y) < SAME_PLACE

function repeatedRows(rows: readonly EdgeRow[], least: number): Survey['repeated'] {
  return rows.filter((row, index) => {
    if (!/\p{L}/u.test(row.text)) return false
    const same = rows.filter((other) => other.text === row.text && areAlike(other, row))
    return rows.indexOf(same[0] ?? row) === index && new Set(same.map(({ page }) => page)).size >= least
  })
}

function pageNumbers(rows: readonly EdgeRow[], least: number): Survey['page_numbers'] {
  const offsets = rows.flatMap(({ edge, y, page, numbers }) =>
    numbers.map((value) => ({ edge, y, page, offset: value - page })),
  )
  return offsets.filter((one, index) => {
    const same = offsets.filter((other) => other.offset === one.offset && areAlike(other, one))
    return offsets.indexOf(same[0] ?? one) === index && new Set(same.map(({ page }) => page)).size >= least
  })
}

interface RunningPage extends Pick<Survey, 'body' | 'repeated' | 'page_numbers'> {
  number: number
  height: number
}

/** Whether the survey knows a row as running. A text that repeats is not on the first page that has it. */
export function isRunningRow(row: Row, page: RunningPage): boolean {
  const y = row.y1 / page.height
  if (y > EDGE && y < 1 - EDGE) return false
  const edge = y < 0.5 ? 'top' : 'bottom'
  const { text, numbers } = edgeRow(row, edge, page)
  const isPageNumber = page.page_numbers.some(
    (one) => areAlike(one, { edge, y }) && numbers.includes(page.number + one.offset),
  )
  if (isPageNumber && row.size < page.body * MIN_HEADING) return true
  return page.repeated.some((one) => one.text === text && one.page < page.number && areAlike(one, { edge, y }))
}
