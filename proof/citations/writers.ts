// Models that quote exactly, with different punctuation, with a typo, with a changed number, or something invented.

import { type ProviderRequest, promptOf } from '../../server/src/testing/provider-answers.ts'
import type { Random } from '../lib/random.ts'

/** Makes a quote from a sentence; null if the sentence is not suitable. */
type Quoting = (sentence: string, text: string, random: Random) => string | null

const changeCase = (text: string): string => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase())

const quotings = {
  /** Exact quote. */
  honest: (sentence) => sentence,
  /** The same words with different case, white space and quotation marks. */
  casual: (sentence) =>
    fold(changeCase(sentence)) === fold(sentence) ? changeCase(sentence).replace(/\s+/g, '  ') : sentence,
  sloppy(sentence, _, random) {
    const letters = [...sentence]
    const at = random.whole(1, Math.max(1, letters.length - 3))
    return letters.toSpliced(at, 2, letters[at + 1] ?? '', letters[at] ?? '').join('')
  },
  /** Changes a number in a real sentence to one that does not appear in the text. */
  forger(sentence, text, random) {
    const digits = [...sentence.matchAll(/\p{Nd}/gu)]
    if (digits.length === 0 || sentence.length < MIN_FORGED) return null
    const { index, 0: digit } = random.one(digits)
    for (let i = 1; i < 10; i++) {
      const zero = digit.codePointAt(0)! - valueOf(digit)
      const forged = `${sentence.slice(0, index)}${String.fromCodePoint(zero + ((valueOf(digit) + i) % 10))}${sentence.slice(index + digit.length)}`
      if (isNew(forged, index, text)) return forged
    }
    return null
  },
  inventor: (_, __, random) =>
    `The moon was sold to ${random.whole(20, 90)} tenants by the ${random.one(['duke', 'guild', 'bishop'])} in a year that never was, ${random.whole(100, 999)} times.`,
} satisfies Record<string, Quoting>
export type CitationsWriter = keyof typeof quotings
export const writers = Object.keys(quotings) as CitationsWriter[]

/** Their quotes appear on no page: none may be stored. */
export const liars: readonly CitationsWriter[] = ['forger', 'inventor']
/** Their quotes all appear on a page: none may be dropped. */
export const truthful: readonly CitationsWriter[] = ['honest', 'casual']

const MIN_FORGED = 40
const fold = (text: string): string => text.normalize('NFKC').toLowerCase()
const isNew = (forged: string, at: number, text: string): boolean => {
  const number = /\p{Nd}+$/u.exec(forged.slice(0, at))?.[0] ?? ''
  const rest = /^\p{Nd}+/u.exec(forged.slice(at))?.[0] ?? ''
  return !text.includes(number + rest)
}

/** Value of a decimal digit in any script: Unicode encodes the digits 0 to 9 consecutively. */
function valueOf(digit: string): number {
  const point = digit.codePointAt(0)!
  for (let value = 0; value < 10; value++) {
    const isZero = !/\p{Nd}/u.test(String.fromCodePoint(point - value - 1)) || value === 9
    if (isZero) return value
  }
  return 0
}

const MARKED = /^(=====\S+)\n([^]*)\n\1$/m
const MAX_QUOTE = 300

export interface CitationsNotice {
  quotes: number
}

/** Answers like the given writer, following the requested schema, and counts its quotes. */
export function answerOf(
  writer: CitationsWriter,
  random: Random,
  told: CitationsNotice,
): (asked: ProviderRequest) => string {
  return (asked) => {
    const text = MARKED.exec(promptOf(asked.body))?.[2] ?? ''
    const schema = asked.body.response_format!.json_schema!.schema as { properties: Record<string, unknown> }
    const quote = (): string[] => {
      const made = quoteFrom(writer, text, random)
      told.quotes += made.length
      return made
    }
    return JSON.stringify(valueOfKind(schema, { text, quote, random }))
  }
}

function quoteFrom(writer: CitationsWriter, text: string, random: Random): string[] {
  const sentences = sentencesOf(text)
  for (const sentence of random.shuffle(sentences)) {
    const quote = quotings[writer](sentence, text, random)
    if (quote !== null) return [quote]
  }
  return []
}

/** Numbers, titles and pages of passages are the server's own words. */
export function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !/^\[page \d+\]$/.test(line))
    .map((line) => line.replace(/^\[\d+\] (?:\(.*?, page \d+\) )?/, ''))
    .flatMap((line) => line.split(/(?<=[.!?。！？])\s*/))
    .map((sentence) => [...sentence.trim()].slice(0, MAX_QUOTE).join(''))
    .filter((sentence) => [...sentence].length >= 12)
}

interface CitationsReply {
  text: string
  quote: () => string[]
  random: Random
}

function valueOfKind(
  { properties }: { properties: Record<string, unknown> },
  { text, quote, random }: CitationsReply,
): unknown {
  if ('data' in properties) return extractionOf(quote)
  if ('results' in properties) {
    const items = (properties.results as { items: { properties: { label: { enum: string[] } } } }).items
    return {
      results: [{ label: random.one(items.properties.label.enum), score: 0.9, quotes: [...quote(), ...quote()] }],
    }
  }
  const item = (properties.sentences as { items: { properties: Record<string, unknown> } }).items.properties
  const sentences = Array.from({ length: properties.is_answered ? 2 : 3 }, (_, i) => {
    if ('notes' in item)
      return { text: `Point ${i + 1}.`, notes: [1 + ((i * 5) % Math.max(1, text.split('\n').length))] }
    const said = { text: `Statement ${i + 1}.`, quotes: [...quote(), ...quote()] }
    return 'passages' in item ? { ...said, passages: [1 + (i % 2)] } : said
  })
  return 'is_answered' in properties ? { is_answered: true, sentences } : { sentences }
}

/** Values that do not appear on any page themselves, so every citation for them is a quote by the model. */
export const EXTRACTION = {
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'parties'],
  properties: { kind: { type: 'string' }, parties: { type: 'array', items: { type: 'string' } } },
}
const extractionOf = (quote: () => string[]): unknown => ({
  data: { kind: 'zzkindzz', parties: ['zzfirstzz', 'zzsecondzz'] },
  evidence: ['/kind', '/parties/0', '/parties/1'].flatMap((path) => quote().map((one) => ({ path, quote: one }))),
})
