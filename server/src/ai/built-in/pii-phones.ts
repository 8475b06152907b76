// Telephone numbers. A number with a country code is checked against that country's plan; without one, its form and the
// words before it must speak for it.

import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'
import type { Span } from './positions.ts'

/** Groups of digits with one or two signs between them. */
const NUMBER =
  /(?<![\p{L}\p{N}/:#$€£-]|\d[.,])(?:\+|00)?\(?\d(?:[ \u00a0()./\u2010-\u2015-]{0,3}\d){5,17}(?:\s?(?:x|ext\.?)\s?\d{1,6})?(?![\p{L}\p{N}]|[.,:/-]\d)/gu
const CONTEXT =
  /(?:phone|call(?:ed|ing)?|tel|telephone|fax|mobile|cell|dial|reach|ring|text|sms|whatsapp|number|contact|hotline|telefon|tél|téléphone|teléfono|telefono|handy|rufnummer)/i
const CONTEXT_AFTER = /^\W{0,3}(?:office|fax|mobile|cell|home|work|main|direct)\b/i
const CONTEXT_UNITS = 40
const NOT_A_PHONE_BEFORE =
  /(?:invoice|order|account|iban|ref(?:erence)?|case|id|isbn|serial|no|nr|number of|card|zip|postal|licen[cs]e(?: number)?(?: is)?)\W{0,4}$/i
/** Four numbers between dots are a machine's address, or a version. */
const DOTTED = /^\d+(?:\.\d+){3}$/
const DATE = /^(?:\d{1,2}[-./ ]\d{1,2}[-./ ]\d{2,4}|\d{4}[-./ ]\d{1,2}[-./ ]\d{1,2})$/
/** 2019–2024, 10/12/2026 14, 100-200: years, dates and ranges of numbers. */
const RANGE = /^(?:(?:19|20)\d\d ?- ?(?:19|20)\d\d|[1-9]\d{0,5} ?- ?\d{1,6})$/
const BEGINS_WITH_DATE = /^(?:\d{1,2}[-./]\d{1,2}[-./](?:19|20)\d\d|(?:19|20)\d\d[-./]\d{1,2}[-./]\d{1,2})(?!\d)/

export function findPhones(text: string): (Span & { confidence: number })[] {
  const found: (Span & { confidence: number })[] = []
  for (const { 0: match, index } of text.matchAll(NUMBER)) {
    const before = text.slice(Math.max(0, index - CONTEXT_UNITS), index)
    const end = index + match.length
    const confidence = confidenceOf(match, before, text.slice(end, end + CONTEXT_UNITS))
    if (confidence > 0) found.push({ start: index, end, confidence })
  }
  return found
}

function confidenceOf(match: string, before: string, after: string): number {
  const main = plainForm(match.replace(/\s?(?:x|ext).*$/, ''))
  const digits = main.replace(/\D/g, '')
  if (digits.length < 7 || digits.length > 15 || /^(\d)\1+$/.test(digits)) return 0
  if ([DATE, DOTTED, RANGE, BEGINS_WITH_DATE].some((form) => form.test(main))) return 0
  const named = (CONTEXT.test(before) && !NOT_A_PHONE_BEFORE.test(before)) || CONTEXT_AFTER.test(after)
  if (main.startsWith('+') || main.startsWith('00')) return internationalConfidence(main, named)
  if (NOT_A_PHONE_BEFORE.test(before)) return 0
  const shape = shapeConfidence(main, digits)
  return named ? Math.max(0.7, shape) : shape
}

/** Dashes of all kinds become hyphens, and a slash between groups too: "030 / 12 34–56" is "030-12 34-56". */
const plainForm = (match: string): string =>
  match
    .replace(/ ?[\u2010-\u2015] ?/g, '-')
    .replace(/^(\(?0\d{1,5}\)?) ?\/ ?/, '$1-')
    .replace(/ - /g, '-')

function internationalConfidence(main: string, named: boolean): number {
  const number = parsePhoneNumberFromString(main.replace('(0)', '').replace(/^00/, '+'))
  if (number?.isValid()) return 0.95
  return number?.isPossible() || named ? 0.7 : 0
}

/** North American, or groups as other countries write them, with a leading zero or brackets. */
function shapeConfidence(main: string, digits: string): number {
  if (/^1?[ .-]?\(?\d{3}\)?[ .-]?\d{3}[ .-]\d{4}$/.test(main)) return isNorthAmerican(digits) ? 0.85 : 0.7
  if (main.includes('/')) return 0
  if (/^0\d/.test(main) && digits.length >= 9 && digits.length <= 12) return 0.7
  // An area code in brackets or before a slash: (030) 123456, 0351/12 34 56.
  if (/^0\d{1,5}-\d/.test(main) && digits.length >= 8) return 0.7
  if (/^\(\d{2,5}\)/.test(main)) return 0.7
  if (/^\d{2}(?:[ .-]\d{2}){3,4}$/.test(main)) return 0.6
  return 0
}

const isNorthAmerican = (digits: string): boolean =>
  isSupportedCountry('US') && parsePhoneNumberFromString(digits.slice(-10), 'US')?.isValid() === true
