// Names, dates and sums in English text. Names are found by form and by short lists: many are missed and some are wrong,
// which the documentation says with figures.

import { firstOf, itemAt, lastOf } from '@octavo/base/required.ts'
import { type TaggedSentence, type Token, tagSentences } from './english.ts'
import { GIVEN_NAMES, ORGANISATION_WORDS, PLACE_WORDS, PLACES, TITLES } from './entity-names.ts'
import { positionsOf, type Span } from './positions.ts'

export type EntityType = 'person' | 'organization' | 'location' | 'date' | 'time' | 'money' | 'percentage'

export interface Entity extends Span {
  type: EntityType
  text: string
  confidence: number
}

const MENTIONS: Record<string, EntityType> = { DATE: 'date', TIME: 'time', MONEY: 'money', PERCENT: 'percentage' }
const AMOUNT = "\\d(?:[\\d,.'’\\u00a0\\u202f]{0,20}\\d)?"
const CURRENCY = '(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|PLN|CZK|INR|CNY)'
const MONEY = new RegExp(
  `(?:[$€£¥₹]|\\b${CURRENCY}) ?${AMOUNT}(?: ?(?:million|billion|trillion|[mb]n)\\b)?|(?<![\\w.,'’])${AMOUNT} ?(?:[€£]|${CURRENCY}\\b)`,
  'g',
)
const DATE = /\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}\/\d{1,2}\/\d{2,4}|\d{1,2}\.\d{1,2}\.\d{4})\b/g
const MAX_NAME_TOKENS = 6
/** A name may hold these between its parts. */
const BINDERS = new Set(['de', 'da', 'van', 'von', 'der', 'den', 'la', 'le', 'del', 'di', 'bin', 'al', '&'])

/** In the order of the text. Empty where the language has no tagger. */
export async function findEntities(text: string, language: string | null): Promise<Entity[]> {
  if (!(language === 'en' || language?.startsWith('en-'))) return []
  const sentences = await tagSentences(text)
  return sentences.flatMap((sentence) => {
    // A form is exact; the tagger ends CHF 3'360.00 at the apostrophe.
    const found = [...formsIn(sentence), ...mentionsIn(sentence), ...namesIn(sentence)]
    return withoutOverlap(found).map((one) => ({ ...one, text: textOf(sentence, one) }))
  })
}

type Found = Omit<Entity, 'text'>

const textOf = (sentence: TaggedSentence, { start, end }: Span): string =>
  [...sentence.text].slice(start - sentence.start, end - sentence.start).join('')

function withoutOverlap(found: Found[]): Found[] {
  const kept: Found[] = []
  for (const one of found) if (!kept.some(({ start, end }) => one.start < end && start < one.end)) kept.push(one)
  return kept.toSorted((a, b) => a.start - b.start)
}

function mentionsIn({ tokens, mentions }: TaggedSentence): Found[] {
  return mentions.flatMap(({ type, first, last }) => {
    const known = MENTIONS[type]
    return known
      ? [{ type: known, start: itemAt(tokens, first).start, end: itemAt(tokens, last).end, confidence: 0.8 }]
      : []
  })
}

function formsIn({ text, start }: TaggedSentence): Found[] {
  const toPoint = positionsOf(text)
  const pointOf = (unit: number): number => start + toPoint(unit)
  const find = (pattern: RegExp, type: EntityType): Found[] =>
    Array.from(text.matchAll(pattern), ({ 0: match, index }) => ({
      type,
      start: pointOf(index),
      end: pointOf(index + match.length),
      confidence: 0.8,
    }))
  return [...find(MONEY, 'money'), ...find(DATE, 'date')]
}

function namesIn({ tokens, text }: TaggedSentence): Found[] {
  const found: Found[] = []
  if (isShouted(text)) return found
  for (let i = 0; i < tokens.length; ) {
    const last = nameEnd(tokens, i)
    const name = tokens.slice(i, last)
    if (name.length > 0) {
      const kind = kindOf(name, tokens[i - 1], i === 0)
      const own = kind?.type === 'person' && isTitle(firstOf(name)) ? name.slice(1) : name
      if (kind && own.length > 0) found.push({ ...kind, start: firstOf(own).start, end: lastOf(own).end })
    }
    i = Math.max(last, i + 1)
  }
  return found
}

/** In a text in capitals, capitals say nothing about names. */
const isShouted = (text: string): boolean =>
  (text.match(/\p{Lu}/gu)?.length ?? 0) > (text.match(/\p{Ll}/gu)?.length ?? 0)
const isCapital = ({ text }: Token): boolean => /^\p{Lu}/u.test(text)
const isTitle = ({ text }: Token): boolean => TITLES.has(text.toLowerCase().replace('.', ''))
const isPart = (token: Token | undefined, is_first: boolean): boolean =>
  token !== undefined &&
  isCapital(token) &&
  (token.pos === 'PROPN' || (!is_first && ORGANISATION_WORDS.has(token.text.toLowerCase().replace('.', ''))))

/** "of" only as in "Bank of England". */
const bindsNames = (token: Token | undefined, before: Token): boolean =>
  token !== undefined &&
  (token.text === 'of' ? ORGANISATION_WORDS.has(before.text.toLowerCase()) : BINDERS.has(token.text.toLowerCase()))

/** The token after the last one of the name that begins here. */
function nameEnd(tokens: readonly Token[], first: number): number {
  let end = first
  while (end - first < MAX_NAME_TOKENS) {
    const binds = end > first && bindsNames(tokens[end], itemAt(tokens, end - 1)) && isPart(tokens[end + 1], false)
    if (!binds && !isPart(tokens[end], end === first)) break
    end += binds ? 2 : 1
  }
  return end
}

function kindOf(
  name: Token[],
  before: Token | undefined,
  is_first: boolean,
): { type: EntityType; confidence: number } | null {
  const words = name.map(({ text }) => text.toLowerCase().replace(/\.$/, ''))
  const last = lastOf(words)
  if (PLACES.has(words.join(' ')) || PLACES.has(`${words.join(' ')}.`)) return { type: 'location', confidence: 0.8 }
  if (words.length > 1 && ORGANISATION_WORDS.has(last)) return { type: 'organization', confidence: 0.75 }
  if (words.length > 1 && isTitle(firstOf(name))) return { type: 'person', confidence: 0.85 }
  if (words.length > 1 && PLACE_WORDS.has(last)) return { type: 'location', confidence: 0.6 }
  if (words.length > 1 && words.some((word) => ORGANISATION_WORDS.has(word)))
    return { type: 'organization', confidence: 0.6 }
  if (GIVEN_NAMES.has(firstOf(words))) return { type: 'person', confidence: words.length > 1 ? 0.8 : 0.5 }
  if (/^\p{Lu}{3,6}$/u.test(firstOf(name).text) && words.length === 1) return { type: 'organization', confidence: 0.4 }
  if (words.length === 1 && /^(?:in|at|near)$/i.test(before?.text ?? '') && !is_first)
    return { type: 'location', confidence: 0.4 }
  return words.length === 2 && !is_first ? { type: 'person', confidence: 0.4 } : null
}
