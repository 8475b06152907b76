// The text layer of a page → words with places, sizes and weights.

import { rtlLetters } from '../layout/script.ts'
import { superscript } from '../layout/scripts.ts'
import type { Word } from '../layout/types.ts'
import { type Look, lookOf } from './fonts.ts'
import { type Frame, seenX, seenY } from './frame.ts'
import type { Pdfium } from './module.ts'

const MAX_CHARACTERS = 200_000

export interface PageText {
  /** By quarter turn of the reading direction, clockwise: words at 0 are upright. */
  words: [Word[], Word[], Word[], Word[]]
  characters: number
  /** Characters that mean nothing: no mapping, private use, controls. */
  bad: number
  is_cut: boolean
}

/** Properties shared by all characters of one text object. */
interface Style extends Omit<Look, 'scale'> {
  size: number
  turn: number
  /** Their baseline, across the reading direction. */
  base: number
}

interface Open extends Word {
  base: number
  turn: number
  /** The last character: its position, and where its letters begin. */
  sign_x0: number
  sign_x1: number
  sign_at: number
}

interface Reading {
  pdfium: Pdfium
  text_page: number
  frame: Frame
  fonts: Map<number, Look>
  object: number
  style: Style
  open: Open | null
  gap: { space_before?: boolean }
  is_meaningless: boolean
  text: PageText
}

export function readText(pdfium: Pdfium, page: number, frame: Frame): PageText {
  const text_page = pdfium.FPDFText_LoadPage(page)
  if (text_page === 0) throw new Error('no text page')
  try {
    return wordsOf(pdfium, text_page, frame)
  } finally {
    pdfium.FPDFText_ClosePage(text_page)
  }
}

function wordsOf(pdfium: Pdfium, text_page: number, frame: Frame): PageText {
  const total = Math.max(0, pdfium.FPDFText_CountChars(text_page))
  const count = Math.min(total, MAX_CHARACTERS)
  const text: PageText = { words: [[], [], [], []], characters: 0, bad: 0, is_cut: total > count }
  const style: Style = { size: 1, is_bold: false, is_italic: false, is_mono: false, turn: 0, base: 0 }
  const reading: Reading = {
    pdfium,
    text_page,
    frame,
    fonts: new Map(),
    object: -1,
    style,
    open: null,
    gap: {},
    is_meaningless: false,
    text,
  }
  for (let index = 0; index < count; index++) {
    const code = pdfium.FPDFText_GetUnicode(text_page, index)
    if (isSpace(code)) {
      reading.open = null
      reading.gap = code === 10 || code === 13 ? {} : { space_before: true }
      continue
    }
    text.characters++
    if (isBad(code) || hasNoMeaning(reading, index)) text.bad++
    if (code !== HYPHEN_AT_END && (code < 32 || code === 0xfffe || code === 0xffff)) continue
    const object = pdfium.FPDFText_GetTextObject(text_page, index)
    if (object !== reading.object) {
      reading.style = styleOf(reading, index, object)
      reading.object = object
    }
    addCharacter(reading, index, code)
  }
  return text
}

const ALL_OF_FIRST = 200
const THEN_EVERY = 16

/** Fonts without a map to letters are asked for now and then: the answer is the same for all letters of a font. */
function hasNoMeaning(reading: Reading, index: number): boolean {
  const { pdfium, text_page, text } = reading
  if (text.characters <= ALL_OF_FIRST || text.characters % THEN_EVERY === 0)
    reading.is_meaningless = pdfium.FPDFText_HasUnicodeMapError(text_page, index) > 0
  return reading.is_meaningless
}

function addCharacter(reading: Reading, index: number, code: number): void {
  const { pdfium, frame, style, open } = reading
  const at = pdfium.scratch
  // left, right, bottom, top
  if (pdfium.FPDFText_GetCharBox(reading.text_page, index, at, at + 8, at + 16, at + 24) === 0) return
  const [left, right, bottom, top] = [pdfium.f64(at), pdfium.f64(at + 8), pdfium.f64(at + 16), pdfium.f64(at + 24)]
  const along = style.turn % 2 === 0 ? seenX : seenY
  const sign = style.turn < 2 ? 1 : -1
  const from = sign * along(frame, left, bottom)
  const to = sign * along(frame, right, top)
  const x0 = Math.min(from, to)
  const x1 = Math.max(from, to)
  const letter = code === HYPHEN_AT_END ? '-' : String.fromCodePoint(code)
  if (!open || !continues(open, x0, x1, style)) {
    begin(reading, letter, x0, x1)
    return
  }
  addLetter(open, isRaised(open, style) ? superscript(letter) : letter, x0, x1)
  if (x0 < open.x0) open.x0 = x0
  if (x1 > open.x1) open.x1 = x1
  if (style.size <= open.size) return
  open.size = style.size
  setHeight(open, style)
}

