// Headings above a place in a document.

import type { Block } from '@octavo/contract'

export interface Heading {
  level: number
  text: string
}

const MAX_HEADINGS = 9
const MAX_HEADING_CHARACTERS = 300

/** The heading that a block is; null for other blocks. A title is above all headings. */
export function findHeading({ type, level, text }: Block): Heading | null {
  if (text === '' || (type !== 'title' && type !== 'heading')) return null
  return {
    level: type === 'title' ? 0 : (level ?? 1),
    text: text.replace(/\s+/g, ' ').trim().slice(0, MAX_HEADING_CHARACTERS),
  }
}

/** The open headings below a heading: it ends those of its level and of deeper levels. */
export const openBelow = (open: readonly Heading[], heading: Heading): Heading[] =>
  [...open.filter(({ level }) => level < heading.level), heading].slice(-MAX_HEADINGS)
