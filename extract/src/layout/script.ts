// How the script of a text affects its reading order and spacing.

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g
const LTR = /\p{L}/gu
// Han, Kana, Bopomofo and their punctuation
const UNSPACED =
  /[\u2e80-\u2fdf\u3000-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]/
const WIDE_PLANE = /[\ud840-\ud88f][\udc00-\udfff]/
// Thai, Lao, Khmer, Myanmar: spaces separate phrases, so a line may end anywhere
const PHRASED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/

const FIRST_UNSPACED = 0x2e80
const FIRST_PHRASED = 0xe00

const isPlain = (text: string): boolean => {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) >= 0x590) return false
  return true
}

export function rtlLetters(text: string): number {
  return isPlain(text) ? 0 : (text.match(RTL)?.length ?? 0)
}

/** Letters, whatever their direction. */
export function letters(text: string): number {
  return text.match(LTR)?.length ?? 0
}

const firstOf = (text: string): string => (WIDE_PLANE.test(text.slice(0, 2)) ? '\u4e00' : text.slice(0, 1))
const lastOf = (text: string): string => (WIDE_PLANE.test(text.slice(-2)) ? '\u4e00' : text.slice(-1))

/** Whether no space belongs between two adjacent texts. */
export function areTogether(before: string, after: string): boolean {
  if (before.charCodeAt(before.length - 1) < FIRST_UNSPACED || after.charCodeAt(0) < FIRST_UNSPACED) return false
  return UNSPACED.test(lastOf(before)) && UNSPACED.test(firstOf(after))
}

/** The same for the end of one line and the start of the next. */
export function runsOn(before: string, after: string): boolean {
  if (before.charCodeAt(before.length - 1) < FIRST_PHRASED) return false
  return areTogether(before, after) || (PHRASED.test(lastOf(before)) && PHRASED.test(firstOf(after)))
}

/** Characters count for more where each is a syllable or a word. */
export function weightOf(text: string): number {
  if (isPlain(text)) return text.length
  let weight = 0
  for (const sign of text) weight += UNSPACED.test(sign) ? 2 : 1
  return weight
}

// Signs that fill the left or the right half of their square, as far as ink goes
const HALF_LEFT = /[\u3001\u3002\u3009\u300b\u300d\u300f\u3011\u3015\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]$/
const HALF_RIGHT = /^[\u3008\u300a\u300c\u300e\u3010\u3014\uff08]/

/** How much empty space belongs to the first and the last sign of a text, in ems. */
export function emptyHalves(text: string): { before: number; after: number } | null {
  if (text.charCodeAt(0) < FIRST_UNSPACED && text.charCodeAt(text.length - 1) < FIRST_UNSPACED) return null
  const before = HALF_RIGHT.test(text) ? 0.5 : 0
  const after = HALF_LEFT.test(text) ? 0.5 : 0
  return before + after > 0 ? { before, after } : null
}
