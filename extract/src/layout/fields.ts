// Labels and values: forms, heads of invoices and letters, sums.

import { textOfFields } from '@octavo/base/blocks.ts'
import type { Block, Field } from '@octavo/contract'
import { cellFrom, type FoundBlock } from './cells.ts'
import type { Piece } from './gaps.ts'
import { around, bboxOf } from './geometry.ts'
import { textOfRow } from './lines.ts'
import type { FormField, Word } from './types.ts'
import { isNumber } from './values.ts'

const MAX_LABEL = 45
const COLON = /[:：]$/

interface Pair {
  label: Word[]
  value: Word[]
  /** The field of a form that has the value. */
  field?: FormField
}

/** A pair of columns whose left one holds labels. */
export function arePairs(rows: readonly (readonly Piece[])[], column: number): boolean {
  let [pairs, colons, bold, numbers, unlike] = [0, 0, 0, 0, 0]
  for (const pieces of rows) {
    const [label, value] = [find(pieces, column), find(pieces, column + 1)]
    if (!label || !value) continue
    pairs++
    const text = textOfRow(label.words)
    if (COLON.test(text)) colons++
    if (isBold(label.words) && !isBold(value.words)) bold++
    if (isNumber(textOfRow(value.words))) numbers++
    if (text.length > MAX_LABEL || !/\p{L}/u.test(text)) unlike++
  }
  if (pairs < 2 || unlike > pairs * 0.4) return false
  return colons >= pairs * 0.6 || bold >= pairs * 0.75 || numbers === pairs
}

const isColonPair = (pieces: readonly Piece[]): boolean => pieces.length === 3 && pieces.every(({ span }) => span === 1)

/** Labels and values with a column of colons between them, in two columns; null if it is something else. */
export function joinColons(rows: readonly (readonly Piece[])[]): Piece[][] | null {
  const colons = rows.map((pieces) => find(pieces, 1)).filter((piece) => piece !== undefined)
  if (colons.length < 2 || !colons.every(({ words }) => /^[:：]$/.test(textOfRow(words)))) return null
  if (rows.filter(isColonPair).length !== colons.length) return null
  return rows.map((pieces) => {
    const [label, colon, value] = [0, 1, 2].map((column) => find(pieces, column))
    const named = label && { ...label, words: [...label.words, ...(colon?.words ?? [])] }
    return [...(named ? [named] : []), ...(value ? [{ ...value, column: 1 }] : [])]
  })
}

const find = (pieces: readonly Piece[], column: number): Piece | undefined =>
  pieces.find((piece) => piece.column === column)

const isBold = (words: readonly Word[]): boolean => words.every((word) => word.is_bold === true)

export function fieldsFromPieces(rows: readonly (readonly Piece[])[], column: number): FoundBlock {
  const pairs: Pair[] = []
  for (const pieces of rows) {
    const [label, value] = [find(pieces, column), find(pieces, column + 1)]
    const last = pairs.at(-1)
    // Text below a value goes on with it.
    if (!label && value && last && last.value.length > 0) last.value.push(...value.words)
    else if (label || value) pairs.push({ label: label?.words ?? [], value: value?.words ?? [] })
  }
  return foundFields(pairs)
}

export function foundFields(pairs: readonly Pair[]): FoundBlock {
  const fields = pairs.map(({ label, value, field }): Field => {
    const named = label.length === 0 && field ? { text: field.name } : cellFrom(label)
    const given = field ? { text: field.value, bbox: bboxOf(field) } : cellFrom(value)
    return {
      label: named.text.replace(/\s*[:：]$/, ''),
      value: given.text,
      ...('bbox' in named && named.bbox && { label_bbox: named.bbox }),
      ...(given.bbox && { value_bbox: given.bbox }),
    }
  })
  const words = pairs.flatMap(({ label, value }) => [...label, ...value])
  const block: Block = { type: 'fields', text: textOfFields(fields), fields }
  return { box: around(words), words: new Set(words), block }
}
