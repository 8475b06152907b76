// Locates quotes in a text. A quote from a model is searched exactly, then ignoring case, white space and the shape of
// quotation marks, then fuzzily. Offsets are Unicode code points.

import { itemAt, required } from '@octavo/base/required.ts'
import { isUnseen } from './legible.ts'

export interface FoundQuote {
  start: number
  end: number
  /** The exact text found on the page. */
  quote: string
  match: 'exact' | 'folded' | 'fuzzy'
  score: number
}

/** Below it a match is a coincidence. */
const MIN_FUZZY = 0.85
const MIN_FUZZY_LENGTH = 16
/** Longer quotes only match exactly: fuzzy comparison is quadratic in the length. */
const MAX_FUZZY_LENGTH = 600
const MAX_WINDOWS = 12
const SHINGLE_WORDS = 2

/** A text that is looked into many times: folded once. */
export class QuotedText {
  readonly text: string
  private folded: Folded | null = null
  private points: Uint32Array | null = null

  constructor(text: string) {
    this.text = text
  }

  find(quote: string): FoundQuote | null {
    return this.findPlain(quote) ?? this.findNearly(quote)
  }

  /** Exact match, or a match that ignores case, white space and quotation marks. */
  findPlain(quote: string): FoundQuote | null {
    const wanted = quote.trim()
    if (wanted === '') return null
    const at = this.text.indexOf(wanted)
    if (at >= 0) return this.found(at, at + wanted.length, 'exact', 1)
    this.folded ??= fold(this.text)
    const needle = fold(wanted).text.trim()
    if (needle === '') return null
    const place = this.folded.text.indexOf(needle)
    return place < 0 ? null : this.foundFolded(place, place + needle.length, 'folded', 1)
  }

  /** With a slip in it; its numbers are never a slip. */
  findNearly(quote: string): FoundQuote | null {
    this.folded ??= fold(this.text)
    const needle = fold(quote.trim()).text.trim()
    if (needle.length < MIN_FUZZY_LENGTH || needle.length > MAX_FUZZY_LENGTH) return null
    const { text } = this.folded
    const numbers = numbersIn(needle)
    let best: { start: number; end: number; score: number } | null = null
    for (const from of windowsOf(text, needle)) {
      const window = text.slice(from, from + Math.ceil(needle.length * 1.3) + 16)
      const near = nearest(needle, window)
      const score = 1 - near.distance / needle.length
      if (numbersIn(window.slice(near.start, near.end)) !== numbers) continue
      if (score >= MIN_FUZZY && (best === null || score > best.score))
        best = { start: from + near.start, end: from + near.end, score }
    }
    return best && this.foundFolded(best.start, best.end, 'fuzzy', Math.min(best.score, 0.999))
  }

  private foundFolded(start: number, end: number, match: FoundQuote['match'], score: number): FoundQuote {
    const { at } = required(this.folded, 'folded text')
    return this.found(at[start] ?? 0, (at[end - 1] ?? 0) + widthAt(this.text, at[end - 1] ?? 0), match, score)
  }

  private found(start: number, end: number, match: FoundQuote['match'], score: number): FoundQuote {
    this.points ??= pointsBefore(this.text)
    return {
      start: this.points[start] ?? 0,
      end: this.points[end] ?? 0,
      quote: this.text.slice(start, end),
      match,
      score,
    }
  }
}

interface Folded {
  text: string
  /** The index in the text behind each character. */
  at: number[]
}

const widthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

/** The number of code points before each index. */
function pointsBefore(text: string): Uint32Array {
  const points = new Uint32Array(text.length + 1)
  for (let i = 0, count = 0; i < text.length; count++) {
    const width = widthAt(text, i)
    points[i] = count
    if (width === 2) points[i + 1] = count
    i += width
    points[i] = count + 1
  }
  return points
}

function fold(text: string): Folded {
  const at: number[] = []
  const parts: string[] = []
  let isSpaceBefore = false
  for (let i = 0; i < text.length; i += widthAt(text, i)) {
    const folded = foldOne(text, i)
    const isSpace = folded === ' '
    if (folded === '' || (isSpace && isSpaceBefore)) continue
    isSpaceBefore = isSpace
    parts.push(folded)
    for (let j = 0; j < folded.length; j++) at.push(i)
  }
  return { text: parts.join(''), at }
}

const ASCII = Array.from({ length: 128 }, (_, code) => foldRare(String.fromCharCode(code)))

/** Nearly all characters of most texts are looked up: a page may have a million. */
function foldOne(text: string, at: number): string {
  const code = text.charCodeAt(at)
  return code < 128 ? (ASCII[code] ?? '') : foldRare(text.slice(at, at + widthAt(text, at)))
}

/** Returns an empty string for invisible characters. */
function foldRare(character: string): string {
  if (/^\s$/u.test(character)) return ' '
  return isUnseen(character) ? '' : plain(character)
}

function plain(character: string): string {
  if (/[‘’‚‛′`´]/.test(character)) return "'"
  if (/[“”„‟″«»]/.test(character)) return '"'
  if (/[‐‑‒–—−]/.test(character)) return '-'
  return character.normalize('NFKC').toLowerCase()
}

const numbersIn = (text: string): string => (text.match(/\p{Nd}+/gu) ?? []).join()

/** Start offsets of candidate windows: where pieces of the quote occur, shifted back to the start of the quote. */
function windowsOf(text: string, needle: string): number[] {
  const words = [...needle.matchAll(/\S+/g)]
  const starts = new Set<number>()
  for (let i = 0; i + SHINGLE_WORDS <= words.length && starts.size < MAX_WINDOWS; i++) {
    const first = itemAt(words, i)
    const last = itemAt(words, i + SHINGLE_WORDS - 1)
    const shingle = needle.slice(first.index, last.index + last[0].length)
    for (let at = text.indexOf(shingle); at >= 0 && starts.size < MAX_WINDOWS; at = text.indexOf(shingle, at + 1)) {
      // Windows that begin close together see the same.
      const start = Math.max(0, at - first.index - 8)
      starts.add(start - (start % 16))
    }
  }
  return [...starts]
}

/** The part of `window` that is nearest to `needle`, by edits. */
function nearest(needle: string, window: string): { start: number; end: number; distance: number } {
  let costs = new Uint16Array(window.length + 1)
  let starts = Uint16Array.from({ length: window.length + 1 }, (_, i) => i)
  for (let i = 1; i <= needle.length; i++) {
    const next = new Uint16Array(window.length + 1)
    const from = new Uint16Array(window.length + 1)
    next[0] = i
    for (let j = 1; j <= window.length; j++) {
      const same = (costs[j - 1] ?? 0) + (needle[i - 1] === window[j - 1] ? 0 : 1)
      const skipped = (costs[j] ?? 0) + 1
      const added = (next[j - 1] ?? 0) + 1
      const least = Math.min(same, skipped, added)
      next[j] = least
      if (least === same) from[j] = starts[j - 1] ?? 0
      else from[j] = least === skipped ? (starts[j] ?? 0) : (from[j - 1] ?? 0)
    }
    costs = next
    starts = from
  }
  let end = 0
  for (let j = 1; j <= window.length; j++) if ((costs[j] ?? 0) < (costs[end] ?? 0)) end = j
  return { start: starts[end] ?? 0, end: Math.max(end, (starts[end] ?? 0) + 1), distance: costs[end] ?? 0 }
}
