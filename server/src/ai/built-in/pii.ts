// Personal data that has a form: addresses, numbers, accounts. Each kind is a pattern and, where there is one, its checksum.
// Patterns have no nested repetition, so that no text makes them slow.

import { cardConfidence, ibanIsValid, ipv4Confidence, ssnIsPossible } from './pii-checks.ts'
import { findPhones } from './pii-phones.ts'
import { positionsOf, type Span } from './positions.ts'

export type PiiType = 'email' | 'credit_card' | 'iban' | 'us_ssn' | 'ip_address' | 'phone_number'

export interface PiiMatch extends Span {
  type: PiiType
  text: string
  /** 0–1: a number whose checksum is right is nearly certain; nine digits in groups are not. */
  confidence: number
}

interface Kind {
  type: PiiType
  pattern: RegExp
  /** 0: it is not. */
  confidence: (found: string, context: string) => number
}

const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}_%+-](?:[\p{L}\p{N}._%+-]{0,62}[\p{L}\p{N}_%+-])?@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/gu
const IBAN = /(?<![\p{L}\p{N}])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]{4}){2,7}(?:[ -]?[A-Za-z0-9]{1,3})?(?![\p{L}\p{N}])/gu
const CARD = /(?<![\p{L}\p{N}]|\d[.,-])\d(?:[ -]?\d){11,18}(?![\p{L}\p{N}]|[.,]\d)/gu
const SSN = /(?<![\p{L}\p{N}-])\d{3}([- ])\d{2}\1\d{4}(?![\p{L}\p{N}]|-\d)/gu
const IPV4 = /(?<![\p{L}\p{N}.])(?:\d{1,3}\.){3}\d{1,3}(?![\p{L}\p{N}]|\.\d)/gu
const IPV6 =
  /(?<![\p{L}\p{N}:.])(?:[0-9A-Fa-f]{1,4}:|:(?=:)|:(?<=::)){2,8}(?:[0-9A-Fa-f]{1,4}|(?:\d{1,3}\.){3}\d{1,3})?(?![\p{L}\p{N}:])/gu

/** The first match wins if two cover the same characters. */
const KINDS: readonly Kind[] = [
  { type: 'email', pattern: EMAIL, confidence: () => 0.99 },
  { type: 'iban', pattern: IBAN, confidence: (found) => (ibanIsValid(found) ? 0.99 : 0) },
  { type: 'credit_card', pattern: CARD, confidence: cardConfidence },
  { type: 'us_ssn', pattern: SSN, confidence: (found) => (ssnIsPossible(found) ? 0.85 : 0) },
  { type: 'ip_address', pattern: IPV4, confidence: ipv4Confidence },
  { type: 'ip_address', pattern: IPV6, confidence: (found) => (isIpv6(found) ? 0.95 : 0) },
]

/** Length of the text before a match that is searched for context. */
const CONTEXT_UNITS = 40

/** In the order of the text, none over another. */
export function findPii(text: string): PiiMatch[] {
  const toPoint = positionsOf(text)
  const found: (Span & { type: PiiType; confidence: number })[] = []
  const taken = new Uint8Array(text.length)
  const add = (match: (typeof found)[number]): void => {
    for (let at = match.start; at < match.end; at++) if (taken[at]) return
    taken.fill(1, match.start, match.end)
    found.push(match)
  }
  for (const { type, pattern, confidence } of KINDS) {
    for (const { 0: match, index } of text.matchAll(pattern)) {
      const sure = confidence(match, text.slice(Math.max(0, index - CONTEXT_UNITS), index))
      if (sure > 0) add({ type, start: index, end: index + match.length, confidence: sure })
    }
  }
  for (const { start, end, confidence } of findPhones(text)) add({ type: 'phone_number', start, end, confidence })
  return found
    .toSorted((a, b) => a.start - b.start)
    .map(({ type, start, end, confidence }) => ({
      type,
      text: text.slice(start, end),
      confidence,
      start: toPoint(start),
      end: toPoint(end),
    }))
}

function isIpv6(found: string): boolean {
  const gaps = found.split('::').length - 1
  const groups = found.split(':').filter(Boolean)
  const count = groups.length + (groups.at(-1)?.includes('.') ? 1 : 0)
  return gaps === 1 ? count <= 7 && count >= 2 && !/(?<!:):$/.test(found) : gaps === 0 && count === 8
}
