// Charts and diagrams keep their text in separate parts.

import { allInside, type Element, findInside, textInside } from './xml.ts'

/** `partOf` gives the part that a relation names. */
export function drawingTexts(drawing: Element, partOf: (relation_id: string | undefined) => Element | null): string[] {
  const texts: string[] = []
  const chart = partOf(findInside(drawing, 'c:chart')?.attributes['r:id'])
  if (chart) texts.push(...chartTexts(chart))
  const diagram = partOf(findInside(drawing, 'dgm:relIds')?.attributes['r:dm'])
  if (diagram)
    for (const point of allInside(diagram, 'dgm:t'))
      texts.push([...allInside(point, 'a:t')].map((text) => textInside(text)).join(' '))
  return [...new Set(texts.filter((text) => text.trim() !== ''))]
}

function* chartTexts(chart: Element): Generator<string> {
  for (const paragraph of allInside(chart, 'a:p'))
    yield [...allInside(paragraph, 'a:t')].map((text) => textInside(text)).join('')
  for (const words of allInside(chart, 'c:strCache'))
    for (const value of allInside(words, 'c:v')) yield textInside(value)
}
