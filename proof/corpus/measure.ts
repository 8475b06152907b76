// How far what was read is from what is in the file.

import type { Block, Cell, Table } from '@octavo/contract'
import type { Language } from './model.ts'

/** Invisible characters: soft hyphens, joiners, direction marks. */
const UNSEEN = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g
const SINGLE = /[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]]+|\S/gv

export const normalise = (text: string): string =>
  text.normalize('NFKC').replace(UNSEEN, '').replace(/\s+/g, ' ').trim()

const hasNoSpaces = (language: Language): boolean => language === 'zh' || language === 'ja'

/** Words with the signs that touch them. Scripts without spaces: each character. */
export function splitWords(text: string, language: Language): string[] {
  const plain = normalise(text)
  if (hasNoSpaces(language)) return plain.match(SINGLE) ?? []
  return plain === '' ? [] : plain.split(' ')
}

/** Which part of the expected words is there, as often as expected. */
export function recall(expected: readonly string[], found: readonly string[]): number {
  if (expected.length === 0) return 1
  const left = new Map<string, number>()
  for (const word of found) left.set(word, (left.get(word) ?? 0) + 1)
  let hits = 0
  for (const word of expected) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    hits++
  }
  return hits / expected.length
}

/** Which part of the expected words is there in the expected order: the longest common subsequence. */
export function orderedRecall(expected: readonly string[], found: readonly string[]): number {
  if (expected.length === 0) return 1
  let above = new Uint32Array(found.length + 1)
  for (const word of expected) {
    const row = new Uint32Array(found.length + 1)
    for (let i = 1; i <= found.length; i++)
      row[i] = found[i - 1] === word ? above[i - 1]! + 1 : Math.max(above[i]!, row[i - 1]!)
    above = row
  }
  return above[found.length]! / expected.length
}

function editDistance(a: readonly string[], b: readonly string[]): number {
  let above = Uint32Array.from({ length: b.length + 1 }, (_, index) => index)
  let row = new Uint32Array(b.length + 1)
  for (let i = 1; i <= a.length; i++) {
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const kept = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row[j] = Math.min(kept, above[j]! + 1, row[j - 1]! + 1)
    }
    ;[above, row] = [row, above]
  }
  return above[b.length]!
}

/** The shapes of quotes and dashes are a matter of the typeface, and spaces mean nothing in scripts without them. */
function charactersOf(text: string, language: Language): string[] {
  const plain = normalise(text)
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″«»]|''/g, '"')
    .replace(/[‐‑‒–—−]/g, '-')
  return [...(hasNoSpaces(language) ? plain.replaceAll(' ', '') : plain)]
}

/** Edits for each expected character. */
export function characterError(expected: string, found: string, language: Language): number {
  let a = charactersOf(expected, language)
  let b = charactersOf(found, language)
  const { length } = a
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  ;[a, b] = [a.slice(start), b.slice(start)]
  return length === 0 ? (b.length > 0 ? 1 : 0) : editDistance(a, b) / length
}

export interface CellCounts {
  expected: number
  found: number
  right: number
}

/** A cell without text says nothing, and readers may leave it out. */
const filled = (cells: readonly Cell[]): Cell[] => cells.filter(({ text }) => normalise(text) !== '')

const cellKey = ({ row, column, row_span, column_span, text }: Cell): string =>
  [row, column, row_span, column_span, normalise(text)].join('\t')

function sameCells(a: Table, b: Table): number {
  const keys = new Set(filled(a.cells).map(cellKey))
  return filled(b.cells).filter((cell) => keys.has(cellKey(cell))).length
}

/** Which found table is meant by each expected one: the pairs with the most cells in common come first. */
export function matchTables(expected: readonly Table[], found: readonly Table[]): (Table | null)[] {
  const pairs = expected
    .flatMap((a, i) => found.map((b, j) => ({ i, j, right: sameCells(a, b) })))
    .filter(({ right }) => right > 0)
  const matched: (Table | null)[] = expected.map(() => null)
  const taken = new Set<number>()
  for (const { i, j } of pairs.toSorted((a, b) => b.right - a.right)) {
    if (matched[i] || taken.has(j)) continue
    matched[i] = found[j]!
    taken.add(j)
  }
  return matched
}

const total = (tables: readonly Table[]): number => tables.reduce((sum, { cells }) => sum + filled(cells).length, 0)

/** A cell is right when its row, column, spans and text are. Cells of tables that are not there count as found. */
export function countCells(expected: readonly Table[], found: readonly Table[]): CellCounts {
  const matched = matchTables(expected, found)
  const right = expected.reduce((sum, table, index) => sum + (matched[index] ? sameCells(table, matched[index]) : 0), 0)
  return { expected: total(expected), found: total(found), right }
}

export function cellF1(counts: readonly CellCounts[]): number {
  const sum = (of: (counts: CellCounts) => number): number => counts.reduce((total, one) => total + of(one), 0)
  const both = sum(({ expected }) => expected) + sum(({ found }) => found)
  return both === 0 ? 1 : (2 * sum(({ right }) => right)) / both
}

export function isBoxWithin({ bbox }: Block): boolean {
  if (bbox?.length !== 4) return false
  const [x0, y0, x1, y1] = bbox as [number, number, number, number]
  return x0 >= 0 && y0 >= 0 && x0 < x1 && y0 < y1 && x1 <= 1 && y1 <= 1
}
