// Fonts: their weight, their slant, and the size of their letters.

import type { Pdfium } from './module.ts'

/** The height of a capital letter or a digit in ems. */
const CAPITAL = 0.72
/** In ems: the brackets and integrals of formulas are not higher. */
const MAX_HEIGHT = 4
const SAMPLE = 200

export interface Look {
  /** A factor for the sizes that pdfium reports. */
  scale: number
  is_bold: boolean
  is_italic: boolean
  is_mono: boolean
}

const FIXED_PITCH = 1
const FORCE_BOLD = 1 << 18
/** LaTeX abbreviates: CMBX is bold, CMTI is italic. */
const BOLD_NAME = /bold|black|heavy|semibold|demi|(?:cm|sf|ec|lm)bx/i
const ITALIC_NAME = /italic|oblique|slanted|(?:cm|sf|ec|lm)(?:ti|sl)\d/i
const ITALIC = 1 << 6
const MONO_NAME = /mono|courier|consol|typewriter|\btt\b|(cm|sf|ec|lm)tt|menlo|monaco|inconsolata|(source|fira) ?code/i

interface FirstLetter {
  text_page: number
  index: number
  font: number
  size: number
  turn: number
}

/** The look of the font that a letter is the first one of. */
export function lookOf(pdfium: Pdfium, letter: FirstLetter): Look {
  const { font, text_page, index } = letter
  const weight = pdfium.FPDFText_GetFontWeight(text_page, index)
  if (font === 0) return { scale: 1, is_bold: weight >= 600, is_italic: false, is_mono: false }
  const flags = Math.max(0, pdfium.FPDFFont_GetFlags(font))
  const name = fontName(pdfium, font)
  return {
    scale: scaleOf(pdfium, letter),
    is_bold: weight >= 600 || (flags & FORCE_BOLD) !== 0 || BOLD_NAME.test(name),
    is_italic: (flags & ITALIC) !== 0 || ITALIC_NAME.test(name),
    is_mono: (flags & FIXED_PITCH) !== 0 || MONO_NAME.test(name),
  }
}

function fontName(pdfium: Pdfium, font: number): string {
  const room = 128
  const at = pdfium.scratch + 128
  const length = Math.min(room, pdfium.FPDFFont_GetBaseFontName(font, at, room))
  return length > 1 ? Buffer.from(pdfium.bytes(at, length - 1)).toString('utf8') : ''
}

/** Type 3 fonts may have a scale that pdfium does not report. */
function scaleOf(pdfium: Pdfium, { text_page, index, font, size, turn }: FirstLetter): number {
  const heightAt = (at: number): number => {
    const box = pdfium.scratch
    if (pdfium.FPDFText_GetCharBox(text_page, at, box, box + 8, box + 16, box + 24) === 0) return 0
    const [left, right, bottom, top] = [box, box + 8, box + 16, box + 24].map((place) => pdfium.f64(place))
    return turn % 2 === 0 ? Math.abs((top ?? 0) - (bottom ?? 0)) : Math.abs((right ?? 0) - (left ?? 0))
  }
  if (heightAt(index) < size * MAX_HEIGHT) return 1
  const heights: number[] = []
  const end = Math.min(index + SAMPLE, pdfium.FPDFText_CountChars(text_page))
  for (let at = index; at < end; at++) {
    const object = pdfium.FPDFText_GetTextObject(text_page, at)
    if (object !== 0 && pdfium.FPDFTextObj_GetFont(object) === font) heights.push(heightAt(at))
  }
  const high = heights.toSorted((a, b) => a - b)[Math.floor(heights.length * 0.8)] ?? 0
  return Math.max(1, high / CAPITAL / size)
}
