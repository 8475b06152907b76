// The authors of a paper: names below its title and above its abstract.

import { type FoundValue, fieldOf } from './answer-fields.ts'

const MAX_HEAD_CHARACTERS = 3_000
const ABSTRACT = /^[^\S\n]*(?:abstract|zusammenfassung|résumé|resumen)\b/imu
/** Marks that refer to a footnote or an affiliation. */
const MARKS = /[∗*†‡§¶⋆\d¹²³⁴⁵⁶⁷⁸⁹,;]+/gu
const NAME = /^(?:\p{Lu}[\p{L}'’-]+|\p{Lu}\.|(?:\p{Lu}\.){2,3}|and|und|et|y|&|van|von|de|der|di|la|le)$/u
const AFFILIATION =
  /\b(?:universit\p{L}*|institut\p{L}*|department|laborator\p{L}*|research|school|college|center|centre|faculty|academy|inc|corporation|journal|proceedings|conference|vol|abstract|road|street|usa|china|germany)\b/iu
const MIN_NAME_WORDS = 2
const MAX_LINE_WORDS = 40

/** Empty unless the page begins like a paper. Places are in UTF-16 units of the page. */
export function authorsIn(page: string): FoundValue[] {
  const head = page.slice(0, MAX_HEAD_CHARACTERS)
  const end = ABSTRACT.exec(head)?.index
  if (end === undefined) return []
  const found: FoundValue[] = []
  let at = 0
  for (const [i, line] of head.slice(0, end).split('\n').entries()) {
    const text = line.trim()
    if (i > 0 && isNames(text)) found.push(fieldOf(text, 'Authors', at + line.indexOf(text)))
    at += line.length + 1
  }
  return found
}

function isNames(line: string): boolean {
  const words = line.replace(MARKS, ' ').trim().split(/\s+/)
  const names = words.filter((word) => /^\p{Lu}\p{L}*\p{Ll}/u.test(word))
  return (
    names.length >= MIN_NAME_WORDS &&
    words.length <= MAX_LINE_WORDS &&
    words.every((word) => NAME.test(word)) &&
    !AFFILIATION.test(line)
  )
}
