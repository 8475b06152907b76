// Lists of OpenDocument: levels, and the numbers before items.

import { Counter, type NumberFormat, type NumberLevel } from './numbering.ts'
import { spanOf } from './table.ts'
import { type Element, elementsOf } from './xml.ts'

export interface OpenList {
  style: string
  /** From 1. */
  level: number
  counter: Counter
  /** Marker of the next paragraph; null after the first paragraph of an item. */
  marker: string | null
}

const FORMATS: Record<string, NumberFormat> = {
  '1': 'decimal',
  a: 'lower_letter',
  A: 'upper_letter',
  i: 'lower_roman',
  I: 'upper_roman',
}

export class OdfLists {
  readonly #levels = new Map<string, (NumberLevel | undefined)[]>()
  readonly #last = new Map<string, Counter>()

  /** A `text:list-style`. */
  learn(style: Element): void {
    const levels: (NumberLevel | undefined)[] = []
    for (const { name, attributes } of elementsOf(style)) {
      const at = spanOf(attributes['text:level'], 10) - 1
      const format = name === 'text:list-level-style-number' ? FORMATS[attributes['style:num-format'] ?? ''] : undefined
      const shown = spanOf(attributes['text:display-levels'], 10)
      const [prefix = '', suffix = ''] = [attributes['style:num-prefix'], attributes['style:num-suffix']]
      levels[at] = {
        format: format ?? null,
        start: spanOf(attributes['text:start-value'], 1_000_000),
        write: (numbers) => `${prefix}${numbers.slice(-shown).join('.')}${suffix}`,
      }
    }
    this.#levels.set(style.attributes['style:name'] ?? '', levels)
  }

  open({ attributes }: Element, around: OpenList | null): OpenList {
    const style = attributes['text:style-name'] ?? around?.style ?? ''
    const level = Math.min(9, (around?.level ?? 0) + 1)
    if (around?.style === style) return { style, level, counter: around.counter, marker: null }
    const is_continued =
      attributes['text:continue-numbering'] === 'true' || attributes['text:continue-list'] !== undefined
    const last = is_continued ? this.#last.get(style) : undefined
    const counter = last ?? new Counter(this.#levels.get(style) ?? [])
    this.#last.set(style, counter)
    return { style, level, counter, marker: null }
  }

  /** An item of an open list. */
  item({ attributes }: Element, list: OpenList): OpenList {
    const start = attributes['text:start-value']
    return {
      ...list,
      marker: list.counter.next(list.level - 1, start === undefined ? undefined : spanOf(start, 1_000_000)),
    }
  }
}
