// Text of OpenDocument. Read by hand: the library tried (officeparser) has no page break that a style inherits or that a master page makes.

import type { Block } from '@octavo/contract'
import { Flow, type FlowPage, isRunningText, Lines, pageOf } from '../office/flow.ts'
import { type OdfPackage, openOdf } from '../office/odf-styles.ts'
import { type OdfContext, readOdfBlocks } from '../office/odf-text.ts'
import { macroWarnings } from '../office/package.ts'
import { eachPiece, elementsOf, findChild } from '../office/xml.ts'
import type { Format, OpenFormat } from '../types.ts'
import { splitLong } from './split-long.ts'

export const odt: Format = {
  name: 'odt',
  media_types: ['application/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.text-template'],
  open(bytes, { bounds }): OpenFormat {
    const odf = openOdf(bytes, bounds)
    const pages = readText(odf)
    return {
      title: odf.title,
      page_count: pages.length,
      warnings: macroWarnings(odf.archive),
      page: (number) => pageOf(pages[number - 1]?.blocks ?? [], pages[number - 1]?.size ?? null),
    }
  },
}

/** Elements that are read as a whole; all others are only containers. */
const PIECES =
  /^(text:(p|h|list|numbered-paragraph|soft-page-break)|table:table|draw:(frame|g|rect|custom-shape|line|ellipse|path|polygon))$/

function readText({ content, styles }: OdfPackage): FlowPage[] {
  const flow = new Flow()
  let has_begun = false
  const context: OdfContext = {
    styles,
    addEndnote: (text) => flow.addLast({ type: 'paragraph', text }),
    startMaster(name) {
      const section = flow.startSection()
      section.size = styles.sizeOf(name)
      section.header.push(...runningOf('header', name))
      section.footer.push(...runningOf('footer', name))
    },
  }
  const seen = new Set<string>()
  function runningOf(type: 'header' | 'footer', name: string): Block[] {
    const master = styles.masters.get(name)
    return [`style:${type}-first`, `style:${type}`, `style:${type}-left`].flatMap((part) => {
      const element = master ? findChild(master, part) : null
      if (!element || element.attributes['style:display'] === 'false') return []
      const lines = new Lines(null)
      readOdfBlocks(elementsOf(element), lines, { styles, addEndnote() {} })
      if (!isRunningText(lines.text) || seen.has(`${type} ${lines.text}`)) return []
      seen.add(`${type} ${lines.text}`)
      return [{ type, text: lines.text }]
    })
  }
  eachPiece(content, {
    isPiece: (name, around) => PIECES.test(name) && around.includes('office:text'),
    visit(piece, around) {
      if (around.includes('text:tracked-changes')) return
      if (!has_begun) {
        has_begun = true
        const named = styles.find('paragraph', piece.attributes['text:style-name'], 'master_page')
        if (!named) context.startMaster?.('Standard')
      }
      readOdfBlocks([piece], flow, context)
    },
  })
  return flow.pages().flatMap(splitLong)
}
