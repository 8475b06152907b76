// One value, for programs and for people.

import type { ColumnKind } from './report.ts'

const LIST_SEPARATOR = '; '
const MICROS = 6
const MONEY_DIGITS = 2
const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 })
const WHOLE = /^-?\d{1,40}$/

/** Converts a value to JSON. Integers that a double would round become strings. */
export function dataOf(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  return value
}

/** Everything of it, in a form that programs read back: times as ISO, numbers without grouping. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (value instanceof Date) return Number.isNaN(value.valueOf()) ? '' : value.toISOString()
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.map(valueText).join(LIST_SEPARATOR)
  return JSON.stringify(value) ?? ''
}

const showTime = (text: string): string =>
  text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(?:Z|\+00:00)$/, '$1 $2')

function showNumber(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return numbers.format(value)
  const text = valueText(value)
  return WHOLE.test(text) ? numbers.format(BigInt(text)) : text
}

/** Formats micros with at least two decimal places, and more only if they are not zero. */
function showMoney(value: unknown): string {
  const text = valueText(value)
  if (!WHOLE.test(text)) return text
  const digits = text.replace('-', '').padStart(MICROS + 1, '0')
  const fraction = digits.slice(-MICROS).replace(/0+$/, '').padEnd(MONEY_DIGITS, '0')
  return `${text.startsWith('-') ? '-' : ''}${numbers.format(BigInt(digits.slice(0, -MICROS)))}.${fraction}`
}

const shown: Record<ColumnKind, (value: unknown) => string> = {
  text: valueText,
  markdown: valueText,
  integer: showNumber,
  number: showNumber,
  time: (value) => showTime(valueText(value)),
  money_micros: showMoney,
  boolean: (value) => {
    if (typeof value !== 'boolean') return valueText(value)
    return value ? 'yes' : 'no'
  },
}

/** As people read it. */
export const showValue = (value: unknown, kind: ColumnKind): string =>
  value === null || value === undefined ? '' : shown[kind](value)

/** Numbers are right-aligned. */
export const isNumber = (kind: ColumnKind): boolean =>
  kind === 'integer' || kind === 'number' || kind === 'money_micros'

/** Counts characters as people do not: by code point, without reading past the cut. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most * 2)
  const points = [...kept]
  return points.length <= most && kept.length === text.length ? text : `${points.slice(0, most).join('').trimEnd()}…`
}
