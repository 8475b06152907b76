// Plain text: empty lines separate paragraphs, form feeds separate pages. Tables may be drawn with `|`.

import type { Block } from '@octavo/contract'
import { decodeText } from '../decode.ts'
import type { Format } from '../types.ts'
import { blocksOfParagraph } from './drawn-tables.ts'
import { flowOf, paginate } from './pages.ts'

/** In one document: a cell needs far more memory than its text, and the parser has little. */
const MAX_BARS = 300_000

export const text: Format = {
  name: 'text',
  media_types: ['text/plain'],
  open(bytes) {
    const { blocks, breaks } = blocksOfText(decodeText(bytes))
    return { title: null, warnings: [], ...flowOf(paginate(blocks, breaks)) }
  },
}

/** `breaks` are the blocks that begin a page. */
export function blocksOfText(whole: string): { blocks: Block[]; breaks: Set<number> } {
  const blocks: Block[] = []
  const breaks = new Set<number>()
  let bars = 0
  for (const page of whole.split('\f')) {
    breaks.add(blocks.length)
    for (const part of page.split(/\n[^\S\n]*\n/)) {
      const own = part.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
      if (own.trim() === '') continue
      bars += countBars(own)
      if (bars > MAX_BARS) blocks.push({ type: 'paragraph', text: own })
      else for (const block of blocksOfParagraph(own)) blocks.push(block)
    }
  }
  return { blocks, breaks }
}

function countBars(text: string): number {
  let count = 0
  for (let at = text.indexOf('|'); at >= 0; at = text.indexOf('|', at + 1)) count++
  return count
}
