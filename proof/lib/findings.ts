// The ways in which a promise can be broken, each with what was found.

export class Findings<K extends string> {
  readonly found: ReadonlyMap<K, string[]>
  private readonly names: Readonly<Record<K, string>>

  /** `names` has each kind with its words in the figure. */
  constructor(names: Readonly<Record<K, string>>) {
    this.names = names
    this.found = new Map(this.kinds.map((kind) => [kind, []]))
  }

  get kinds(): K[] {
    return Object.keys(this.names) as K[]
  }

  add(kind: K, ...what: string[]): void {
    this.found.get(kind)?.push(...what)
  }

  count(kind: K): number {
    return this.found.get(kind)?.length ?? 0
  }

  /** `0 rows lost, 2 jobs stuck` */
  get figure(): string {
    return this.kinds.map((kind) => `${this.count(kind)} ${this.names[kind]}`).join(', ')
  }

  show(say: (line: string) => void): void {
    for (const [kind, found] of this.found) for (const what of found.slice(0, 5)) say(`${kind}: ${what}`)
  }
}
