// Excel. Read by hand and row by row: the library tried (officeparser) shows dates, times and percent as bare numbers, loses merged
// cells and holds a whole workbook as a tree.

import type { Block } from '@octavo/contract'
import type { Archive } from '../archive.ts'
import { drawingTexts } from '../office/drawing.ts'
import { isRunningText } from '../office/flow.ts'
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
import { openSheets, type Sheet } from '../office/sheets.ts'
import { textOfParagraph } from '../office/slide.ts'
import { rowsOf, SheetEnd, sharedStrings, showsOf, type Workbook } from '../office/workbook.ts'
import { allInside, childrenNamed, elementsOf, findChild, findInside } from '../office/xml.ts'
import { type Format, type OpenFormat, Unreadable } from '../types.ts'

export const xlsx: Format = {
  name: 'xlsx',
  media_types: [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.ms-excel.sheet.macroenabled.12',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.template',
  ],
  open(bytes, { bounds }): OpenFormat {
    const archive = openPackage(bytes, bounds)
    const main = mainPartOf(archive, 'xl/workbook.xml')
    const workbook = readPart(archive, main)
    const relations = relationsOf(archive, main)
    const { date1904 } = findChild(workbook, 'workbookPr')?.attributes ?? {}
    const book = {
      strings: sharedStrings(archive, findRelated(relations, 'sharedStrings')),
      shows: showsOf(findPart(archive, findRelated(relations, 'styles'))),
      from_1904: date1904 === '1' || date1904 === 'true',
    }
    const sheets = childrenNamed(findChild(workbook, 'sheets'), 'sheet').flatMap(({ attributes }) => {
      const part = relations.get(attributes['r:id'] ?? '')?.target
      if (!part || !archive.entries.has(part)) return []
      const is_hidden = attributes.state !== undefined && attributes.state !== 'visible'
      return [sheetOf(archive, part, { name: attributes.name ?? '', is_hidden }, book)]
    })
    if (sheets.length === 0) throw new Unreadable('document_empty', 'The workbook has no sheets.')
    return { title: titleOf(archive), warnings: macroWarnings(archive), ...openSheets(sheets) }
  },
}

function sheetOf(archive: Archive, part: string, named: { name: string; is_hidden: boolean }, book: Workbook): Sheet {
  const end = new SheetEnd()
  return {
    ...named,
    rows: () => rowsOf(archive, part, book, end),
    lateSpans: () => end.spans.values(),
    others: () => [...drawn(archive, part), ...running(end)],
  }
}

const running = ({ header, footer }: SheetEnd): Block[] =>
  [
    { type: 'header' as const, text: header },
    { type: 'footer' as const, text: footer },
  ].filter(({ text }) => isRunningText(text))

/** Text boxes, charts and pictures that lie on the cells. */
function drawn(archive: Archive, part: string): Block[] {
  const name = findRelated(relationsOf(archive, part), 'drawing')
  const drawing = findPart(archive, name)
  if (!drawing || name === null) return []
  const relations = relationsOf(archive, name)
  const blocks: Block[] = []
  for (const anchor of elementsOf(drawing)) {
    for (const paragraph of allInside(anchor, 'a:p')) {
      const text = textOfParagraph(paragraph).trim()
      if (text !== '') blocks.push({ type: 'paragraph', text })
    }
    const words = drawingTexts(anchor, (id) => findPart(archive, relations.get(id ?? '')?.target))
    if (!findInside(anchor, 'xdr:pic') && !findInside(anchor, 'c:chart')) continue
    const { descr, title } = findInside(anchor, 'xdr:cNvPr')?.attributes ?? {}
    blocks.push({ type: 'figure', text: [descr || title || '', ...words].filter(Boolean).join('\n') })
  }
  return blocks
}
