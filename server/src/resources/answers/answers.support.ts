// Checks what a generative model wrote: names and numbers of a sentence must appear in its quotes or in the question.

import { figuresOf } from '../../ai/built-in/figures.ts'

/** A capitalized word that does not begin the sentence. Shorter ones are abbreviations and initials. */
const NAME = /(?<=[\p{L}\p{N}\p{M}"'”’),;:–-]\s+["'“‘(]?)\p{Lu}[\p{L}\p{M}’'-]{2,}/gu
const DIGITS = /\d+/g
/** Inflected forms of a name share this many characters. */
const STEM = 4

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * `hasNames`: whether capitals mark names. In German they mark every noun, so there only numbers are checked.
 */
export function unsupportedIn(sentence: string, evidence: readonly string[], hasNames: boolean): string[] {
  const known = evidence.join('\n')
  return [...unsupportedFigures(sentence, known), ...(hasNames ? unsupportedNames(sentence, known) : [])]
}

function unsupportedFigures(sentence: string, known: string): string[] {
  const { figures } = figuresOf(known)
  const digits = new Set(known.match(DIGITS))
  // "3 March" is supported by "March 3, 2026", which is one date.
  const isKnown = (figure: string): boolean =>
    figures.has(figure) || (figure.match(DIGITS) ?? []).every((part) => digits.has(part) || digits.has(`0${part}`))
  return [...figuresOf(sentence).figures].filter((figure) => !isKnown(figure))
}

function unsupportedNames(sentence: string, known: string): string[] {
  const words = folded(known)
  return [...new Set(sentence.match(NAME))].filter(
    (name) => !words.includes(folded(name).slice(0, Math.max(STEM, name.length - 2))),
  )
}
