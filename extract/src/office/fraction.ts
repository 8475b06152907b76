// Numbers shown as fractions: `# ?/?` shows 2.25 as 2 1/4.

const PATTERN = /^\s*(?:([#0?]+)\s+)?[#0?]+\s*\/\s*([#?0]+|\d+)\s*$/
const MAX_DENOMINATOR = 999

/** Returns null when the pattern has more than a whole number and a fraction. */
export function showFraction(pattern: string, value: number): string | null {
  const [, whole, below = ''] = PATTERN.exec(pattern) ?? []
  if (below === '') return null
  const size = Math.abs(value)
  const taken = whole === undefined ? 0 : Math.floor(size)
  const { above, denominator } = nearest(size - taken, below)
  const is_whole = whole !== undefined && (above === 0 || above === denominator)
  const sign = value < 0 ? '-' : ''
  if (is_whole) return `${sign}${taken + above / denominator}`
  return `${sign}${taken > 0 ? `${taken} ` : ''}${above}/${denominator}`
}

/** The fraction nearest to the value, with the smallest denominator. `below` is a number, or has a sign for each digit. */
function nearest(value: number, below: string): { above: number; denominator: number } {
  const fixed = Number(below)
  if (fixed > 0) return { above: Math.round(value * fixed), denominator: fixed }
  let best = { above: Math.round(value), denominator: 1 }
  let error = Math.abs(value - best.above)
  const most = Math.min(MAX_DENOMINATOR, 10 ** below.length - 1)
  for (let denominator = 2; denominator <= most; denominator++) {
    const above = Math.round(value * denominator)
    const own = Math.abs(value - above / denominator)
    if (own < error - 1e-12) [best, error] = [{ above, denominator }, own]
  }
  return best
}
