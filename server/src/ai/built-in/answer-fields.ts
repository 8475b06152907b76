// Lines with labels and values → fields: "Total: 821.14", "TOTAL  $821.14", "Claim # SF-1008 Policy # POL-2022-555".

import { MONTH } from './answer-kinds.ts'
import type { Span } from './positions.ts'

export interface FoundValue extends Span {
  kind: 'sentence' | 'field' | 'cell'
  /** The answer itself. */
  text: string
  /** The label of a field, or the row and the head of a cell. Empty for a sentence. */
  label: string
  /** The rest of the row, or the sentence before. */
  near: string
  /** The head of the column and the name of the row. Empty if the value is not in a table with heads. */
  head: string
  row: string
  /** The names of the table's other rows, and of its other columns if these are numbers. */
  rivals: string
  /** Other cells of the row that no other row has: each can name the row. */
  names: readonly string[]
}

export const MAX_LABEL = 60
const MAX_FIRST_LABEL = 50
/** Not the colon of a time or of an address. */
const COLON = /[:：](?=\s|$|[\p{Script=Han}\p{Script=Hangul}])|(?<=\p{L} ):(?=\p{L})/gu
/** "TOTAL  $821.14": a line with only a label and a number. */
const VALUE_LINE =
  /^[^\S\n]*(\p{L}[\p{L}\p{M} .()%#&/-]{1,40}?)[^\S\n]+((?:[A-Z]{3} |[$€£¥] ?)?-?\d[\d.,'’ ]*(?: ?(?:%|[€$£¥]|[A-Z]{3}))?)[^\S\n]*$/u
const MAX_FIELD = 200
/** A date, a sum, a number with its unit, or a code. */
const INLINE_VALUE = new RegExp(
  [
    `(?<![\\w.,-])\\d{1,2}(?:st|nd|rd|th|\\.)?\\s(?:of\\s)?${MONTH}\\.?,?\\s\\d{4}(?!\\w)`,
    `(?<!\\p{L})${MONTH}\\.?\\s\\d{1,2}(?:st|nd|rd|th)?,?\\s\\d{4}(?!\\w)`,
    `(?:[A-Z]{3} |[$€£¥] ?)?(?<![\\w.,-])-?\\d[\\d.,'’:/]*\\d(?: ?(?:%|[€$£¥]|[ap]m\\b|[AP]M\\b|mg\\/dL|m\\b|bn\\b))?(?![\\w-]|[.,]\\d)`,
    '(?<![\\w.,-])(?=(?:-?\\d){7})\\d{2,}(?:-\\d{2,})+(?![\\w-])',
    '(?<![\\w-])[A-Z]{2}\\d{2}(?: [A-Z0-9]{4}){3,7}(?: [A-Z0-9]{1,3})?(?![\\w-])',
    '(?<![\\w-])(?=[\\w-]*\\d)(?=[\\w-]*[A-Z])[A-Z0-9][\\w-]{3,}',
  ].join('|'),
  'gu',
)

/** Words that begin or end the label of a form. They show where a value ends and the next label begins. */
const LABEL_WORDS = new Set(
  (
    'account address amount approved audit authorized bank bill billing birth buyer cashier city claim client code company contact control ' +
    'country county currency customer date delivery department description discount due email employee employer end expiry fax first from grand ' +
    'gross hours id insured invoice issue item job last lender license method mobile name net next no number order owner page patient pay payment ' +
    'period phone place policy position postal prepared previous price primary project purchase qty quantity rate receipt ref reference region ' +
    'register report sales seller service ship shipping signature start state status store street subject subtotal supplier tax tel telephone ' +
    'terms time title to total type unit valid vat vendor weight zip'
  ).split(' '),
)

/** "By: /s/ Ann Lee": how a typed copy shows a signature. */
export const SIGNATURE = /^\/s\/\s*(?=\p{Lu})/u

/** "PAYMENT TERMS: SHIPPING": the label of the next column. */
export const isLabelOnly = (text: string): boolean =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .every((word) => LABEL_WORDS.has(word))

export const fieldOf = (text: string, label: string, start: number): FoundValue => ({
  kind: 'field',
  text,
  label: SIGNATURE.test(text) ? 'Signed by' : label,
  near: '',
  head: '',
  row: '',
  rivals: '',
  names: [],
  start,
  end: start + text.length,
})

/** Places are in UTF-16 units of the text. */
export function fieldsIn(text: string): FoundValue[] {
  let at = 0
  const found: FoundValue[] = []
  for (const line of text.split('\n')) {
    for (const one of fieldsOfLine(line)) found.push({ ...one, start: at + one.start, end: at + one.end })
    at += line.length + 1
  }
  return found.filter(({ label }) => label.length <= MAX_LABEL && !/https?$/i.test(label))
}

function fieldsOfLine(line: string): FoundValue[] {
  const plain = VALUE_LINE.exec(line)
  if (plain?.[1] && plain[2]) return [fieldOf(plain[2].trim(), plain[1], line.lastIndexOf(plain[2]))]
  const colons = [...line.matchAll(COLON)].map(({ index }) => index)
  // A label is the end of the text between two colons; the value of the label before it is the rest.
  const labels = colons.map((colon, i) => {
    const from = i === 0 ? 0 : (colons[i - 1] ?? 0) + 1
    const length = labelLength(line.slice(from, colon), i === 0)
    return { start: colon - length, text: line.slice(colon - length, colon).trim() }
  })
  return labels.flatMap(({ text: label }, i) => {
    const from = (colons[i] ?? 0) + 1
    const raw = line.slice(from, labels[i + 1]?.start ?? line.length)
    const value = raw.trim().slice(0, MAX_FIELD)
    return label === '' || value === '' || !/^\p{Lu}/u.test(label)
      ? []
      : [fieldOf(value, label, from + raw.length - raw.trimStart().length)]
  })
}

/** "Mountain View, CA 94043 Balance Due": the end of an address in another column. */
const textBeforeLabel = (text: string): number => /^.*\d{3,}\s+(?=\p{Lu}\p{L}+)/u.exec(text)?.[0].length ?? 0

/** How many characters before a colon are its label. The first label of a line begins with the line. */
function labelLength(text: string, isFirst: boolean): number {
  if (isFirst && text.trim().length <= MAX_FIRST_LABEL) return text.length - textBeforeLabel(text)
  const words = [...text.matchAll(/\S+/g)]
  let first = words.length - 1
  while (first > 1 && LABEL_WORDS.has((words[first - 1]?.[0] ?? '').toLowerCase())) first--
  const begin = words[first]
  return begin ? text.length - begin.index : 0
}

const MAX_STACKED_LABEL_WORDS = 4
const MAX_STACKED_VALUE = 80

/** A line with only a label, with the value on the next line: "Analyst:", "Invoice Date". Places are in the page. */
export function stackedFieldsIn(page: string, { start, end }: Span): FoundValue[] {
  const found: FoundValue[] = []
  let label = lineBefore(page, start)
  let at = start
  for (const line of page.slice(start, end).split('\n')) {
    const value = line.trim()
    if (isStackedValue(label, value)) found.push(fieldOf(value, label, at + line.indexOf(value)))
    if (value !== '') label = value
    at += line.length + 1
  }
  return found
}

const lineBefore = (page: string, start: number): string =>
  page.slice(0, start).trimEnd().split('\n').at(-1)?.trim() ?? ''

/** "REWARDS MEMBER" above "Sarah Mitchell". */
const CAPITALS = /^\p{Lu}[\p{Lu} .#/&-]{3,39}$/u
const FULL_NAME = /^\p{Lu}\p{Ll}+(?: \p{Lu}\.)?(?: \p{Lu}[\p{L}'’-]+){1,3}$/u

/** Without a colon, only a number or a name below capitals shows that the line is a value. */
function isStackedValue(label: string, value: string): boolean {
  if (value === '' || value.length > MAX_STACKED_VALUE || /[:：](?:\s|$)|\p{L}{2}[.!?]$/u.test(value)) return false
  if (/[:：]$/.test(label)) return /^\p{Lu}/u.test(label) && label.length <= MAX_LABEL
  const words = label.toLowerCase().split(/\s+/)
  if (CAPITALS.test(label) && words.length <= MAX_STACKED_LABEL_WORDS && FULL_NAME.test(value)) return true
  const isLabel = /^\p{Lu}[\p{L} .#/-]*$/u.test(label) && words.length <= MAX_STACKED_LABEL_WORDS
  return (
    isLabel &&
    LABEL_WORDS.has(words.at(-1) ?? '') &&
    /\d/.test(value) &&
    value.split(/\s+/).length <= MAX_STACKED_LABEL_WORDS
  )
}

const MAX_INLINE = 1_500
const INLINE_LABEL_WORDS = 3
const ENDS_AS_PROSE = /[.!?。！？]["'”’)]?\s*$/

/** A form whose fields run together, without colons. Prose, which ends with a full stop, has none. */
function inlineFieldsIn(text: string): FoundValue[] {
  if (text.length > MAX_INLINE || ENDS_AS_PROSE.test(text) || !/\p{L}/u.test(text)) return []
  const found: FoundValue[] = []
  let from = 0
  for (const { 0: value, index } of text.matchAll(INLINE_VALUE)) {
    const words = text.slice(from, index).trim().split(/\s+/)
    from = index + value.length
    // The label's first word is not known, so each length is a candidate.
    for (let count = 1; count <= Math.min(INLINE_LABEL_WORDS, words.length); count++) {
      const label = words.slice(-count).join(' ')
      if (/\p{L}{2}/u.test(label) && !/\||[([]$/.test(label))
        found.push({ ...fieldOf(value, label, index), near: text })
    }
  }
  return found
}

/** "IBAN: AT92 2040 4000": a value of this length is not cut after its first number. */
const MAX_WHOLE = 40

/** Fields with and without a colon. */
export function lineFieldsIn(text: string): FoundValue[] {
  const fields = fieldsIn(text)
  const isPart = (one: FoundValue): boolean =>
    fields.some(
      ({ start, text: all }) => start === one.start && all.length > one.text.length && all.length <= MAX_WHOLE,
    )
  return [...fields, ...inlineFieldsIn(text).filter((one) => !isPart(one))]
}
