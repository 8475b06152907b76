// How many tokens a text has, as the o200k tokenizer counts.

type Count = (text: string) => number
let counting: Promise<Count> | null = null

/** Loaded on first use, because the tables are large. */
const loadCount = (): Promise<Count> =>
  (counting ??= import('gpt-tokenizer/encoding/o200k_base').then(
    ({ countTokens }) =>
      (text) =>
        countTokens(text, ORDINARY),
  ))

/** A document may contain special tokens as text; encode them as ordinary text. */
const ORDINARY = { disallowedSpecial: new Set<string>() }

/**
 * The tokenizer's time grows with the square of the piece it merges, so every run that it takes as one piece is cut:
 * words, white space, and line ends mixed with slashes.
 */
const LONG_RUN = /\S{48}|\s{48}|[\r\n/]{48}/gu

export async function tokenCounter(): Promise<Count> {
  const count = await loadCount()
  return (text) => {
    let tokens = 0
    let from = 0
    for (const { 0: run, index } of text.matchAll(LONG_RUN)) {
      tokens += count(text.slice(from, index + run.length))
      from = index + run.length
    }
    return tokens + count(text.slice(from))
  }
}
