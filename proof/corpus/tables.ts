// Tables by chance that can be replayed: each kind has something that readers stumble over.

import type { Cell } from '@octavo/contract'
import { newRandom, type Random } from '../lib/random.ts'
import type { Language, ModelTable, Ruling } from './model.ts'
import { readProse } from './texts.ts'

const SEED = 20_260_601
export const tableKinds = [
  'plain',
  'lines',
  'gaps',
  'head_span',
  'row_span',
  'both_spans',
  'wide',
  'dates',
  'prose',
] as const
export type TableKind = (typeof tableKinds)[number]

type Content = 'label' | 'count' | 'money' | 'share' | 'date' | 'note'
const WIDTHS: Record<Content, number> = { label: 2, count: 1.2, money: 1.5, share: 1.2, date: 1.7, note: 3.4 }
const COLUMNS: Record<TableKind, readonly Content[]> = {
  plain: ['label', 'count', 'money', 'share'],
  lines: ['label', 'note', 'money'],
  gaps: ['label', 'count', 'count', 'money'],
  head_span: ['label', 'count', 'money', 'count', 'money'],
  row_span: ['label', 'label', 'count', 'share'],
  both_spans: ['label', 'label', 'count', 'money', 'share'],
  wide: ['label', 'count', 'count', 'count', 'count', 'share', 'money'],
  dates: ['date', 'label', 'money'],
  prose: ['label', 'note', 'note'],
}

const thousands = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',')

function write(content: Content, random: Random, words: readonly string[]): string {
  if (content === 'count') return thousands(random.whole(3, 9_800))
  if (content === 'money') return `${thousands(random.whole(1, 4_000))}.${String(random.whole(0, 99)).padStart(2, '0')}`
  if (content === 'share') return `${random.whole(1, 98)}.${random.whole(0, 9)}%`
  if (content === 'date')
    return `20${random.whole(10, 26)}-${String(random.whole(1, 12)).padStart(2, '0')}-${random.whole(10, 28)}`
  if (content === 'label') return random.shuffle(words).slice(0, random.whole(1, 2)).join(' ')
  return random.shuffle(words).slice(0, random.whole(6, 9)).join(' ')
}

const one = (row: number, column: number, text: string): Cell => ({ row, column, row_span: 1, column_span: 1, text })

/** Two rows of head: the first covers pairs of columns, the others reach over both rows. */
function spannedHead(names: readonly string[], from: number, words: readonly string[]): Cell[] {
  const cells: Cell[] = []
  names.slice(0, from).forEach((name, index) => cells.push({ ...one(1, index + 1, name), row_span: 2 }))
  for (let column = from + 1; column <= names.length; column += 2) {
    const column_span = Math.min(2, names.length - column + 1)
    if (column_span === 1) cells.push({ ...one(1, column, names[column - 1]!), row_span: 2 })
    else {
      cells.push({ ...one(1, column, words[column]!), column_span })
      cells.push(one(2, column, names[column - 1]!), one(2, column + 1, names[column]!))
    }
  }
  return cells
}

export function newTable(name: string, kind: TableKind, ruling: Ruling, language: Language): ModelTable {
  const random = newRandom(SEED).fork(`${name} ${kind} ${ruling} ${language}`)
  const words = readProse(language).words
  const contents = COLUMNS[kind]
  const shuffled = random.shuffle(words)
  const names = contents.map((_, index) => shuffled[index]!)
  const head_rows = kind === 'head_span' || kind === 'both_spans' ? 2 : 1
  const cells: Cell[] =
    head_rows === 2
      ? spannedHead(names, kind === 'head_span' ? 1 : 2, shuffled.slice(contents.length))
      : names.map((text, index) => one(1, index + 1, text))
  const has_groups = kind === 'row_span' || kind === 'both_spans'
  const rows = head_rows + (has_groups ? 6 : random.whole(4, 8))
  for (let row = head_rows + 1; row <= rows; row++) {
    contents.forEach((content, index) => {
      const is_grouped = has_groups && index === 0
      if (is_grouped && (row - head_rows) % 2 === 0) return
      const is_gap = kind === 'gaps' && index > 0 && random.next() < 0.3
      cells.push({ ...one(row, index + 1, is_gap ? '' : write(content, random, words)), row_span: is_grouped ? 2 : 1 })
    })
  }
  return {
    name,
    ruling,
    rows,
    columns: contents.length,
    cells,
    widths: contents.map((content) => WIDTHS[content]),
    is_number: contents.map((content) => content === 'count' || content === 'money' || content === 'share'),
    head_rows,
    is_compact: random.next() < 0.5,
  }
}
