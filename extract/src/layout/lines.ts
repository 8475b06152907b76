// Words → rows, and rows → text in reading order.

import { around, shared } from './geometry.ts'
import { areTogether, letters, rtlLetters, runsOn } from './script.ts'
import { isRaised, isScript, superscript } from './scripts.ts'
import type { Box, Word } from './types.ts'

/** Words beside each other, from left to right. */
export interface Row extends Box {
  words: Word[]
  /** The height of most of its text. */
  size: number
}

const MAX_SIZE_RATIO = 1.8

export function rowsOf(words: readonly Word[]): Row[] {
  const rows: { core: Word; words: Word[] }[] = []
  for (const word of words.toSorted((a, b) => a.y0 + a.y1 - b.y0 - b.y1)) {
    // A raised word comes before the line that it belongs to, and may already be in a separate row.
    const row = [rows.at(-1), rows.at(-2)].find(
      (candidate) => candidate && isBeside(candidate.core, word) && !isPrintedOver(candidate, word),
    )
    if (!row) {
      rows.push({ core: word, words: [word] })
      continue
    }
    row.words.push(word)
    if (word.size > row.core.size && word.size < row.core.size * MAX_SIZE_RATIO) row.core = word
  }
  return rows.map(({ words: own }) => rowOf(own.sort((a, b) => a.x0 - b.x0)))
}

const rowOf = (words: Word[]): Row => ({ ...around(words), words, size: mainSize(words) })

/** Text of another line that is printed over this one. */
function isPrintedOver({ core, words }: { core: Word; words: readonly Word[] }, word: Word): boolean {
  if (Math.abs(core.y1 - word.y1) < core.size * 0.25) return false
  return words.some((other) => shared(other.x0, other.x1, word.x0, word.x1) > word.size * 0.4)
}

function isBeside(core: Word, word: Word): boolean {
  const [small, large] = core.size < word.size ? [core, word] : [word, core]
  if (large.size > small.size * MAX_SIZE_RATIO) return Math.abs(large.y1 - small.y1) < small.size * 0.4
  return shared(core.y0, core.y1, word.y0, word.y1) >= 0.45 * Math.min(core.y1 - core.y0, word.y1 - word.y0)
}

/** The size that most characters have. */
export function mainSize(words: readonly Word[]): number {
  const [first] = words
  if (!first) return 0
  if (words.every(({ size }) => Math.abs(size - first.size) < 0.01)) return first.size
  const weights = new Map<number, number>()
  for (const { size, text } of words) {
    const key = Math.round(size * 4) / 4
    weights.set(key, (weights.get(key) ?? 0) + text.length)
  }
  let best: [number, number] = [first.size, 0]
  for (const entry of weights) if (entry[1] > best[1]) best = entry
  return best[0]
}

/** Words from left to right → the parts that a gap of at least `gap` keeps apart. */
export function partsOf(words: readonly Word[], gap: number): Row[] {
  const parts: Word[][] = []
  let reach = Number.NEGATIVE_INFINITY
  for (const word of words) {
    const part = parts.at(-1)
    if (part && word.x0 - reach < gap) part.push(word)
    else parts.push([word])
    reach = Math.max(reach, word.x1)
  }
  return parts.map(rowOf)
}

/** From left to right → as they are read. */
function inReadingOrder(words: readonly Word[]): Word[] {
  let rtl = 0
  for (const { text } of words) rtl += rtlLetters(text)
  if (rtl === 0) return [...words]
  const all = words.reduce((sum, { text }) => sum + letters(text), 0)
  return rtl * 2 >= all
    ? turned(words.toReversed(), isForeign)
    : turned([...words], (word) => rtlLetters(word.text) > 0)
}

const isForeign = ({ text }: Word): boolean => rtlLetters(text) === 0 && letters(text) > 0
const isNeutral = ({ text }: Word): boolean => letters(text) === 0

/** Turns around each run of words of the other direction; what has none, such as a number, goes with those on both sides. */
function turned(words: Word[], isOther: (word: Word) => boolean): Word[] {
  const result: Word[] = []
  for (let index = 0; index < words.length; ) {
    const word = words[index]
    if (!word) break
    if (!isOther(word)) {
      result.push(word)
      index++
      continue
    }
    let end = index + 1
    for (let next = end; next < words.length; next++) {
      const other = words[next]
      if (!other) break
      if (isOther(other)) end = next + 1
      else if (!isNeutral(other)) break
    }
    for (let back = end - 1; back >= index; back--) {
      const other = words[back]
      if (other) result.push(other)
    }
    index = end
  }
  return result
}

export function textOfRow(words: readonly Word[]): string {
  const parts: string[] = []
  let last: Word | null = null
  for (const word of inReadingOrder(words)) {
    const isApart = last && word.space_before !== false && !areTogether(last.text, word.text) && !isScript(last, word)
    if (isApart) parts.push(' ')
    parts.push(last && !isApart && isRaised(last, word) ? superscript(word.text) : word.text)
    last = word
  }
  return parts.join('')
}

/** Words that keep their hyphen wherever a line breaks in them. */
const COMPOUND =
  /^(all|anti|co|cross|double|ex|far|full|half|high|ill|inter|left|long|low|mid|multi|near|non|off|old|on|one|open|post|pre|pseudo|re|real|right|self|semi|short|single|so|state|sub|super|third|three|two|first|second|up|user|well|wide|world)$/i

/** Lines → a text; a word that was cut at the end of a line is whole again. */
export function joinLines(lines: readonly string[]): string {
  let text = ''
  for (const line of lines) {
    if (text === '') text = line
    else if (runsOn(text, line)) text += line
    else text = joined(text, line)
  }
  return text
}

function joined(text: string, line: string): string {
  const last = text.charCodeAt(text.length - 1)
  if (last !== 0x2d && last !== 0xad && last !== 0x2010) return `${text} ${line}`
  if (!/[\p{L}\p{M}\p{N}][-\u00ad\u2010]$/u.test(text.slice(-4))) return `${text} ${line}`
  const cut = /(?:^|[\s\p{P}])([\p{L}\p{M}]+)[-\u00ad\u2010]$/u.exec(text.slice(-80))
  const next = /^\p{Ll}[\p{L}\p{M}]*/u.exec(line)
  if (!cut) return text + line
  if (text.endsWith('\u00ad')) return text.slice(0, -1) + line
  const has_more = /\p{L}[-\u2010\u2011]\p{L}+[-\u2010]$/u.test(text.slice(-60))
  if (!next || has_more || COMPOUND.test(cut[1] ?? '') || (cut[1]?.length ?? 0) < 2) return text + line
  return text.slice(0, -1) + line
}
