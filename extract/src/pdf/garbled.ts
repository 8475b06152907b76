// Detects garbled text: fonts with a wrong letter mapping, so that the extracted letters differ from the visible ones.

import type { Word } from '../layout/types.ts'

/** In every language with Latin script, these make up more than half of all letters. */
const FREQUENT = new Set('eainrtsol')
const MAX_SHARE = 0.45
/** Minimum number of letters: a shorter text may be a list of codes. */
const MIN_LETTERS = 200
/** Maximum length of a word: a longer one is a URL or a key. */
const MAX_WORD = 30
const MAX_WORDS = 5_000

/** Whether the frequencies of Latin letters fit no language. */
export function isGarbled(words: readonly Word[]): boolean {
  const runs = words
    .slice(0, MAX_WORDS)
    .flatMap(({ text }) => (text.length > MAX_WORD ? [] : (text.match(/\p{L}{3,}/gu) ?? [])))
  const letters = runs.join('').normalize('NFD').toLowerCase().match(/\p{L}/gu) ?? []
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter))
  if (latin.length < MIN_LETTERS || latin.length < letters.length * 0.5) return false
  return latin.filter((letter) => FREQUENT.has(letter)).length < latin.length * MAX_SHARE
}