const isRaised = (open: Open, { size, base }: Style): boolean =>
  size < open.size * 0.8 && open.base - base > open.size * 0.15

/** Letters of one sign, such as lam and alef, are in the order of the line, which pdfium turned as a whole. */
function addLetter(open: Open, letter: string, x0: number, x1: number): void {
  const is_same_sign = open.sign_x0 === x0 && open.sign_x1 === x1 && rtlLetters(letter) > 0
  if (!is_same_sign) open.sign_at = open.text.length
  open.text = is_same_sign
    ? open.text.slice(0, open.sign_at) + letter + open.text.slice(open.sign_at)
    : open.text + letter
  open.sign_x0 = x0
  open.sign_x1 = x1
}

function begin(reading: Reading, letter: string, x0: number, x1: number): void {
  const { size, is_bold, is_italic, is_mono, base, turn } = reading.style
  const sign = { sign_x0: x0, sign_x1: x1, sign_at: 0 }
  const open: Open = { text: letter, x0, y0: 0, x1, y1: 0, size, is_bold, is_mono, base, turn, ...sign, ...reading.gap }
  if (is_italic) open.is_italic = true
  setHeight(open, reading.style)
  reading.text.words[turn]?.push(open)
  reading.open = open
  reading.gap = {}
}

/** Uses the height of the font, not of the letters, so that all words of a line are equally high. */
function setHeight(open: Open, { base, size }: Style): void {
  open.base = base
  open.y0 = base - size * 0.8
  open.y1 = base + size * 0.2
}

function continues(open: Open, x0: number, x1: number, { size, turn, base }: Style): boolean {
  if (open.turn !== turn) return false
  const em = Math.max(open.size, size)
  return Math.abs(base - open.base) <= em * 0.6 && x0 - open.x1 < em * 0.35 && open.x0 - x1 < em * 0.35
}

/** pdfium's sign for a hyphen at the end of a line. */
const HYPHEN_AT_END = 2

const isSpace = (code: number): boolean =>
  code === 32 ||
  (code >= 9 && code <= 13) ||
  code === 0xa0 ||
  (code >= 0x2000 && code <= 0x200b) ||
  code === 0x202f ||
  code === 0x3000

const isBad = (code: number): boolean =>
  code === 0xfffd ||
  code === 0xffff ||
  code === 0 ||
  (code < 32 && code !== HYPHEN_AT_END) ||
  (code >= 0xe000 && code <= 0xf8ff) ||
  code >= 0xf0000

function styleOf({ pdfium, text_page, frame, fonts }: Reading, index: number, object: number): Style {
  const at = pdfium.scratch
  const points = pdfium.FPDFText_GetFontSize(text_page, index)
  const has_matrix = pdfium.FPDFText_GetMatrix(text_page, index, at) !== 0
  const [a, b, c, d] = has_matrix
    ? [pdfium.f32(at), pdfium.f32(at + 4), pdfium.f32(at + 8), pdfium.f32(at + 12)]
    : [1, 0, 0, 1]
  const reported = Math.abs(points) * Math.hypot(c, d)
  const turn = (Math.round((-Math.atan2(b, a) * 2) / Math.PI) + frame.turns + 8) & 3
  const font = object === 0 ? 0 : pdfium.FPDFTextObj_GetFont(object)
  let look = fonts.get(font)
  if (!look) {
    look = lookOf(pdfium, { text_page, index, font, size: reported, turn })
    fonts.set(font, look)
  }
  const size = reported * look.scale
  pdfium.FPDFText_GetCharOrigin(text_page, index, at, at + 8)
  const [x, y] = [pdfium.f64(at), pdfium.f64(at + 8)]
  const across = turn % 2 === 0 ? seenY(frame, x, y) : seenX(frame, x, y)
  const base = turn === 0 || turn === 3 ? across : -across
  return {
    size: Number.isFinite(size) && size > 0 ? Math.min(size, 2_000) : 1,
    turn,
    base,
    is_bold: look.is_bold,
    is_italic: look.is_italic,
    is_mono: look.is_mono,
  }
}
