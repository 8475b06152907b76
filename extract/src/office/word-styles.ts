// Styles and lists of Word: what a paragraph is.

import { valueOf, type WordLists, wordLists } from './word-lists.ts'
import { childrenNamed, type Element, findChild } from './xml.ts'

interface Look {
  name: string
  /** From 1. */
  outline: number | null
  breaks_before: boolean | null
  list: { id: string | null; level: number | null }
}

export interface WordStyles {
  lookOf(properties: Element | null): Look
  /** Null where nothing is written before the paragraph. Counts: once for each paragraph, in order. */
  itemOf(look: Look): ReturnType<WordLists>
}

/** An element that stands for "yes" unless it says otherwise. */
export function flagOf(element: Element | null): boolean | null {
  if (!element) return null
  return !['0', 'false', 'off'].includes(valueOf(element) ?? '1')
}

function ownLook(properties: Element | null, name: string): Look {
  const outline = valueOf(findChild(properties, 'w:outlineLvl'))
  const numbering = findChild(properties, 'w:numPr')
  const level = valueOf(findChild(numbering, 'w:ilvl'))
  return {
    name,
    outline: outline === undefined ? null : Number.parseInt(outline, 10) + 1,
    breaks_before: flagOf(findChild(properties, 'w:pageBreakBefore')),
    list: {
      id: valueOf(findChild(numbering, 'w:numId')) ?? null,
      level: level === undefined ? null : Number.parseInt(level, 10),
    },
  }
}

const over = (own: Look, base: Look | null): Look => ({
  name: own.name || (base?.name ?? ''),
  outline: own.outline ?? base?.outline ?? null,
  breaks_before: own.breaks_before ?? base?.breaks_before ?? null,
  list: { id: own.list.id ?? base?.list.id ?? null, level: own.list.level ?? base?.list.level ?? null },
})

export function wordStyles(styles: Element | null, numbering: Element | null): WordStyles {
  const by_id = new Map<string, Element>()
  let default_id = ''
  for (const style of childrenNamed(styles, 'w:style')) {
    const { 'w:styleId': id, 'w:type': type, 'w:default': is_default } = style.attributes
    if (id === undefined || (type ?? 'paragraph') !== 'paragraph') continue
    by_id.set(id, style)
    if (is_default === '1' || is_default === 'true') default_id = id
  }
  const looks = new Map<string, Look | null>()
  const lookOfStyle = (id: string): Look | null => {
    if (looks.has(id)) return looks.get(id) ?? null
    looks.set(id, null) // A style that is based on itself ends here.
    const style = by_id.get(id)
    if (!style) return null
    const name = valueOf(findChild(style, 'w:name')) ?? id
    const base = valueOf(findChild(style, 'w:basedOn'))
    const own = ownLook(findChild(style, 'w:pPr'), name)
    if (own.outline === null) own.outline = outlineByName(name)
    const look = over(own, base === undefined ? null : lookOfStyle(base))
    looks.set(id, look)
    return look
  }
  const lists = wordLists(numbering)
  return {
    lookOf(properties) {
      const id = valueOf(findChild(properties, 'w:pStyle')) ?? default_id
      const style = lookOfStyle(id)
      const own = ownLook(properties, '')
      // A file without this style still says by its id what was meant.
      if (!style) own.outline ??= outlineByName(id)
      const look = over(own, style ?? { name: id, outline: null, breaks_before: null, list: { id: null, level: null } })
      return look
    },
    itemOf: ({ list: { id, level } }) =>
      id === null || id === '0' ? null : lists(id, Math.min(8, Math.max(0, level ?? 0))),
  }
}

function outlineByName(name: string): number | null {
  const level = /^heading\s?([1-9])$/i.exec(name)?.[1]
  return level === undefined ? null : Number(level)
}
