// Plain text: empty lines separate paragraphs, form feeds separate pages. Tables may be drawn with `|`.

import type { Block } from '@octavo/contract'
import { decodeText } from '../decode.ts'
import type { Format } from '../types.ts'
import { blocksOfParagraph } from './drawn-tables.ts'
import { flowOf, paginate } from './pages.ts'

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
  for (const page of whole.split('\f')) {
    breaks.add(blocks.length)
    for (const part of page.split(/\n[^\S\n]*\n/)) {
      const own = part.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
      if (own.trim() !== '') for (const block of blocksOfParagraph(own)) blocks.push(block)
    }
  }
  return { blocks, breaks }
}
