// Words as the full text search of PostgreSQL sees them.

/** The text search configuration for a language; of one that PostgreSQL does not know, words are taken as they are. */
export function configOf(language: string | null): string {
  return configs[language?.split('-')[0]?.toLowerCase() ?? ''] ?? 'simple'
}

const configs: Record<string, string> = {
  ar: 'arabic',
  hy: 'armenian',
  eu: 'basque',
  ca: 'catalan',
  da: 'danish',
  nl: 'dutch',
  en: 'english',
  fi: 'finnish',
  fr: 'french',
  de: 'german',
  el: 'greek',
  hi: 'hindi',
  hu: 'hungarian',
  id: 'indonesian',
  ga: 'irish',
  it: 'italian',
  lt: 'lithuanian',
  ne: 'nepali',
  no: 'norwegian',
  nb: 'norwegian',
  nn: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  es: 'spanish',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
}

/** Scripts that put no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const UNSPACED_RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{M}]+/gu
const MAX_RUN = 1_000
let segmenter: Intl.Segmenter | null = null

/** The text with a space between words where its script has none. */
export function spaceWords(text: string): string {
  if (!UNSPACED.test(text)) return text
  return text.replace(UNSPACED_RUN, (run) => ` ${segmentsOf(run).join(' ')} `)
}

function segmentsOf(run: string): string[] {
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' })
  const segments: string[] = []
  for (let at = 0; at < run.length; at += MAX_RUN)
    for (const { segment } of segmenter.segment(run.slice(at, at + MAX_RUN))) segments.push(segment)
  return segments
}

export interface Word {
  text: string
  /** In code points. */
  start: number
  end: number
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

/** Words of a text with their positions. */
export function findWords(text: string): Word[] {
  const words: Word[] = []
  let unit = 0
  let point = 0
  const add = (at: number, word: string): void => {
    point += countPoints(text.slice(unit, at))
    const length = countPoints(word)
    words.push({ text: word, start: point, end: point + length })
    point += length
    unit = at + word.length
  }
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!UNSPACED.test(word)) {
      add(index, word)
      continue
    }
    let at = index
    for (const segment of segmentsOf(word)) {
      add(at, segment)
      at += segment.length
    }
  }
  return words
}

/** How many code points a text has. */
export function countPoints(text: string): number {
  let count = text.length
  for (let i = 1; i < text.length; i++)
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) count--
  return count
}
