// Position of a PowerPoint shape, and whether its paragraphs are list items: set by the shape, its layout or its
// master.

import { allInside, childrenNamed, type Element, elementsOf, findChild } from './xml.ts'

export interface Place {
  x: number
  y: number
  width: number
  height: number
}

/** From inside a group to the slide. */
export type Transform = (place: Place) => Place
export const asIs: Transform = (place) => place

export interface Ancestry {
  layout: Element | null
  master: Element | null
}

export const placeholderOf = (shape: Element): Element | null => {
  for (const part of elementsOf(shape)) {
    const found = findChild(findChild(part, 'p:nvPr'), 'p:ph')
    if (found) return found
  }
  return null
}

const typeOf = (placeholder: Element): string => {
  const type = placeholder.attributes.type ?? 'obj'
  if (type === 'ctrTitle') return 'title'
  return type === 'subTitle' || type === 'obj' ? 'body' : type
}

/** The same placeholder above: by its index on the layout, by its type on the master. */
function ancestorsOf(shape: Element, { layout, master }: Ancestry): Element[] {
  const placeholder = placeholderOf(shape)
  if (!placeholder) return []
  const { idx } = placeholder.attributes
  const type = typeOf(placeholder)
  const isSame = (other: Element): boolean => {
    const found = placeholderOf(other)
    if (!found) return false
    return idx !== undefined ? found.attributes.idx === idx : typeOf(found) === type
  }
  const isOfType = (other: Element): boolean => {
    const found = placeholderOf(other)
    return found !== null && typeOf(found) === type
  }
  const on_layout = layout ? (shapesOf(layout).find(isSame) ?? shapesOf(layout).find(isOfType)) : undefined
  const on_master = master ? shapesOf(master).find(isOfType) : undefined
  return [on_layout, on_master].filter((found) => found !== undefined)
}

const shapesOf = (part: Element): Element[] => [...allInside(part, 'p:sp'), ...allInside(part, 'p:pic')]

function ownPlace(shape: Element): Place | null {
  const frame =
    findChild(shape, 'p:xfrm') ?? findChild(findChild(shape, 'p:spPr') ?? findChild(shape, 'p:grpSpPr'), 'a:xfrm')
  return frame && placeIn(frame, 'a:off', 'a:ext')
}

function placeIn(frame: Element, offset: string, extent: string): Place | null {
  const { x, y } = findChild(frame, offset)?.attributes ?? {}
  const { cx, cy } = findChild(frame, extent)?.attributes ?? {}
  const place = { x: Number(x), y: Number(y), width: Number(cx), height: Number(cy) }
  return Object.values(place).every(Number.isFinite) ? place : null
}

export function placeOf(shape: Element, ancestry: Ancestry): Place | null {
  for (const one of [shape, ...ancestorsOf(shape, ancestry)]) {
    const place = ownPlace(one)
    if (place) return place
  }
  return null
}

export function groupTransform(group: Element, outer: Transform): Transform {
  const frame = findChild(findChild(group, 'p:grpSpPr'), 'a:xfrm')
  const to = frame && placeIn(frame, 'a:off', 'a:ext')
  const from = frame && placeIn(frame, 'a:chOff', 'a:chExt')
  if (!to || !from || from.width <= 0 || from.height <= 0) return outer
  const [wide, high] = [to.width / from.width, to.height / from.height]
  return (place) =>
    outer({
      x: to.x + (place.x - from.x) * wide,
      y: to.y + (place.y - from.y) * high,
      width: place.width * wide,
      height: place.height * high,
    })
}

const part = (value: number, whole: number) => Math.round(Math.min(1, Math.max(0, value / whole)) * 1e5) / 1e5

/** Parts of the slide, never outside of it. */
export function boxOf({ x, y, width, height }: Place, slide: { width: number; height: number }): number[] {
  return [part(x, slide.width), part(y, slide.height), part(x + width, slide.width), part(y + height, slide.height)]
}

const bulletIn = (properties: Element | null): boolean | null => {
  for (const { name } of elementsOf(properties)) {
    if (name === 'a:buNone') return false
    if (name === 'a:buChar' || name === 'a:buAutoNum' || name === 'a:buBlip') return true
  }
  return null
}

/** The automatic numbering of a paragraph: `arabicPeriod`, `romanLcParenR` … */
export const autoNumberOf = (paragraph: Element): Element | null =>
  findChild(findChild(paragraph, 'a:pPr'), 'a:buAutoNum')

/** Whether a paragraph has a bullet or a number, at a level from 0. */
export function isItem(paragraph: Element, shape: Element, ancestry: Ancestry): (level: number) => boolean {
  const own = bulletIn(findChild(paragraph, 'a:pPr'))
  return (level) => {
    if (own !== null) return own
    const name = `a:lvl${level + 1}pPr`
    for (const one of [shape, ...ancestorsOf(shape, ancestry)]) {
      const said = bulletIn(findChild(findChild(findChild(one, 'p:txBody'), 'a:lstStyle'), name))
      if (said !== null) return said
    }
    const placeholder = placeholderOf(shape)
    const list = placeholder && typeOf(placeholder) === 'body' ? 'p:bodyStyle' : null
    if (!list) return false
    const [styles] = childrenNamed(ancestry.master, 'p:txStyles')
    return bulletIn(findChild(findChild(styles, list), name)) ?? false
  }
}
