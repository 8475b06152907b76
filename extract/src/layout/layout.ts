// Words and straight lines of a page → blocks in reading order.

import type { Block } from '@octavo/contract'
import { tieCaptions } from '../captions.ts'
import { cellAreas } from './areas.ts'
import { type Banner, findBanners } from './banners.ts'
import { blocksOf, leadingOf, type PlacedBlock } from './blocks.ts'
import { type Bbox, withBoxes } from './boxes.ts'
import { joinBullets } from './bullets.ts'
import type { FoundBlock } from './cells.ts'
import { type Item, regionsOf } from './columns.ts'
import { areBoxed, findDrawings, isDrawn, isStruck } from './drawings.ts'
import { type CaptionLine, captionLines, isAboveFigureCaption } from './figure-captions.ts'
import { markFootnotes } from './footnotes.ts'

import { findForm } from './form.ts'
import { type Scale, scaleOf } from './gaps.ts'
import { bboxOf, holds } from './geometry.ts'
import { findBanded } from './head-bands.ts'
import { rankHeadings } from './headings.ts'
import { withoutLineNumbers } from './line-numbers.ts'
import { mainSize, type Row, rowsOf } from './lines.ts'
import { findRuled } from './ruled.ts'
import { type Line, linesOf } from './rules.ts'
import { findRunning } from './running.ts'
import { emptyHalves } from './script.ts'
import type { Box, FormField, LayoutOptions, PageFrame, Word } from './types.ts'
import { findUnruled } from './unruled.ts'

const MIN_FIGURE = 0.01
const MAX_FIGURE = 0.7
const MIN_FILLED = 0.6
const MIN_FRAME = 0.96
const MIN_FIELDS = 3

export function layoutPage(words: readonly Word[], page: PageFrame, options: LayoutOptions = {}): Block[] {
  const kept = words.filter((word) => word.text !== '' && isWithin(word, page)).map(whole)
  const seen = joinBullets(withoutLineNumbers(rowsOf(kept)))
  const body = mainSize(seen) || 10
  const rows = rowsOf(seen)
  const fills = cellAreas(page.fills ?? [], { rules: page.rules, rows, em: body })
  const lines = linesOf({ ...page, fills }, body)
  const scale = scaleOf(rows, body)
  const form = page.form?.length ? findForm(page.form, rows, body) : []
  const labels = new Set(form.flatMap((block) => [...block.words]))
  const figures = findDrawings(page.drawings ?? [], page, body)
  const isFigure = ({ box, block }: PlacedBlock) =>
    isDrawn(box, figures) ||
    isStruck(box, page.drawings ?? []) ||
    areBoxed(boxesOfCells(block), page.frames ?? [], body)
  const captions = captionLines(rows, body)
  const unlabeled = labels.size === 0 ? seen : seen.filter((word) => !labels.has(word))
  const isChart = (table: FoundBlock) =>
    isFigure(table) ||
    isFrame(table.box, page) ||
    isBlankForm(table, page.form ?? []) ||
    (isSparse(table) && isAboveFigureCaption(table.box, captions))
  const banded = findBanded(unlabeled, page.fills ?? [], { lines, scale })
  const banded_words = new Set(banded.flatMap((table) => [...table.words]))
  const unbanded = unlabeled.filter((word) => !banded_words.has(word))
  const ruled = [...banded, ...findRuled(unbanded, lines, scale).filter((table) => !isChart(table)), ...form]
  const taken = new Set(ruled.flatMap((table) => [...table.words]))
  const free = seen.filter((word) => !taken.has(word))
  const running = findRunning(free, { ruled, page, body, across: lines.across, options })
  const apart = [...ruled.map(placed), ...figuresOf(page, ruled)]
  const items: Item[] = running.rest.map((word) => ({ box: word, word }))
  for (const [index, { box }] of apart.entries()) items.push({ box, word: null, index })
  const banners = findBanners(rows, page.fills ?? [], body)
  const survey = options.survey ?? null
  const em = survey?.body ?? body
  const given = {
    apart,
    isFigure,
    captions,
    borders: lines.across,
    banners,
    scale,
    em,
    is_mono: isMono(seen),
    leading: leadingOf(rows),
  }
  const blocks = regionsOf(items, body).flatMap((region) => blocksIn(region, given))
  const all = [...running.headers, ...blocks, ...running.footers]
  rankHeadings(all, { body: em, height: page.height, is_first_page: options.is_first_page === true, survey })
  markFootnotes(all, { em, height: page.height })
  return tieCaptions(
    all.map(({ block, box }) => withBoxes({ ...block, bbox: bboxOf(box) }, (bbox) => fractions(bbox, page))),
  )
}

const isMono = (words: readonly Word[]): boolean =>
  words.filter((word) => word.is_mono === true).length > words.length * 0.5

const isWithin = ({ x0, y0, x1, y1 }: Word, { width, height }: PageFrame): boolean =>
  x1 > 0 && y1 > 0 && x0 < width && y0 < height && x1 >= x0

