// How many tokens a text has, as the o200k tokenizer counts.

type Count = (text: string) => number
let counting: Promise<Count> | null = null

/** Its tables are large: whoever never counts never loads them. */
const loadCount = (): Promise<Count> =>
  (counting ??= import('gpt-tokenizer/encoding/o200k_base').then(
    ({ countTokens }) =>
      (text) =>
        countTokens(text, ORDINARY),
  ))

/** A text may speak of the signs that steer a model: here they are words like all others. */
const ORDINARY = { disallowedSpecial: new Set<string>() }

/** The tokenizer's time grows with the square of a word: scripts without spaces would make it seconds. */
const LONG_WORD = /\S{48}/gu

export async function tokenCounter(): Promise<Count> {
  const count = await loadCount()
  return (text) => {
    let tokens = 0
    let from = 0
    for (const { 0: word, index } of text.matchAll(LONG_WORD)) {
      tokens += count(text.slice(from, index + word.length))
      from = index + word.length
    }
    return tokens + count(text.slice(from))
  }
}
