// Width of a text on a terminal, where a Chinese character takes two columns and a combining accent none.

import { eastAsianWidth } from 'get-east-asian-width'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const INVISIBLE = /^(?:\p{Default_Ignorable_Code_Point}|\p{Control}|\p{Mark}|\p{Surrogate})+$/v
const EMOJI = /\p{RGI_Emoji}/v
/** Characters that move the cursor, change colors or reverse the text direction: files and titles are untrusted. */
const UNSAFE = /[[\p{Control}\p{Bidi_Control}]--\n]/gv

const charactersOf = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment)

function widthOfCharacter(character: string): number {
  if (INVISIBLE.test(character)) return 0
  return EMOJI.test(character) ? 2 : eastAsianWidth(character.codePointAt(0) ?? 0)
}

export const widthOf = (text: string): number =>
  charactersOf(text).reduce((sum, character) => sum + widthOfCharacter(character), 0)

/** Safe to be shown; lines stay. */
export const cleanLines = (text: string): string => text.replace(UNSAFE, ' ')
/** Safe to be shown, in one line. */
export const clean = (text: string): string => cleanLines(text).replace(/\s+/g, ' ').trim()

/** The same value in one line, safe to be shown. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value).replace(UNSAFE, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)

function takeWidth(characters: readonly string[], width: number): string {
  let left = width
  let taken = ''
  for (const character of characters) {
    left -= widthOfCharacter(character)
    if (left < 0) break
    taken += character
  }
  return taken
}

function takeEnd(characters: readonly string[], width: number): string {
  let [left, from] = [width, characters.length]
  while (from > 0 && left >= widthOfCharacter(characters[from - 1] ?? ''))
    left -= widthOfCharacter(characters[--from] ?? '')
  return characters.slice(from).join('')
}

/** At most so wide; what is left out is an ellipsis. `tail` columns of the end stay, such as those of a file's ending. */
export function cut(text: string, width: number, tail = 0): string {
  if (widthOf(text) <= width) return text
  if (width < 1) return ''
  const characters = charactersOf(text)
  const ending = tail < width - 1 ? takeEnd(characters, tail) : ''
  return `${takeWidth(characters, width - 1 - widthOf(ending))}…${ending}`
}

/** Exactly so wide. */
export function fit(text: string, width: number, { tail = 0, is_right = false } = {}): string {
  const shown = cut(text, width, tail)
  const blank = ' '.repeat(Math.max(0, width - widthOf(shown)))
  return is_right ? blank + shown : shown + blank
}

/** Lines of at most this width, broken between words, or within one that is wider than a line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  const push = (word: string): void => {
    const longer = line === '' ? word : `${line} ${word}`
    if (widthOf(longer) <= width) {
      line = longer
      return
    }
    if (line !== '') lines.push(line)
    line = word
    while (widthOf(line) > width) {
      const head = takeWidth(charactersOf(line), width)
      if (head === '') break
      lines.push(head)
      line = line.slice(head.length)
    }
  }
  for (const word of text.split(/\s+/).filter(Boolean)) push(word)
  return line === '' ? lines : [...lines, line]
}
