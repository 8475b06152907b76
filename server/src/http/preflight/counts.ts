/** How much each key holds of something at the moment. */
export class Counts {
  private readonly held = new Map<string, number>()

  of(key: string): number {
    return this.held.get(key) ?? 0
  }

  add(key: string, more: number): void {
    const now = this.of(key) + more
    if (now === 0) this.held.delete(key)
    else this.held.set(key, now)
  }
}
