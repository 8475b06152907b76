// Computes the figures and charts above the rows of a report.

import { firstOf, lastOf } from '@octavo/base/required.ts'
import type { Chart, ReportContent } from '../../reports/report.ts'

export type Figure = NonNullable<ReportContent['summary']>[number]

/** As many bars as a chart has room for. */
const MOST_BARS = 30
/** Words of callers may all be different: of those that come later only the sum is known. */
const MOST_NAMES = 1_000
const MOST_DAYS = 400
const DAY_MS = 86_400_000

/** Amounts by name, the largest first. */
export class ByName {
  private readonly amounts = new Map<string, number>()
  private other = 0

  add(name: string, amount = 1): void {
    const before = this.amounts.get(name)
    if (before === undefined && this.amounts.size >= MOST_NAMES) this.other += amount
    else this.amounts.set(name, (before ?? 0) + amount)
  }

  chart(about: Pick<Chart, 'title' | 'x' | 'y'>, unit = 1): Chart[] {
    const sorted = [...this.amounts].filter(([, amount]) => amount > 0).sort(([, a], [, b]) => b - a)
    const rest = sorted.slice(MOST_BARS - 1).reduce((sum, [, amount]) => sum + amount, this.other)
    const isCut = sorted.length > MOST_BARS || this.other > 0
    const bars = isCut ? [...sorted.slice(0, MOST_BARS - 1), ['(all others)', rest] as const] : sorted
    return sorted.length === 0
      ? []
      : [{ ...about, kind: 'bar', data: bars.map(([x, amount]) => ({ x, y: amount / unit })) }]
  }
}

/** Amounts by day, days without any included. A long time is shown by month. */
export class ByDay {
  private readonly amounts = new Map<string, number>()

  add(time: string, amount = 1): void {
    const day = time.slice(0, 10)
    this.amounts.set(day, (this.amounts.get(day) ?? 0) + amount)
  }

  chart({ title, y }: Pick<Chart, 'title' | 'y'>, unit = 1): Chart[] {
    const days = [...this.amounts.keys()].sort()
    if (![...this.amounts.values()].some((amount) => amount > 0)) return []
    const [first, last] = [Date.parse(firstOf(days)), Date.parse(lastOf(days))]
    const isByMonth = (last - first) / DAY_MS > MOST_DAYS
    const points = new Map<string, number>()
    for (let ms = first; ms <= last; ms += DAY_MS) {
      const day = new Date(ms).toISOString().slice(0, 10)
      const x = isByMonth ? `${day.slice(0, 8)}01` : day
      points.set(x, (points.get(x) ?? 0) + (this.amounts.get(day) ?? 0))
    }
    const data = [...points].map(([x, amount]) => ({ x, y: amount / unit }))
    const by = isByMonth ? 'month' : 'day'
    return [{ title: `${title} by ${by}`, kind: 'line', x: isByMonth ? 'Month' : 'Day', y, data }]
  }
}
