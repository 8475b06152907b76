// Logistic regression with a small penalty, by Newton's method: for models of a few dozen features.

const ROUNDS = 25
const PENALTY = 1
const CLOSE_ENOUGH = 1e-6

/** The first feature is 1 everywhere and is not penalized. `weights`: how much each row counts. */
export function fitLogistic(
  rows: readonly (readonly number[])[],
  labels: readonly boolean[],
  weights: readonly number[] = rows.map(() => 1),
): number[] {
  const size = rows[0]!.length
  const fitted = Array.from({ length: size }, () => 0)
  for (let round = 0; round < ROUNDS; round++) {
    const slope = fitted.map((value, i) => (i === 0 ? 0 : -PENALTY * value))
    const curve = fitted.map((_, i) => fitted.map((__, j) => (i !== j ? 0 : i === 0 ? CLOSE_ENOUGH : PENALTY)))
    for (const [n, row] of rows.entries()) addRow(row, { labels, weights, n, fitted, slope, curve })
    const step = solve(curve, slope)
    for (const [i, value] of step.entries()) fitted[i]! += value
    if (step.every((value) => Math.abs(value) < CLOSE_ENOUGH)) break
  }
  return fitted
}

interface Sums {
  labels: readonly boolean[]
  weights: readonly number[]
  n: number
  fitted: number[]
  slope: number[]
  curve: number[][]
}

function addRow(row: readonly number[], { labels, weights, n, fitted, slope, curve }: Sums): void {
  let sum = 0
  for (let i = 0; i < row.length; i++) sum += row[i]! * fitted[i]!
  const chance = 1 / (1 + Math.exp(-sum))
  const missing = weights[n]! * (Number(labels[n]) - chance)
  const spread = weights[n]! * chance * (1 - chance)
  for (let i = 0; i < row.length; i++) {
    const value = row[i]!
    if (value === 0) continue
    slope[i]! += missing * value
    const line = curve[i]!
    for (let j = 0; j < row.length; j++) line[j]! += spread * value * row[j]!
  }
}

/** By elimination with pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const size = right.length
  const lines = matrix.map((line, i) => [...line, right[i]!])
  for (let column = 0; column < size; column++) {
    let pivot = column
    for (let i = column + 1; i < size; i++)
      if (Math.abs(lines[i]![column]!) > Math.abs(lines[pivot]![column]!)) pivot = i
    ;[lines[column], lines[pivot]] = [lines[pivot]!, lines[column]!]
    const own = lines[column]!
    for (const [i, line] of lines.entries()) {
      const factor = i === column ? 0 : line[column]! / own[column]!
      if (factor !== 0) for (let j = column; j <= size; j++) line[j]! -= factor * own[j]!
    }
  }
  return lines.map((line, i) => line[size]! / line[i]!)
}
