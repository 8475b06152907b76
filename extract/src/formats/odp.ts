// Slides of OpenDocument. Read by hand: the library tried (officeparser) has no places of shapes.

import type { Block } from '@octavo/contract'
import { Flow, pageOf } from '../office/flow.ts'
import { type OdfPackage, type OdfStyles, openOdf, pointsOf } from '../office/odf-styles.ts'
import { type OdfContext, readDrawn } from '../office/odf-text.ts'
import { macroWarnings } from '../office/package.ts'
import { boxOf } from '../office/slide-places.ts'
import { type Element, eachPiece, elementsOf, findChild, textInside } from '../office/xml.ts'
import { type Format, type OpenFormat, Unreadable } from '../types.ts'

interface Slide {
  blocks: Block[]
  size: { width: number; height: number } | null
  is_hidden: boolean
}

export const odp: Format = {
  name: 'odp',
  media_types: [
    'application/vnd.oasis.opendocument.presentation',
    'application/vnd.oasis.opendocument.presentation-template',
  ],
  open(bytes, { bounds }): OpenFormat {
    const odf = openOdf(bytes, bounds)
    const slides = readSlides(odf)
    if (slides.length === 0) throw new Unreadable('document_empty', 'The presentation has no slides.')
    return {
      title: odf.title,
      page_count: slides.length,
      warnings: macroWarnings(odf.archive),
      page(number) {
        const { blocks, size, is_hidden } = slides[number - 1] ?? { blocks: [], size: null, is_hidden: false }
        return pageOf(blocks, size, is_hidden ? ['This slide is hidden in the presentation.'] : [])
      },
    }
  },
}

function readSlides({ content, styles }: OdfPackage): Slide[] {
  const slides: Slide[] = []
  const footers = new Map<string, string>()
  eachPiece(content, {
    isPiece: (name) => name === 'draw:page' || name === 'presentation:footer-decl',
    visit(piece) {
      if (piece.name === 'draw:page') slides.push(readSlide(piece, styles, footers, slides.length === 0))
      else footers.set(piece.attributes['presentation:name'] ?? '', textInside(piece).trim())
    },
  })
  return slides
}

function readSlide(page: Element, styles: OdfStyles, footers: Map<string, string>, is_first: boolean): Slide {
  const { attributes } = page
  const size = styles.sizeOf(attributes['draw:master-page-name'] ?? null)
  const shapes = elementsOf(page).filter(({ name }) => name !== 'presentation:notes')
  const is_cover = is_first && shapes.some((shape) => classOf(shape) === 'subtitle')
  const [titles, others]: [Block[], Block[]] = [[], []]
  for (const shape of shapes) {
    const blocks = readShape(shape, styles, size)
    if (classOf(shape) !== 'title') others.push(...blocks)
    else titles.push(...titleOf(blocks, is_cover))
  }
  const notes = elementsOf(findChild(page, 'presentation:notes'))
    .filter((shape) => classOf(shape) === 'notes')
    .flatMap((shape) => readShape(shape, styles, null))
    .map(({ text }): Block => ({ type: 'paragraph', text }))
  const footer = footers.get(attributes['presentation:use-footer-name'] ?? '')
  const feet: Block[] = footer ? [{ type: 'footer', text: footer }] : []
  const is_hidden = styles.find('drawing-page', attributes['draw:style-name'], 'is_hidden') === true
  return { blocks: [...titles, ...others, ...feet, ...notes], size, is_hidden }
}

const classOf = (shape: Element): string | undefined => shape.attributes['presentation:class']

function titleOf(blocks: Block[], is_cover: boolean): Block[] {
  const text = blocks
    .map((block) => block.text.replace(/\s+/g, ' '))
    .join(' ')
    .trim()
  if (text === '') return []
  const box = blocks[0]?.bbox ? { bbox: blocks[0].bbox } : {}
  return [is_cover ? { type: 'title', text, ...box } : { type: 'heading', level: 1, text, ...box }]
}

function readShape(shape: Element, styles: OdfStyles, size: Slide['size']): Block[] {
  // Each shape in a group has its own position.
  if (shape.name === 'draw:g') return elementsOf(shape).flatMap((inner) => readShape(inner, styles, size))
  const flow = new Flow()
  const context: OdfContext = { styles, addEndnote: (text) => flow.addLast({ type: 'paragraph', text }) }
  readDrawn(shape, flow, context)
  const bbox = size && placeOf(shape, size)
  return flow.pages().flatMap(({ blocks }) => blocks.map((block) => (bbox ? { ...block, bbox } : block)))
}

function placeOf({ attributes }: Element, size: { width: number; height: number }): number[] | null {
  const [, left, top] = /translate\s*\(([^\s,)]+)[\s,]+([^\s)]+)\)/.exec(attributes['draw:transform'] ?? '') ?? []
  const [x, y] = [pointsOf(attributes['svg:x'] ?? left), pointsOf(attributes['svg:y'] ?? top)]
  const [width, height] = [pointsOf(attributes['svg:width']), pointsOf(attributes['svg:height'])]
  return x === null || y === null || width === null || height === null ? null : boxOf({ x, y, width, height }, size)
}
