// Headings by their words: numbers, dotted leaders, and headings that are as large as the text.

/** The dots between an entry of a table of contents and its page. */
const LEADERS = /(?:\s?[.·…]){4,}\s*[\divxlc]{0,5}$/i
/** Headings of papers that are as large as the text: "II. METHODS" and, in italics, "A. Materials". */
const ROMAN = /^[IVX]{1,5}\.\s+\p{Lu}[\p{Lu}\p{N}\s,:&/()–-]{3,}$/u
const LETTER = /^[A-Z]\.\s+\p{Lu}[^.;]+$/u

interface HeadingLine {
  text: string
  is_italic: boolean
}

/** An entry of a table of contents. */
export const isLeaderLine = (text: string): boolean => LEADERS.test(text)

export const isPaperHeading = ({ text, is_italic }: HeadingLine): boolean =>
  ROMAN.test(text) || (is_italic && LETTER.test(text))

/** Whether a line is no longer part of such a heading above it. */
export const endsPaperHeading = (above: HeadingLine, line: HeadingLine): boolean =>
  (ROMAN.test(above.text) && !/^[\p{Lu}\p{N}\s,:&/()–-]+$/u.test(line.text)) ||
  (above.is_italic && !line.is_italic && LETTER.test(above.text))

/** The heading level given by the number at the start, from the second level on. */
export function numberedLevel(text: string): number | null {
  if (ROMAN.test(text)) return 1
  if (LETTER.test(text)) return 2
  const parts = /^\d{1,2}((?:\.\d{1,2})+)\.?\s/.exec(text)?.[1]
  return parts === undefined ? null : Math.min(6, parts.split('.').length)
}
