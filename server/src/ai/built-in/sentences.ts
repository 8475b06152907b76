// A text → its sentences. The Unicode rules do most of it; they do not know abbreviations, nor that a line of a page
// may end in the middle of a sentence.

import { itemAt } from '@octavo/base/required.ts'
import { positionsOf, type Span } from './positions.ts'

export interface Sentence extends Span {
  text: string
}

/** Longer ones are cut: a list without a full stop is no sentence, and no model reads it whole. */
const MAX_UNITS = 1_000
/** A line shorter than this was ended by its writer, not by the width of the page. */
const MIN_WRAPPED_UNITS = 40
/** As much of a sentence's end is looked at for an abbreviation. */
const TAIL_UNITS = 16

/** A capital may follow these in the middle of a sentence. */
const BEFORE_NAMES = new Set(
  (
    'mr mrs ms dr prof sr jr st rev hon gen col capt lt sgt gov sen rep pres messrs mt ft vs inc ltd corp dept est vol ed eds approx cf ' +
    'jan feb apr jun jul aug sep sept oct nov e.g i.e u.s u.k u.n ph.d hr fr nr bzw z.b d.h u.a ggf evtl inkl tel vgl mme mlle env p.ex ' +
    'sra srta dña dott sig dhr mevr'
  ).split(' '),
)
/** These are words too: only a number after them makes them abbreviations. */
const BEFORE_NUMBERS = new Set('no nos nr fig figs eq p pp s art sec ch abs bd str av n mar dec blz vol ca'.split(' '))
const LAST_WORD = /(?:^|[\s([{"'“‘„«])([\p{L}][\p{L}.]{0,8})\.\s*$/u
const ORDINAL = /(?:^|\s)\d{1,2}\.\s*$/
/** "Really?" she said. */
const CLOSED_QUOTE = /[?!]['"”’»]\s*$/
const BULLET = /^\s*(?:[-*•–—▪●◦]|\(?\w{1,3}[.)])\s/u
/** Languages that write "3. März". */
const ORDINAL_LANGUAGES = new Set([
  'de',
  'da',
  'no',
  'nb',
  'fi',
  'cs',
  'sk',
  'pl',
  'hu',
  'et',
  'lv',
  'sl',
  'hr',
  'sr',
  'tr',
])

/** In order, without the space around them. */
export function sentencesOf(text: string, language: string | null = null): Sentence[] {
  const toPoint = positionsOf(text)
  const sentences: Sentence[] = []
  for (const { start, end } of unitSpansOf(text, language)) {
    for (const piece of trimmed(text, start, end)) {
      sentences.push({ text: text.slice(piece.start, piece.end), start: toPoint(piece.start), end: toPoint(piece.end) })
    }
  }
  return sentences
}

/** A sentence that is repeated on many pages or in many documents is kept once. */
export function newsKeeper(): (text: string) => boolean {
  const told = new Set<string>()
  return (text) => {
    const words = text.replace(/\s+/g, ' ').toLowerCase()
    const is_new = !told.has(words)
    told.add(words)
    return is_new
  }
}

function unitSpansOf(text: string, language: string | null): Span[] {
  const spans: Span[] = []
  let tail = ''
  for (const { segment, index } of segmenterOf(language).segment(joinLines(text))) {
    const last = spans.at(-1)
    const end = index + segment.length
    if (last && end - last.start <= MAX_UNITS && isUnfinished(tail, segment, language)) last.end = end
    else spans.push({ start: index, end })
    tail = segment.slice(-TAIL_UNITS)
  }
  return spans
}

const segmenters = new Map<string, Intl.Segmenter>()

function segmenterOf(language: string | null): Intl.Segmenter {
  const tag = language && /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(language) ? language : 'en'
  const known = segmenters.get(tag)
  if (known) return known
  const made = new Intl.Segmenter(tag, { granularity: 'sentence' })
  segmenters.set(tag, made)
  return made
}

/** Replaces line breaks caused by the page width with spaces; the length stays the same. */
function joinLines(text: string): string {
  const lines = text.split('\n')
  let joined = lines[0] ?? ''
  const pieces: string[] = []
  for (let i = 1; i < lines.length; i++) {
    const line = itemAt(lines, i)
    pieces.push(joined, isWrapped(itemAt(lines, i - 1), line) ? ' ' : '\n')
    joined = line
  }
  return [...pieces, joined].join('')
}

function isWrapped(before: string, after: string): boolean {
  const [above, below] = [before.trim(), after.trim()]
  const first = below.charAt(0)
  if (first === '' || above === '' || above.includes('\t') || below.includes('\t') || BULLET.test(below.slice(0, 16)))
    return false
  return first !== first.toUpperCase() || above.length >= MIN_WRAPPED_UNITS
}

function isUnfinished(tail: string, next: string, language: string | null): boolean {
  if (tail.endsWith('\n')) return false
  if (CLOSED_QUOTE.test(tail) && /^\p{Ll}/u.test(next)) return true
  const word = LAST_WORD.exec(tail)?.[1]
  if (word && (BEFORE_NAMES.has(word.toLowerCase()) || /^(?:\p{Lu}\.)*\p{Lu}$/u.test(word))) return true
  if (word && BEFORE_NUMBERS.has(word.toLowerCase()) && /^\d/.test(next)) return true
  return ORDINAL_LANGUAGES.has(language?.slice(0, 2) ?? '') && ORDINAL.test(tail)
}

function trimmed(text: string, from: number, to: number): Span[] {
  const pieces: Span[] = []
  let start = from
  while (start < to) {
    let end = to - start <= MAX_UNITS ? to : cutOf(text, start)
    const next = end
    while (start < end && isSpace(text, start)) start++
    while (end > start && isSpace(text, end - 1)) end--
    if (end > start) pieces.push({ start, end })
    start = next
  }
  return pieces
}

function cutOf(text: string, start: number): number {
  const limit = start + MAX_UNITS
  for (let at = limit; at > start + MAX_UNITS / 2; at--) if (isSpace(text, at)) return at
  return (text.codePointAt(limit - 1) ?? 0) > 0xffff ? limit - 1 : limit
}

const isSpace = (text: string, at: number): boolean => /\s/.test(text.charAt(at))
