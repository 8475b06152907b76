// Normalizes numbers and dates, so that `2,940` equals `2940`, `May 8, 2026` equals `2026-05-08`, and `seven` equals `7`.

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const GERMAN_MONTHS: Record<string, string> = { mär: 'mar', mai: 'may', okt: 'oct', dez: 'dec' }
const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
const WORDS = new Map(SMALL.split(' ').map((word, value) => [word, String(value)]))
/** Words that are often not numbers. */
const NOT_COUNTED = new Set(['zero', 'one'])

const MONTH = '(jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\\p{L}{0,8}\\.?'
const ISO = /\b(\d{4})-(\d\d)-(\d\d)\b/g
const DAY_FIRST = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th|\\.)? ${MONTH} (\\d{4})\\b`, 'giu')
const MONTH_FIRST = new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?, (\\d{4})\\b`, 'giu')
const POINTS = /\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/g
/** Digits in groups of three, and a fraction. If both marks occur, or three digits follow one, it is clear which mark separates the fraction. */
const NUMBER = /\d+(?:[.,'’\u00a0\u202f]\d+)*/g
const GROUPED = /^\d{1,3}([.,'’\u00a0\u202f])\d{3}(?:\1\d{3})*(?:[.,]\d+)?$/

export interface Figures {
  figures: Set<string>
  /** The text without them. */
  rest: string
}

const dateKey = (year: string, month: number, day: string): string =>
  `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`

function monthOf(name: string): number {
  const key = name.toLowerCase()
  return MONTHS.indexOf(GERMAN_MONTHS[key] ?? key) + 1
}

function numberKey(written: string): string {
  const mark = GROUPED.exec(written)?.[1]
  const plain = (mark ? written.replaceAll(mark, '') : written).replaceAll(/['’\u00a0\u202f]/g, '').replace(',', '.')
  const value = Number(plain)
  return Number.isFinite(value) ? String(value) : plain
}

export function figuresOf(text: string): Figures {
  const figures = new Set<string>()
  const take = (key: string): string => {
    figures.add(key)
    return ' '
  }
  const rest = text
    .replace(ISO, (_, year: string, month: string, day: string) => take(dateKey(year, Number(month), day)))
    .replace(POINTS, (_, day: string, month: string, year: string) => take(dateKey(year, Number(month), day)))
    .replace(DAY_FIRST, (_, day: string, month: string, year: string) => take(dateKey(year, monthOf(month), day)))
    .replace(MONTH_FIRST, (_, month: string, day: string, year: string) => take(dateKey(year, monthOf(month), day)))
    .replace(NUMBER, (written) => take(numberKey(written)))
    .replace(/\p{L}+/gu, (word) => {
      const value = WORDS.get(word.toLowerCase())
      return value === undefined || NOT_COUNTED.has(word.toLowerCase()) ? word : take(value)
    })
  return { figures, rest }
}
