// The main fields of a form or a receipt: who issued it, for whom, what it is, the total and the date.

import { candidatesOf, type PageText } from './answer-candidates.ts'
import { positionsOf, type Span } from './positions.ts'
import { sentencesOf } from './sentences.ts'
import { wordsOf } from './words.ts'

export interface MainField extends Span {
  /** Empty for the issuer, which is a line without a label. */
  label: string
}

/** A page with more prose than this is a letter or an article, also if it has a few fields. */
const MAX_PROSE = 0.35
const MIN_FIELDS = 3
const PROSE_WORDS = 8
const MAX_VALUE = 80
const MAX_CHARACTERS = 20_000

const MONEY =
  /^(?:[A-Z]{3} ?|[$€£¥] ?)?-?\d{1,3}(?:[.,'’ \u00a0\u202f]?\d{3})*(?:[.,]\d{2})?(?: ?(?:[A-Z]{3}|[€$£¥]))?$/u
const DATE =
  /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b\d{1,2}\.? \p{L}{3,10}\.? \d{4}\b|\b\p{L}{3,10}\.? \d{1,2},? \d{4}\b/u
const hasLetters = (value: string): boolean => /\p{L}{2}/u.test(value)

interface Slot {
  /** The best first. */
  labels: readonly RegExp[]
  fits: (value: string) => boolean
}
const SLOTS: readonly Slot[] = [
  {
    labels: [
      /^(?:bill(?:ed)? to|sold to|customer(?: name)?|client(?: name)?|patient(?: name)?|insured|tenant|member(?: name)?|name|employee(?: name)?|(?:primary )?contact|payable by|kunde|kundin|rechnungsempfänger|empfänger|client|cliente|klant|naam|nom)$/iu,
    ],
    fits: (value) => hasLetters(value) && !/\d{3}/.test(value),
  },
  {
    labels: [
      /^(?:invoice|receipt|order|claim|bill|estimate|report|policy|transaction|case|booking|rechnungs?|factuur|facture|factura|fattura)[ -]?(?:no|nr|number|num|#|id|nummer|numéro|número|numero)?\.? ?#?$/iu,
      /^(?:transaction|order|invoice|document|reference|ref)(?: id| no\.?| number| #)?$/iu,
    ],
    fits: (value) => /\d/.test(value) && !DATE.test(value) && value.length <= 40,
  },
  {
    labels: [
      /^(?:grand total|total (?:amount )?due|amount due|balance due|total to pay|bill amount|invoice total|te betalen|rechnungsbetrag|gesamtbetrag|zu zahlen(?:der betrag)?|total (?:ttc|à payer|a pagar)|net à payer|totaalbedrag)$/iu,
      /^(?:total|total amount|gross amount(?: totals?)?|amount|summe|gesamt|betrag|totaal|totale|montant total|importe total)$/iu,
    ],
    fits: (value) => MONEY.test(value) && /\d/.test(value),
  },
  {
    labels: [
      /^(?:invoice|order|bill|report|receipt|issue|transaction|service|factuur|rechnungs)?[ -]?(?:date|datum|fecha|data)(?: of issue| issued)?$/iu,
      /^(?:dated|issued(?: on)?|date.*|ausgestellt am|le)$/iu,
    ],
    fits: (value) => DATE.test(value),
  },
]

/** Empty if the page is no form. */
export function mainFields(page: PageText): MainField[] {
  if (page.text.length > MAX_CHARACTERS || shareOfProse(page) > MAX_PROSE) return []
  const passage = { text: page.text, start: 0, title: '', headings: [], document: '', page }
  const fields = candidatesOf([passage])
    .filter(({ kind, text }) => kind !== 'sentence' && text.length <= MAX_VALUE)
    .map(({ label, text, start, end }) => ({ label: cleanLabel(label), text: text.trim(), start, end }))
  if (new Set(fields.map(({ label }) => label)).size < MIN_FIELDS) return []
  const chosen = SLOTS.flatMap((slot) => findField(fields, slot) ?? [])
  const issuer = findIssuer(page.text)
  // A total without anything else, or a lone date, says too little.
  if (chosen.length < 2) return []
  return [...(issuer ? [issuer] : []), ...chosen].map(({ label, start, end }) => ({ label, start, end }))
}

const cleanLabel = (label: string): string =>
  label
    .replace(/\s+/g, ' ')
    .replace(/[\s:：]+$/, '')
    .trim()

function shareOfProse({ text, language }: PageText): number {
  const prose = sentencesOf(text, language).filter(
    (sentence) => /[.!?。！？]["'”’)]?$/.test(sentence.text.trim()) && wordsOf(sentence.text).length >= PROSE_WORDS,
  )
  return prose.reduce((sum, sentence) => sum + sentence.text.length, 0) / Math.max(1, text.length)
}

type LabeledValue = MainField & { text: string }

function findField(fields: readonly LabeledValue[], { labels, fits }: Slot): LabeledValue | null {
  for (const label of labels) {
    const found = fields.find((field) => label.test(field.label) && fits(field.text))
    if (found) return found
  }
  return null
}

/** The first line, if it is a name: a letterhead, the name of a shop, or the kind of form. */
function findIssuer(text: string): MainField | null {
  const [line = ''] = /\S[^\n]*/.exec(text) ?? []
  const value = line.replace(/\t.*/, '').trim()
  if (value.length < 3 || value.length > 60 || /[:：]/.test(value) || !hasLetters(value) || /\d{3}/.test(value))
    return null
  const toPoint = positionsOf(text)
  const at = text.indexOf(value)
  return { label: '', start: toPoint(at), end: toPoint(at + value.length) }
}
