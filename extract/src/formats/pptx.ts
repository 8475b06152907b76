// PowerPoint. Read by hand: the library tried (officeparser) has no places of shapes and no bullets that a master or a layout sets.

import type { Archive } from '../archive.ts'
import { pageOf } from '../office/flow.ts'
import {
  findPart,
  findRelated,
  macroWarnings,
  mainPartOf,
  openPackage,
  readPart,
  relationsOf,
  titleOf,
} from '../office/package.ts'
import { readNotes, readSlide } from '../office/slide.ts'
import { clipText } from '../office/table.ts'
import { childrenNamed, type Element, findChild } from '../office/xml.ts'
import { type Format, type OpenFormat, type ParsedPage, Unreadable } from '../types.ts'

const EMU_PER_POINT = 12_700

export const pptx: Format = {
  name: 'pptx',
  media_types: [
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    'application/vnd.openxmlformats-officedocument.presentationml.slideshow',
    'application/vnd.ms-powerpoint.presentation.macroenabled.12',
  ],
  open(bytes, { bounds }): OpenFormat {
    const archive = openPackage(bytes, bounds)
    const main = mainPartOf(archive, 'ppt/presentation.xml')
    const presentation = readPart(archive, main)
    const relations = relationsOf(archive, main)
    const slides = childrenNamed(findChild(presentation, 'p:sldIdLst'), 'p:sldId').flatMap(({ attributes }) => {
      const target = relations.get(attributes['r:id'] ?? '')?.target
      return target ? [target] : []
    })
    if (slides.length === 0) throw new Unreadable('document_empty', 'The presentation has no slides.')
    const { cx, cy } = findChild(presentation, 'p:sldSz')?.attributes ?? {}
    const size = { width: Number(cx) || 9_144_000, height: Number(cy) || 6_858_000 }
    const parts = new Map<string, Element | null>()
    return {
      title: titleOf(archive),
      page_count: slides.length,
      warnings: macroWarnings(archive),
      page: (number) => readPage(archive, { slide: slides[number - 1] ?? '', number, size }, parts),
    }
  },
}

interface Asked {
  slide: string
  number: number
  size: { width: number; height: number }
}

/** `parts` keeps the layouts and masters, which many slides share. */
function readPage(archive: Archive, { slide, number, size }: Asked, parts: Map<string, Element | null>): ParsedPage {
  const shared = (name: string | null): Element | null => {
    if (name === null) return null
    if (!parts.has(name)) parts.set(name, findPart(archive, name))
    return parts.get(name) ?? null
  }
  const root = findPart(archive, slide)
  if (!root)
    throw new Unreadable(
      'document_unreadable',
      'This slide is missing from the file. Save the presentation again and upload the new file.',
      number,
    )
  const relations = relationsOf(archive, slide)
  const layout = findRelated(relations, 'slideLayout')
  const master = layout ? findRelated(relationsOf(archive, layout), 'slideMaster') : null
  const context = {
    layout: shared(layout),
    master: shared(master),
    size,
    partOf: (id: string | undefined) => findPart(archive, relations.get(id ?? '')?.target),
  }
  const notes = findPart(archive, findRelated(relations, 'notesSlide'))
  const blocks = [...readSlide(root, context), ...(notes ? readNotes(notes) : [])].map((block) => ({
    ...block,
    text: clipText(block.text),
  }))
  const is_hidden = root.attributes.show === '0' || root.attributes.show === 'false'
  const points = { width: size.width / EMU_PER_POINT, height: size.height / EMU_PER_POINT }
  return pageOf(blocks, points, is_hidden ? ['This slide is hidden in the presentation.'] : [])
}
