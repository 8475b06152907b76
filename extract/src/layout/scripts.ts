// Superscripts and subscripts belong to the word before them.

import type { Word } from './types.ts'

const MAX_SIZE = 0.8
/** In ems of the larger text. */
const MAX_GAP = 0.15
const MIN_RISE = 0.15

const SUPERSCRIPTS: Readonly<Record<string, string>> = {
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
  '+': '⁺',
  '-': '⁻',
  '−': '⁻',
  n: 'ⁿ',
}

/** 10⁶ is another number than 106. Text that has no raised form stays as it is. */
export function superscript(text: string): string {
  const signs = [...text].map((sign) => SUPERSCRIPTS[sign])
  return signs.every((sign) => sign !== undefined) ? signs.join('') : text
}

const baseOf = ({ y1, size }: Word): number => y1 - size * 0.2

/** Whether a smaller word is set close behind the one before it, or punctuation close behind a smaller word. */
export function isScript(before: Word, word: Word): boolean {
  const em = Math.max(before.size, word.size)
  const gap = word.x0 - before.x1
  if (gap > em * MAX_GAP || gap < -em) return false
  if (word.size < before.size * MAX_SIZE) return Math.abs(baseOf(word) - baseOf(before)) > em * 0.05
  return before.size < word.size * MAX_SIZE && /^[)\]},.;:]/.test(word.text)
}

/** Whether a word is a superscript of the one before it. */
export const isRaised = (before: Word, word: Word): boolean =>
  word.size < before.size * MAX_SIZE && baseOf(before) - baseOf(word) > before.size * MIN_RISE
