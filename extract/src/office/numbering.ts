// Numbers of list items and headings, as Office programs write them before the text.

// biome-ignore format: a table
const ROMAN: readonly [number, string][] = [
  [1000, 'm'], [900, 'cm'], [500, 'd'], [400, 'cd'], [100, 'c'], [90, 'xc'], [50, 'l'], [40, 'xl'], [10, 'x'], [9, 'ix'], [5, 'v'], [4, 'iv'], [1, 'i'],
]

export type NumberFormat = 'decimal' | 'lower_letter' | 'upper_letter' | 'lower_roman' | 'upper_roman'

export function numberText(value: number, format: NumberFormat): string {
  // Outside this range, programs write letters and Roman numerals differently, and few people can read them.
  if (value < 1 || value > 3999 || format === 'decimal') return String(value)
  const text = format.endsWith('letter') ? letters(value) : roman(value)
  return format.startsWith('upper') ? text.toUpperCase() : text
}

/** a … z, aa, bb … */
const letters = (value: number): string =>
  String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.min(10, Math.ceil(value / 26)))

function roman(value: number): string {
  let left = value
  let text = ''
  for (const [worth, sign] of ROMAN)
    while (left >= worth) {
      text += sign
      left -= worth
    }
  return text
}

export interface NumberLevel {
  /** Null for a bullet. */
  format: NumberFormat | null
  start: number
  /** The numbers of this level and those above → what is written. */
  write: (numbers: readonly string[]) => string
}

/** One list that counts. */
export class Counter {
  readonly #levels: readonly (NumberLevel | undefined)[]
  #values: (number | undefined)[] = []

  constructor(levels: readonly (NumberLevel | undefined)[]) {
    this.#levels = levels
  }

  /** Returns the marker of the next item, empty for a bullet. `level` starts at 0. */
  next(level: number, from?: number): string {
    const own = this.#levels[level]
    if (!own?.format) return ''
    this.#values[level] = from ?? (this.#values[level] ?? own.start - 1) + 1
    this.#values.length = level + 1
    const numbers = Array.from({ length: level + 1 }, (_, i) => {
      const at = this.#levels[i]
      return numberText(this.#values[i] ?? at?.start ?? 1, at?.format ?? 'decimal')
    })
    return own.write(numbers).trim().slice(0, 100)
  }

  restart(level: number): void {
    this.#values.length = Math.min(this.#values.length, level)
  }
}
