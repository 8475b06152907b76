// Which checks ran for which operation, and which of them failed.

export class Tally {
  readonly failures: string[] = []
  total = 0
  private readonly counts = new Map<string, number>()

  check(operation: string, what: string, is_good: boolean, seen?: unknown): void {
    this.total++
    this.counts.set(operation, this.countOf(operation) + 1)
    if (is_good) return
    const shown = seen === undefined ? '' : `: ${JSON.stringify(seen)?.slice(0, 400)}`
    this.failures.push(`${operation}: ${what}${shown}`)
  }

  countOf(operation: string): number {
    return this.counts.get(operation) ?? 0
  }
}
