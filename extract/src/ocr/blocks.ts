// Words of a page and the lines drawn in it → blocks, by the layout that text layers go through too.

import type { Block } from '@octavo/contract'
import { withBoxes } from '../layout/boxes.ts'
import { layoutPage } from '../layout/layout.ts'
import type { LayoutOptions, Word } from '../layout/types.ts'
import type { PageImage, Rule } from '../types.ts'
import type { OcrPage, Turn } from './ocr.ts'

export interface ReadPage {
  blocks: Block[]
  confidence: number
}

type PlacedPage = Pick<OcrPage, 'words' | 'confidence' | 'turned'>

export function blocksOf(
  page: PlacedPage,
  image: Pick<PageImage, 'width' | 'height' | 'rules'>,
  options: LayoutOptions = {},
): ReadPage {
  const { width, height } = image
  const is_sideways = page.turned === 90 || page.turned === 270
  const frame = is_sideways ? { width: height, height: width } : { width, height }
  const rules = image.rules.map((rule) => turnRule(rule, image, page.turned))
  const words = withoutRules(page.words, rules)
  const blocks = layoutPage(words, { ...frame, rules }, options).map((block) => withConfidence(block, words, frame))
  return {
    blocks: page.turned === 0 ? blocks : blocks.map((block) => withBoxes(block, (bbox) => turnBack(bbox, page.turned))),
    confidence: page.confidence,
  }
}

/** The mean confidence of the words whose center is in the block. */
function withConfidence(block: Block, words: readonly Word[], frame: { width: number; height: number }): Block {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = block.bbox ?? []
  const isInside = (word: Word): boolean => {
    const x = (word.x0 + word.x1) / 2 / frame.width
    const y = (word.y0 + word.y1) / 2 / frame.height
    return x >= x0 && x <= x1 && y >= y0 && y <= y1
  }
  const own = words.filter((word) => word.confidence !== undefined && isInside(word))
  const letters = own.reduce((sum, { text }) => sum + text.length, 0)
  if (letters === 0) return block
  const mean = own.reduce((sum, { text, confidence = 0 }) => sum + confidence * text.length, 0) / letters
  return { ...block, confidence: Math.round(mean * 1000) / 1000 }
}

// Characters that OCR engines read in drawn lines.
const STROKES = /^[|¦‖_—–-]+$/
const BARS_AT_ENDS = /^[|¦‖]+|[|¦‖]+$/g

function withoutRules(words: readonly Word[], rules: readonly Rule[]): Word[] {
  return words.flatMap((word) => {
    if (!/[|¦‖_—–-]/.test(word.text) || !rules.some((rule) => crosses(rule, word))) return [word]
    const text = word.text.replace(BARS_AT_ENDS, '')
    return text && !STROKES.test(text) ? [{ ...word, text }] : []
  })
}

/** Within a little of its box: a bar is thin, and so is its box. */
function crosses(rule: Rule, word: Word): boolean {
  const air = word.size / 4
  return rule.x0 <= word.x1 + air && rule.x1 >= word.x0 - air && rule.y0 <= word.y1 + air && rule.y1 >= word.y0 - air
}

function turnRule({ x0, y0, x1, y1 }: Rule, { width, height }: { width: number; height: number }, turn: Turn): Rule {
  if (turn === 90) return { x0: height - y1, y0: x0, x1: height - y0, y1: x1 }
  if (turn === 180) return { x0: width - x1, y0: height - y1, x1: width - x0, y1: height - y0 }
  if (turn === 270) return { x0: y0, y0: width - x1, x1: y1, y1: width - x0 }
  return { x0, y0, x1, y1 }
}

/** From the page that was turned to read it to the page as it is stored. */
function turnBack(bbox: number[], turn: Turn): number[] {
  const [x0 = 0, y0 = 0, x1 = 1, y1 = 1] = bbox
  if (turn === 90) return [y0, 1 - x1, y1, 1 - x0]
  if (turn === 180) return [1 - x1, 1 - y1, 1 - x0, 1 - y0]
  return [1 - y1, x0, 1 - y0, x1]
}
