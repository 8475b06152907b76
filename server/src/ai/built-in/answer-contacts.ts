// Telephone numbers, email addresses, universities and authors: values that often have no label.

import { type FoundValue, fieldOf } from './answer-fields.ts'
import { EMAIL, phonesIn } from './answer-kinds.ts'
import type { Question } from './answer-question.ts'
import { stemOf } from './answer-stems.ts'
import type { Span } from './positions.ts'

/** How much text before a value says whose it is. */
const BEFORE = 160
export const textBefore = (page: string, at: number): string => page.slice(Math.max(0, at - BEFORE), at)

const INSTITUTE =
  'University|Universität|Université|Universidad|Università|Universiteit|College|Institute|Institut|Hochschule|Academy'
/** "New York University", "University of Maryland", "Massachusetts Institute of Technology". */
const INSTITUTION = new RegExp(
  `(?:(?!(?:${INSTITUTE}|At|The|In|From|Attn|Department|School|Faculty)\\b)\\p{Lu}[\\p{L}'’&-]*[^\\S\\n]+){0,3}(${INSTITUTE})(?![\\p{L}-])(?:[^\\S\\n]+(?:of|de|di|für|van|zu)(?:[^\\S\\n]+(?:the[^\\S\\n]+)?(?!(?:${INSTITUTE})\\b)\\p{Lu}[\\p{L}'’-]+){1,3})?`,
  'gu',
)

/** Contacts and institutions within a part of a page. Places are in the page. */
export function contactsIn(page: string, { start, end }: Span): FoundValue[] {
  const text = page.slice(start, end)
  const contact = (label: string, value: string, index: number): FoundValue => {
    const from = start + index
    return { ...fieldOf(value, label, from), near: textBefore(page, from) }
  }
  return [
    ...phonesIn(text).map(({ 0: value, index }) => contact('Phone', value, index)),
    ...[...text.matchAll(EMAIL)].map(({ 0: value, index }) => contact('Email', value, index)),
    ...[...text.matchAll(INSTITUTION)].flatMap(({ 0: value, 1: label = '', index }) => {
      const found = contact(label, value, index)
      return value === label ? [] : [{ ...found, near: linesAround(page, found) }]
    }),
  ]
}

/** The line of a value and the line above it. */
function linesAround(page: string, { start, end }: Span): string {
  const before = page.slice(0, start).split(/\n+/).slice(-2).join(' ')
  return `${before} ${page.slice(end).split('\n', 1)[0] ?? ''}`
}

/** Contacts and authors belong to the whole page. */
export const isOfPage = (one: FoundValue): boolean =>
  one.kind === 'field' &&
  (one.label === 'Email' || one.label === 'Phone' || one.label === 'Authors' || isInstitution(one))

export const isInstitution = ({ kind, label, text }: FoundValue): boolean =>
  kind === 'field' && INSTITUTES.has(label) && text.includes(label)
const INSTITUTES = new Set(INSTITUTE.split('|'))

/** "New York University" below the name, for "At which university is Ann Lee?" */
export const isAskedInstitution = (
  question: Question,
  one: FoundValue,
  features: { anchors_missing_above: number },
): boolean =>
  isInstitution(one) &&
  question.kind === 'name' &&
  question.anchors.length > 0 &&
  question.attributes.includes(stemOf(one.label)) &&
  features.anchors_missing_above === 0
