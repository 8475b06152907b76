// Lines as an engine finds them, without knowing where their words are → words.

import type { Word } from '../layout/types.ts'

export interface TextLine {
  text: string
  box: { x: number; y: number; width: number; height: number }
  confidence: number
}

// Letter size as a share of the box height: boxes leave some space around a line.
const LETTERS = 0.8
const IS_WIDE = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/

/** As if every letter were as wide as the others, and those of Chinese and Japanese twice that. */
export function wordsOfLines({ lines }: { lines: readonly TextLine[] }): Word[] {
  return lines.flatMap(({ text, box, confidence }) => {
    const letters = [...text.trim()]
    const widths = letters.map((letter) => (IS_WIDE.test(letter) ? 2 : 1))
    const unit = box.width / Math.max(1, sum(widths))
    const words: Word[] = []
    let start = 0
    for (let i = 0; i <= letters.length; i++) {
      if (i < letters.length && letters[i]?.trim()) continue
      if (i > start) {
        const x0 = box.x + unit * sum(widths.slice(0, start))
        const x1 = x0 + unit * sum(widths.slice(start, i))
        const size = box.height * LETTERS
        words.push({
          text: letters.slice(start, i).join(''),
          x0,
          x1,
          y0: box.y,
          y1: box.y + box.height,
          size,
          confidence,
        })
      }
      start = i + 1
    }
    return words
  })
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** A letter is at most about twice as wide as a line is high. */
const LETTERS_OF_A_SQUARE = 0.5

/** PP-OCR leaves out letters that it was not trained on, and is confident of the dots that remain. */
export function isMostlyUnread(lines: readonly TextLine[]): boolean {
  const isUnread = ({ text, box }: TextLine): boolean =>
    (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < (box.width / Math.max(1, box.height)) * LETTERS_OF_A_SQUARE
  const widthOf = (some: readonly TextLine[]): number => sum(some.map(({ box }) => box.width))
  return widthOf(lines.filter(isUnread)) > widthOf(lines) / 2
}
