// How much of a text a program found, and in which order.

export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

type Counts = ReadonlyMap<string, number>

export function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The words that at least half of the texts have, each as often as half of them have it. */
export function agreedCounts(texts: readonly (readonly string[])[]): Map<string, number> {
  const all = texts.map(countsOf)
  const agreed = new Map<string, number>()
  for (const word of new Set(all.flatMap((counts) => [...counts.keys()]))) {
    const sorted = all.map((counts) => counts.get(word) ?? 0).toSorted((a, b) => b - a)
    const count = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0
    if (count > 0) agreed.set(word, count)
  }
  return agreed
}

/** `recall`: of the expected words, the share that was found. `precision`: of the words found, the share that was expected. */
export function shares(found: Counts, expected: Counts): { recall: number; precision: number } {
  let common = 0
  for (const [word, count] of expected) common += Math.min(count, found.get(word) ?? 0)
  return { recall: common / Math.max(1, total(expected)), precision: common / Math.max(1, total(found)) }
}

const total = (counts: Counts): number => counts.values().reduce((sum, count) => sum + count, 0)

/** The share of the words that both texts have exactly once that are in the same order. Null: there are too few. */
export function sameOrder(words: readonly string[], others: readonly string[]): number | null {
  const [own, theirs] = [countsOf(words), countsOf(others)]
  const places = new Map(others.map((word, i) => [word, i]))
  const order = words.flatMap((word) => {
    const place = places.get(word)
    return place !== undefined && own.get(word) === 1 && theirs.get(word) === 1 ? [place] : []
  })
  return order.length < 5 ? null : longestRise(order) / order.length
}

/** The length of the longest increasing subsequence. */
function longestRise(values: readonly number[]): number {
  const ends: number[] = []
  for (const value of values) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) < value) low = middle + 1
      else high = middle
    }
    ends[low] = value
  }
  return ends.length
}
