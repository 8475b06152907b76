// Lists of Word: which level a paragraph is on, and the number before it.

import { Counter, type NumberFormat, type NumberLevel } from './numbering.ts'
import { childrenNamed, type Element, findChild } from './xml.ts'

export const valueOf = (element: Element | null | undefined): string | undefined => element?.attributes['w:val']

/** Level from 0 → the item, with its level from 1; null where the list writes nothing and only indents. */
export type WordLists = (id: string, level: number) => { level: number; marker: string } | null

const FORMATS: Record<string, NumberFormat> = {
  lowerLetter: 'lower_letter',
  upperLetter: 'upper_letter',
  lowerRoman: 'lower_roman',
  upperRoman: 'upper_roman',
}

interface Abstract {
  levels: (NumberLevel | undefined)[]
  silent: Set<number>
  counter: Counter
}

export function wordLists(numbering: Element | null): WordLists {
  const abstracts = new Map<string, Abstract>()
  for (const list of childrenNamed(numbering, 'w:abstractNum'))
    abstracts.set(list.attributes['w:abstractNumId'] ?? '', abstractOf(list))
  const lists = new Map<string, { abstract: Abstract | undefined; restarts: Map<number, number> }>()
  for (const list of childrenNamed(numbering, 'w:num')) {
    const restarts = new Map<number, number>()
    for (const change of childrenNamed(list, 'w:lvlOverride')) {
      const start = Number.parseInt(valueOf(findChild(change, 'w:startOverride')) ?? '', 10)
      if (Number.isFinite(start)) restarts.set(Number(change.attributes['w:ilvl']), start)
    }
    lists.set(list.attributes['w:numId'] ?? '', {
      abstract: abstracts.get(valueOf(findChild(list, 'w:abstractNumId')) ?? ''),
      restarts,
    })
  }
  return (id, level) => {
    const list = lists.get(id)
    if (list?.abstract?.silent.has(level)) return null
    // A list that says where it starts does so once, at its first item.
    const from = list?.restarts.get(level)
    list?.restarts.delete(level)
    return { level: level + 1, marker: list?.abstract?.counter.next(level, from) ?? '' }
  }
}

function abstractOf(list: Element): Abstract {
  const levels: (NumberLevel | undefined)[] = []
  const silent = new Set<number>()
  for (const level of childrenNamed(list, 'w:lvl')) {
    const at = Number(level.attributes['w:ilvl'])
    if (!(at >= 0 && at <= 8)) continue
    const format = valueOf(findChild(level, 'w:numFmt')) ?? 'decimal'
    const text = valueOf(findChild(level, 'w:lvlText')) ?? ''
    const start = Number.parseInt(valueOf(findChild(level, 'w:start')) ?? '1', 10)
    if (!findChild(level, 'w:lvlPicBulletId') && (format === 'none' || text.trim() === '')) silent.add(at)
    levels[at] = {
      format: format === 'bullet' || format === 'none' ? null : (FORMATS[format] ?? 'decimal'),
      start: Number.isFinite(start) ? start : 1,
      write: (numbers) => text.replace(/%([1-9])/g, (_, place: string) => numbers[Number(place) - 1] ?? ''),
    }
  }
  return { levels, silent, counter: new Counter(levels) }
}
