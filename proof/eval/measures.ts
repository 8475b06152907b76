// Statistics for the evaluation rows.

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** The same numbers in every run. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** How far a figure would be off, had other items been drawn. */
export function standardErrorOf<T>(items: readonly T[], figure: (items: readonly T[]) => number, rounds = 200): number {
  const random = randomOf(1)
  const figures = Array.from({ length: rounds }, () =>
    figure(items.map(() => items[Math.floor(random() * items.length)]!)),
  )
  const middle = mean(figures)
  return Math.sqrt(mean(figures.map((value) => (value - middle) ** 2)))
}

/** Spearman's, as STS-B is reported. */
export function rankCorrelation(pairs: readonly (readonly [number, number])[]): number {
  return correlation(ranksOf(pairs.map(([a]) => a)), ranksOf(pairs.map(([, b]) => b)))
}

function ranksOf(values: number[]): number[] {
  const order = values.map((_, i) => i).toSorted((a, b) => values[a]! - values[b]!)
  const ranks = values.map(() => 0)
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++
    for (let i = from; i < to; i++) ranks[order[i]!] = (from + to - 1) / 2
    from = to
  }
  return ranks
}

function correlation(a: number[], b: number[]): number {
  const [middle_a, middle_b] = [mean(a), mean(b)]
  let [ab, aa, bb] = [0, 0, 0]
  for (const [i, value] of a.entries()) {
    ab += (value - middle_a) * (b[i]! - middle_b)
    aa += (value - middle_a) ** 2
    bb += (b[i]! - middle_b) ** 2
  }
  return ab / Math.sqrt(aa * bb)
}

/** ROUGE-1, F1: the words that two texts share. */
export function rouge1(text: string, reference: string): number {
  const [ours, theirs] = [countWords(text), countWords(reference)]
  const shared = [...ours].reduce((sum, [word, times]) => sum + Math.min(times, theirs.get(word) ?? 0), 0)
  return shared === 0 ? 0 : (2 * shared) / (wordTotal(ours) + wordTotal(theirs))
}

function countWords(text: string): Map<string, number> {
  const words = new Map<string, number>()
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) words.set(word, (words.get(word) ?? 0) + 1)
  return words
}

const wordTotal = (words: Map<string, number>): number => [...words.values()].reduce((sum, value) => sum + value, 0)

export const f1Of = (right: number, found: number, wanted: number): number =>
  right === 0 ? 0 : (2 * right) / (found + wanted)

/** Tuned on the one, reported on the other. */
export const halvesOf = <T>(items: readonly T[]): { tuning: T[]; held_out: T[] } => ({
  tuning: items.filter((_, i) => i % 2 === 0),
  held_out: items.filter((_, i) => i % 2 === 1),
})

const Z_95 = 1.96

/** The 95% interval of a share. It has a width even if all items are right. */
export function wilson(right: number, items: number): [number, number] {
  if (items === 0) return [0, 1]
  const [share, z2] = [right / items, Z_95 ** 2]
  const middle = (share + z2 / (2 * items)) / (1 + z2 / items)
  const width = (Z_95 * Math.sqrt((share * (1 - share)) / items + z2 / (4 * items ** 2))) / (1 + z2 / items)
  return [Math.max(0, middle - width), Math.min(1, middle + width)]
}
