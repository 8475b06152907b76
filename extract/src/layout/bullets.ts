// Bullets belong to the text beside them: the gap after a bullet is none between two columns.

import type { Row } from './lines.ts'
import { rtlLetters } from './script.ts'
import type { Word } from './types.ts'
import { isValue } from './values.ts'

export const BULLET =
  /^[\u2022\u25e6\u25aa\u25ab\u2023\u2043\u25cb\u25cf\u2588\u25a0\u25a1\u25b6\u25b8\u25c6\u25fc\u25fe\u2b1b\u27a4\u25ba\u27a2\u2713\u2714\u2192\u2756\u2751\u274f\u2610-\u2612\uf000-\uf0ff\u00b7\u00ab\u00bb\u2013\u2014*-]$/
const DASH = /^[-–—]$/
/** Word processors draw the bullets of inner lists with the letter o. */
const LETTER = 'o'
/** In ems, after the letter: more than between two words. */
const MIN_LETTER_GAP = 0.6
/** In ems. */
const MAX_GAP = 3.5
const MIN_GAP_BEFORE = 1

/** Makes one word of a bullet and the word that it marks. */
export function joinBullets(rows: readonly Row[]): Word[] {
  return rows.flatMap(({ words }) => {
    const joined: Word[] = []
    for (let index = 0; index < words.length; index++) {
      const [before, word, after] = [words[index - 1], words[index], words[index + 1]]
      if (!word) continue
      if (!BULLET.test(word.text) && !isLetterBullet(word, after)) joined.push(word)
      else if (
        after &&
        !isAmount(word, after) &&
        isMarked(word, after.x0 - word.x1, before && word.x0 - before.x1) &&
        !isRtl(after)
      ) {
        joined.push(both(word, after))
        index++
      } else if (before && isRtl(before) && isMarked(word, word.x0 - before.x1, after && after.x0 - word.x1))
        joined.splice(-1, 1, both(word, before))
      else joined.push(word)
    }
    return joined
  })
}

const isLetterBullet = ({ text, size, x1 }: Word, after: Word | undefined): boolean =>
  text === LETTER && after !== undefined && /^\p{P}?\p{L}{2}/u.test(after.text) && after.x0 - x1 > size * MIN_LETTER_GAP

/** A dash before an amount is a sign, or the value of another column. */
const isAmount = (bullet: Word, { text }: Word): boolean =>
  DASH.test(bullet.text) && (isValue(text) || /^\p{Sc}/u.test(text))

const isRtl = ({ text }: Word): boolean => rtlLetters(text) > 0

const isMarked = ({ size }: Word, gap: number, other: number | undefined): boolean =>
  gap > 0 && gap < size * MAX_GAP && (other === undefined || other > size * MIN_GAP_BEFORE)

const both = (bullet: Word, word: Word): Word => ({
  ...word,
  text: `${bullet.text === LETTER ? '◦' : bullet.text} ${word.text}`,
  x0: Math.min(bullet.x0, word.x0),
  x1: Math.max(bullet.x1, word.x1),
})
