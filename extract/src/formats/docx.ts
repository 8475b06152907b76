// Word. Read by hand: the library tried (officeparser) has no page break for `pageBreakBefore` and for sections that begin a page.

import type { Block } from '@octavo/contract'
import { type Archive, findEntry, readEntry } from '../archive.ts'
import { Flow, type FlowPage, isRunningText, type PageSize, pageOf } from '../office/flow.ts'
import {
  findPart,
  findRelated,
  macroWarnings,
  mainPartOf,
  openPackage,
  type Relation,
  relationsOf,
  titleOf,
} from '../office/package.ts'
import { readBlocks, referencesOf, sectionOf, textOfPart, type WordContext } from '../office/word.ts'
import { valueOf } from '../office/word-lists.ts'
import { wordStyles } from '../office/word-styles.ts'
import { type Element, eachPiece, elementsOf, findChild } from '../office/xml.ts'
import type { Format, OpenFormat } from '../types.ts'
import { splitLong } from './split-long.ts'

export const docx: Format = {
  name: 'docx',
  media_types: [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.ms-word.document.macroenabled.12',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.template',
  ],
  open(bytes, { bounds }): OpenFormat {
    const archive = openPackage(bytes, bounds)
    const { pages, warnings } = readDocument(archive)
    return {
      title: titleOf(archive),
      page_count: pages.length,
      warnings: [...warnings, ...macroWarnings(archive)],
      page: (number) => pageOf(pages[number - 1]?.blocks ?? [], pages[number - 1]?.size ?? null),
    }
  },
}

const PIECES = new Set(['w:p', 'w:tbl', 'w:sectPr', 'w:altChunk'])
const UNSEEN = new Set(['mc:Fallback', 'w:del', 'w:moveFrom', 'w:sdtPr'])
const LOOKS = new Set(
  'tblPr tblGrid tcBorders tcW shd tcMar vAlign spacing ind jc tabs rFonts bidi lang sz szCs color b bCs i iCs u bookmarkStart bookmarkEnd'
    .split(' ')
    .map((name) => `w:${name}`),
)

function readDocument(archive: Archive): { pages: FlowPage[]; warnings: string[] } {
  const main = mainPartOf(archive, 'word/document.xml')
  const relations = relationsOf(archive, main)
  const flow = new Flow()
  const context = contextOf(archive, relations, (text) => flow.addLast({ type: 'paragraph', text }))
  const warnings = new Set<string>()
  const seen = new Set<string>()
  let section = flow.startSection()
  let is_first = true
  const endSection = (properties: Element): void => {
    const type = valueOf(findChild(properties, 'w:type')) ?? 'nextPage'
    if (!is_first) section.break = type === 'continuous' || type === 'nextColumn' ? 'none' : 'always'
    is_first = false
    section.size = sizeOf(properties)
    const { header, footer } = section
    addRunning(properties, 'header', header)
    addRunning(properties, 'footer', footer)
  }
  function addRunning(properties: Element, type: 'header' | 'footer', to: Block[]): void {
    for (const id of referencesOf(properties, `w:${type}Reference`)) {
      const part = findPart(archive, relations.get(id ?? '')?.target)
      const text = part ? textOfPart(elementsOf(part), context) : ''
      if (!isRunningText(text) || seen.has(`${type} ${text}`)) continue
      seen.add(`${type} ${text}`)
      to.push({ type, text })
    }
  }
  eachPiece(readEntry(archive, main), {
    isPiece: (name) => PIECES.has(name),
    ignored: LOOKS,
    visit(piece, around) {
      if (around.some((name) => UNSEEN.has(name))) return
      if (piece.name === 'w:sectPr') endSection(piece)
      else if (piece.name === 'w:altChunk') warnings.add('An embedded document was not read.')
      else {
        readBlocks([piece], flow, context)
        const end = piece.name === 'w:p' ? sectionOf(piece) : null
        if (!end) return
        endSection(end)
        section = flow.startSection()
      }
    },
  })
  if (elementsOf(findPart(archive, findRelated(relations, 'comments'))).length > 0)
    warnings.add('Comments were not read.')
  return { pages: flow.pages().flatMap(splitLong), warnings: [...warnings] }
}

function sizeOf(section: Element): PageSize | null {
  const { 'w:w': width, 'w:h': height } = findChild(section, 'w:pgSz')?.attributes ?? {}
  const size = { width: Number(width) / 20, height: Number(height) / 20 }
  return size.width > 0 && size.height > 0 ? size : null
}

function contextOf(
  archive: Archive,
  relations: Map<string, Relation>,
  addEndnote: (text: string) => void,
): WordContext {
  const partNamed = (type: string) => findPart(archive, findRelated(relations, type))
  const notes = {
    footnotes: notesOf(archive, findRelated(relations, 'footnotes')),
    endnotes: notesOf(archive, findRelated(relations, 'endnotes')),
  }
  const context: WordContext = {
    styles: wordStyles(partNamed('styles'), partNamed('numbering')),
    noteOf: (element) => takeNote(notes.footnotes, element, context),
    endnote(element) {
      const text = takeNote(notes.endnotes, element, context)
      if (text) addEndnote(text)
    },
    partOf: (id) => findPart(archive, relations.get(id ?? '')?.target),
  }
  return context
}

/** A note that is named again, or inside itself, is written once. */
function takeNote(notes: Map<string, Element>, { attributes }: Element, context: WordContext): string | null {
  const id = attributes['w:id'] ?? ''
  const found = notes.get(id)
  notes.delete(id)
  return (found && textOfPart(elementsOf(found), context)) || null
}

function notesOf(archive: Archive, part: string | null): Map<string, Element> {
  const notes = new Map<string, Element>()
  const bytes = part ? findEntry(archive, part) : null
  if (bytes)
    eachPiece(bytes, {
      isPiece: (name) => name === 'w:footnote' || name === 'w:endnote',
      ignored: LOOKS,
      visit(note) {
        const { 'w:id': id, 'w:type': type } = note.attributes
        if (id !== undefined && (type ?? 'normal') === 'normal') notes.set(id, note)
      },
    })
  return notes
}
