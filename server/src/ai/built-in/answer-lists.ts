// Sentences that continue on the next lines: a sentence with the list below it, and a large number with its caption.

import type { Sentence } from './sentences.ts'

/** `type`: of the block that contains it; null if the page has no blocks. */
export interface TypedSentence extends Sentence {
  type: string | null
}

const MAX_ITEMS = 12
const MAX_CHARACTERS = 600
const MIN_WORDS = 4
/** "54,100+", "37,725 MW", "$4.2 billion". */
const BARE_NUMBER =
  /^(?:more than |over |about |nearly |up to )?[\p{Sc}~≈<>]?\s?\d[\d.,]*\s?[+%]?(?:\s?\p{L}[\p{L}/]{0,9}[+%]?)?$/iu
const BULLET = /^\s*(?:[-*•–—▪●◦]|\(?\w{1,3}[.)])\s/u

/** Places are in the text, in code points. */
export function joinContinued(text: string, sentences: readonly TypedSentence[]): TypedSentence[] {
  const points = [...text]
  const joined: TypedSentence[] = []
  for (const [i, one] of sentences.entries()) {
    const last = isIntroduction(one.text) ? lastItem(sentences, i) : captionBelow(sentences, i)
    joined.push(
      last ? { ...one, type: 'paragraph', end: last.end, text: points.slice(one.start, last.end).join('') } : one,
    )
  }
  return joined
}

const isIntroduction = (text: string): boolean =>
  /[:：]\s*$/u.test(text) && text.trim().split(/\s+/).length >= MIN_WORDS

function lastItem(sentences: readonly TypedSentence[], at: number): TypedSentence | undefined {
  const from = sentences[at]?.start ?? 0
  let last: TypedSentence | undefined
  for (const item of sentences.slice(at + 1, at + 1 + MAX_ITEMS)) {
    const isItem = item.type === 'list_item' || (item.type === null && BULLET.test(item.text))
    if (!isItem || item.end - from > MAX_CHARACTERS) break
    last = item
  }
  return last
}

/** The caption begins with a small letter, or the number is set as a heading. */
function captionBelow(sentences: readonly TypedSentence[], at: number): TypedSentence | undefined {
  const [number, caption] = [sentences[at], sentences[at + 1]]
  if (!number || !caption) return undefined
  const isNumber = BARE_NUMBER.test(number.text.trim()) && !BARE_NUMBER.test(caption.text.trim())
  const isCaption =
    isNumber && caption.type === 'paragraph' && (/^\p{Ll}/u.test(caption.text) || number.type === 'heading')
  return isCaption ? caption : undefined
}
