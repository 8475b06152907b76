// Tesseract output (hOCR) → words. Unlike Tesseract's table format, hOCR includes the font size of a line.

import { weightOf } from '../layout/script.ts'
import type { Word } from '../layout/types.ts'

// The text of a line may be inside <strong> or <em>, never deeper.
const ELEMENT =
  /<span class='(ocr_\w+|ocrx_word)'[^>]*? title=(?:"([^"]*)"|'([^']*)')[^>]*>(?:((?:(?!<\/?span)[\s\S])*?)<\/span>)?/g
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** In parts of the size of the letters: ink that is smaller both ways and was read as one sign is a speck, unless that is a dot. */
const SPECK = 0.12
const SIGN = /^[^.,·•・]$/u

export function parseHocr(hocr: string): { words: Word[]; confidence: number } {
  const words: Word[] = []
  let line: Line = { size: 0, is_begun: false, heightAt: () => null }
  let [sum, letters] = [0, 0]
  for (const [, kind, quoted, single, content] of hocr.matchAll(ELEMENT)) {
    const title = quoted ?? single ?? ''
    if (kind !== 'ocrx_word') {
      line = lineOf(title)
      continue
    }
    const text = unescape(content ?? '').trim()
    const [x0, y0, x1, y1] = numbersOf(title, 'bbox')
    if (!text || x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined || x1 <= x0 || y1 <= y0)
      continue
    const size = line.size || y1 - y0
    if (Math.max(x1 - x0, y1 - y0) < size * SPECK && SIGN.test(text)) continue
    const confidence = Math.min(100, Math.max(0, numbersOf(title, 'x_wconf')[0] ?? 0)) / 100
    const height = line.heightAt((x0 + x1) / 2)
    const before = words.at(-1)
    if (before && line.is_begun && isClose(before, { text, x0 }, size)) before.x1 = x0
    line.is_begun = true
    words.push({ text, x0, y0, x1, y1, size, confidence, ...(height && { line: height }) })
    sum += confidence * text.length
    letters += text.length
  }
  return { words, confidence: letters === 0 ? 0 : sum / letters }
}

/**
 * The box of a square character often covers only part of the square: a character within about one square is adjacent.
 */
function isClose(before: Word, { text, x0 }: Pick<Word, 'text' | 'x0'>, size: number): boolean {
  const is_square = weightOf(before.text) > before.text.length || weightOf(text) > text.length
  return is_square && x0 > before.x1 && x0 - before.x1 < size * 1.3
}

interface Line {
  size: number
  /** Whether it has words already. */
  is_begun: boolean
  heightAt(x: number): { y0: number; y1: number } | null
}

/** The baseline is relative to the lower left corner of the line's box, which a speck may stretch. */
function lineOf(title: string): Line {
  const [left, top = 0, , bottom = 0] = numbersOf(title, 'bbox')
  const [size] = numbersOf(title, 'x_size')
  const [slope, offset] = numbersOf(title, 'baseline')
  const [below = 0] = numbersOf(title, 'x_descenders')
  if (size === undefined || left === undefined || slope === undefined || offset === undefined)
    return { size: size ?? bottom - top, is_begun: false, heightAt: () => null }
  return {
    size,
    is_begun: false,
    heightAt(x) {
      const y1 = bottom + offset + slope * (x - left) + below
      return { y0: y1 - size, y1 }
    },
  }
}

function numbersOf(title: string, name: string): number[] {
  const part = title.split(';').find((one) => one.trim().startsWith(`${name} `))
  return part ? part.trim().split(/\s+/).slice(1).map(Number) : []
}

const unescape = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, decimal?: string, hex?: string, name?: string) => {
      if (name) return ENTITIES[name] ?? all
      const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
    })
