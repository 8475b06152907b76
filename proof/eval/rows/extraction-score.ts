// How many of the fields were read rightly. Values are compared by what they mean: a date as a date, an amount as an amount.

interface ExtractionScoreCounts {
  right: number
  /** Number of values in the answer, and in the paper. */
  found: number
  wanted: number
}

const DATE = /^\d{4}-\d\d-\d\d/

const none = (): ExtractionScoreCounts => ({ right: 0, found: 0, wanted: 0 })
const add = (a: ExtractionScoreCounts, b: ExtractionScoreCounts): ExtractionScoreCounts => ({
  right: a.right + b.right,
  found: a.found + b.found,
  wanted: a.wanted + b.wanted,
})

export function normaliseValue(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number') return value.toFixed(2)
  const text = String(value).normalize('NFKC').trim()
  if (DATE.test(text)) return text.slice(0, 10)
  return (
    text
      .toLowerCase()
      .replace(/\s+/g, ' ')
      .replace(/[.,;:]+$/, '') || null
  )
}

const isList = (value: unknown): value is Record<string, unknown>[] => Array.isArray(value)

function countLeaf(answered: unknown, expected: unknown): ExtractionScoreCounts {
  // An amount may come as text where a schema allows it.
  const as_number =
    typeof expected === 'number' && typeof answered === 'string' && answered.trim() !== '' ? Number(answered) : answered
  const [a, b] = [normaliseValue(as_number), normaliseValue(expected)]
  return { right: a !== null && a === b ? 1 : 0, found: a === null ? 0 : 1, wanted: b === null ? 0 : 1 }
}

/** Items are paired with the most alike first: one that was left out does not make those after it wrong. */
function countList(answered: unknown, expected: Record<string, unknown>[]): ExtractionScoreCounts {
  const given = isList(answered) ? answered.filter((item) => typeof item === 'object' && item !== null) : []
  const pairs = given
    .flatMap((item, from) => expected.map((other, to) => ({ from, to, counts: countFields(item, other) })))
    .toSorted((a, b) => b.counts.right - a.counts.right || a.from - b.from || a.to - b.to)
  const [used, met] = [new Set<number>(), new Set<number>()]
  let counts = none()
  for (const pair of pairs) {
    if (used.has(pair.from) || met.has(pair.to)) continue
    used.add(pair.from)
    met.add(pair.to)
    counts = add(counts, pair.counts)
  }
  for (const [at, item] of given.entries()) if (!used.has(at)) counts = add(counts, countFields(item, {}))
  for (const [at, item] of expected.entries()) if (!met.has(at)) counts = add(counts, countFields({}, item))
  return counts
}

export function countFields(
  answered: Record<string, unknown>,
  expected: Record<string, unknown>,
): ExtractionScoreCounts {
  const names = new Set([...Object.keys(answered), ...Object.keys(expected)])
  return [...names].reduce((sum, name) => {
    const wanted = expected[name]
    return add(sum, isList(wanted) ? countList(answered[name], wanted) : countLeaf(answered[name], wanted))
  }, none())
}

/** Over all papers together; a paper with more fields weighs more. */
export function fieldF1(papers: readonly ExtractionScoreCounts[]): { f1: number; precision: number; recall: number } {
  const { right, found, wanted } = papers.reduce(add, none())
  return {
    f1: right === 0 ? 0 : (2 * right) / (found + wanted),
    precision: found === 0 ? 0 : right / found,
    recall: wanted === 0 ? 0 : right / wanted,
  }
}
