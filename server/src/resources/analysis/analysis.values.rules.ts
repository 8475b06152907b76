// Finds a value in a text, in the forms in which people write it.

import type { ExtractionValue } from './analysis.fields.rules.ts'

const MAX_UNITS = 600
const ISO_DATE = /^(\d{4})-(\d\d)-(\d\d)(?:T.*)?$/
/** These scripts do not separate words with spaces. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const WORD_EDGES = ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])'] as const
/** Digits after a mark make it a different number: `12` is not found in `12.5`. */
const NUMBER_EDGES = ['(?<![\\p{L}\\p{N}]|\\d[.,])', '(?!\\p{N}|[.,]\\d)'] as const
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const GERMAN_MONTHS = [
  'Januar',
  'Februar',
  'März',
  'April',
  'Mai',
  'Juni',
  'Juli',
  'August',
  'September',
  'Oktober',
  'November',
  'Dezember',
]
const FRENCH_MONTHS = [
  'janvier',
  'février',
  'mars',
  'avril',
  'mai',
  'juin',
  'juillet',
  'août',
  'septembre',
  'octobre',
  'novembre',
  'décembre',
]

/** A date, or null where the text is none. */
export const dateOf = (value: ExtractionValue): string | null =>
  typeof value === 'string' && ISO_DATE.test(value) ? value.slice(0, 10) : null

/** The likeliest first. */
export function formsOf(value: ExtractionValue): string[] {
  if (typeof value === 'number') return numberForms(value)
  if (typeof value !== 'string') return []
  return [value, ...dateForms(value)]
}

function numberForms(value: number): string[] {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e15) return []
  const [whole = '0', fraction = ''] = Math.abs(value)
    .toFixed(6)
    .replace(/\.?0+$/, '')
    .split('.')
  const grouped = (sign: string): string => whole.replace(/\B(?=(\d{3})+$)/g, sign)
  const wholes = [
    ...new Set([
      whole,
      grouped(','),
      grouped('.'),
      grouped(' '),
      grouped("'"),
      grouped('’'),
      grouped('\u00a0'),
      grouped('\u202f'),
    ]),
  ]
  const fractions = [...new Set(fraction === '' ? ['', '00', '0'] : [fraction, fraction.padEnd(2, '0')])]
  return wholes.flatMap((one) =>
    fractions.flatMap((part) => {
      if (part === '') return [one]
      // The sign of thousands is never that of the fraction.
      return ['.', ','].filter((mark) => !one.includes(mark)).map((mark) => `${one}${mark}${part}`)
    }),
  )
}

function dateForms(text: string): string[] {
  const [, year, month, day] = ISO_DATE.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return []
  const [m, d] = [Number(month), Number(day)]
  const names = [MONTHS[m - 1], MONTHS[m - 1]?.slice(0, 3), GERMAN_MONTHS[m - 1], FRENCH_MONTHS[m - 1]].filter(
    (name) => name !== undefined,
  )
  const isTeen = d > 10 && d < 14
  const ordinal = `${d}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][d % 10]) ?? 'th'}`
  const spoken = names.flatMap((name) => [
    `${d} ${name} ${year}`,
    `${ordinal} ${name} ${year}`,
    `${d}. ${name} ${year}`,
    `${name} ${d}, ${year}`,
    `${name} ${ordinal}, ${year}`,
    `${name} ${d} ${year}`,
  ])
  const written = ['.', '/', '-'].flatMap((mark) => [
    [day, month, year].join(mark),
    [d, m, year].join(mark),
    [month, day, year].join(mark),
    [m, d, year].join(mark),
    [year, month, day].join(mark),
  ])
  return [text.slice(0, 10), ...spoken, ...written]
}

/** In UTF-16 units. Only matches whole words: `12` is not found in `2012`. */
export function findForm(text: string, form: string): { start: number; end: number } | null {
  const wanted = form.trim()
  if (wanted === '' || wanted.length > MAX_UNITS) return null
  const literal = wanted.split(/\s+/).map(escape).join('\\s+')
  const isNumber = /^\d/.test(wanted) && /\d$/.test(wanted)
  const edges = isNumber ? NUMBER_EDGES : WORD_EDGES
  const [before, after] = UNSPACED.test(wanted) ? ['', ''] : edges
  const match = new RegExp(`${before}${literal}${after}`, 'iu').exec(text)
  return match && { start: match.index, end: match.index + match[0].length }
}

const escape = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
