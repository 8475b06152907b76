// Text of fonts that do not say which letters they show: the file has other letters than a person sees.

import type { Word } from '../layout/types.ts'

/** More than half of the letters of each language that is written in Latin script are one of these. */
const FREQUENT = new Set('eainrtsol')
const MAX_SHARE = 0.45
/** In letters: a shorter text may be a list of codes. */
const MIN_LETTERS = 200
/** In characters: a longer word is an address or a key. */
const MAX_WORD = 30
const MAX_WORDS = 5_000

/** Whether Latin letters occur as in no language. */
export function isGarbled(words: readonly Word[]): boolean {
  const runs = words
    .slice(0, MAX_WORDS)
    .flatMap(({ text }) => (text.length > MAX_WORD ? [] : (text.match(/\p{L}{3,}/gu) ?? [])))
  const letters = runs.join('').normalize('NFD').toLowerCase().match(/\p{L}/gu) ?? []
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter))
  if (latin.length < MIN_LETTERS || latin.length < letters.length * 0.5) return false
  return latin.filter((letter) => FREQUENT.has(letter)).length < latin.length * MAX_SHARE
}