const placed = ({ box, block }: FoundBlock): PlacedBlock => ({ box, block })

function figuresOf({ images, width, height }: PageFrame, tables: readonly FoundBlock[]): PlacedBlock[] {
  const page = width * height
  return (images ?? []).flatMap((image) => {
    const box = {
      x0: Math.max(0, image.x0),
      y0: Math.max(0, image.y0),
      x1: Math.min(width, image.x1),
      y1: Math.min(height, image.y1),
    }
    const part = (Math.max(0, box.x1 - box.x0) * Math.max(0, box.y1 - box.y0)) / page
    if (part < MIN_FIGURE || part > MAX_FIGURE || tables.some((table) => holds(table.box, box))) return []
    return [{ box, block: { type: 'figure' as const, text: '' } }]
  })
}

interface Given {
  apart: readonly PlacedBlock[]
  /** Whether a block is part of a chart or a diagram. */
  isFigure: (block: PlacedBlock) => boolean
  captions: readonly CaptionLine[]
  borders: readonly Line[]
  banners: readonly Banner[]
  scale: Scale
  /** The size of most text of the document. */
  em: number
  is_mono: boolean
  leading: number
}

function blocksIn(
  region: readonly Item[],
  { apart, isFigure, captions, borders, banners, scale, em, is_mono, leading }: Given,
): PlacedBlock[] {
  const rows = rowsOf(region.flatMap(({ word }) => word ?? []))
  const own_apart = region.flatMap((item) => (item.word === null ? (apart[item.index] ?? []) : []))
  const found: PlacedBlock[] = []
  for (const run of runsBetween(rows, own_apart)) {
    const tables = findUnruled(run, scale, { borders, banners }).filter(
      (table) => !isFigure(table) && !isAboveFigureCaption(table.box, captions),
    )
    const own = tables.map(placed)
    const taken = new Set(tables.flatMap((table) => [...table.words]))
    const rest = rowsOf(run.flatMap((row) => row.words.filter((word) => !taken.has(word))))
    for (const piece of runsBetween(rest, own)) {
      const blocks = blocksOf(piece, { body: scale.em, em, is_mono, leading })
      found.push(...blocks.map((block) => (isFigure(block) ? withoutHeading(block) : block)))
    }
    found.push(...own)
  }
  return [...found, ...own_apart].sort((a, b) => a.box.y0 - b.box.y0)
}

const boxesOfCells = ({ table }: Block): Box[] =>
  (table?.cells ?? []).flatMap(({ bbox: [x0, y0, x1, y1] = [] }) =>
    x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined ? [] : [{ x0, y0, x1, y1 }],
  )

/** Lines and areas at the edges of a page. */
const isFrame = ({ x0, y0, x1, y1 }: Box, { width, height }: PageFrame): boolean =>
  x1 - x0 > width * MIN_FRAME && y1 - y0 > height * MIN_FRAME

/** Boxes around the fields of a form: most of them have no text but that which is filled in. */
const isBlankForm = (table: FoundBlock, form: readonly FormField[]): boolean =>
  isSparse(table) && form.filter((field) => holds(table.box, field)).length >= MIN_FIELDS

/** Labels of a chart fill few of the fields that its lines draw. */
const isSparse = ({ block: { table } }: FoundBlock): boolean =>
  table !== undefined && table.cells.filter(({ text }) => text !== '').length < table.cells.length * MIN_FILLED

/** A label of a chart may be as large and as bold as a heading. */
const withoutHeading = ({ box, block }: PlacedBlock): PlacedBlock =>
  block.type === 'heading' ? { box, block: { type: 'paragraph', text: block.text } } : { box, block }

/** Groups rows that have no other block between them. */
function runsBetween(rows: readonly Row[], apart: readonly PlacedBlock[]): Row[][] {
  const borders = apart.map(({ box }) => (box.y0 + box.y1) / 2).sort((a, b) => a - b)
  const runs: Row[][] = Array.from({ length: borders.length + 1 }, () => [])
  for (const row of rows) runs[borders.filter((y) => y < (row.y0 + row.y1) / 2).length]?.push(row)
  return runs.filter((run) => run.length > 0)
}

/** As high as its line, and as wide as it is set: signs of full width are mostly wider than their ink. */
function whole(word: Word): Word {
  const empty = emptyHalves(word.text)
  if (!empty && !word.line) return word
  const [before, after] = empty ? [empty.before * word.size, empty.after * word.size] : [0, 0]
  return { ...word, ...word.line, x0: word.x0 - before, x1: word.x1 + after }
}

const part = (value: number, side: number): number => Math.round(Math.min(1, Math.max(0, value / side)) * 1e5) / 1e5

function fractions([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: Bbox, { width, height }: PageFrame): Bbox {
  return [part(x0, width), part(y0, height), part(x1, width), part(y1, height)]
}
