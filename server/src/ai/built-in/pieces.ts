// A document as pieces of some sentences each: what is embedded where a whole page would blur.

import { itemAt } from '@octavo/base/required.ts'
import type { Span } from './positions.ts'
import { sentencesOf } from './sentences.ts'

export interface Piece extends Span {
  /** Index of its text, from 0. */
  part: number
  text: string
}

export interface PieceOptions {
  language: string | null
  /** More pieces are thinned out, evenly over the document. */
  limit: number
  /** 0: every sentence is a piece. */
  max_characters: number
}

/** `read` is the share of all pieces that came back. */
export function piecesOf(
  texts: readonly string[],
  { language, limit, max_characters }: PieceOptions,
): { pieces: Piece[]; read: number } {
  const all: Piece[] = []
  for (const [part, text] of texts.entries()) {
    let open: Piece | null = null
    for (const { start, end, text: own } of sentencesOf(text, language)) {
      if (open && end - open.start <= max_characters) {
        open.end = end
        open.text += ` ${own}`
      } else {
        open = { part, start, end, text: own }
        all.push(open)
      }
    }
  }
  if (all.length <= limit) return { pieces: all, read: 1 }
  const step = all.length / limit
  return {
    pieces: Array.from({ length: limit }, (_, i) => itemAt(all, Math.floor(i * step))),
    read: limit / all.length,
  }
}
