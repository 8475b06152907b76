// A page in pieces that are quick to look at. Most pages are one piece.

export interface Slice<S> {
  source: S
  text: string
  /** Where it begins in the text of its page, in Unicode code points. */
  start: number
}

const MAX_UNITS = 30_000

/** Cut at the end of a line, else between words. */
export function slicesOf<S extends { text: string }>(source: S): Slice<S>[] {
  const { text } = source
  const slices: Slice<S>[] = []
  let start = 0
  for (let from = 0; from < text.length || from === 0; ) {
    const to = text.length - from <= MAX_UNITS ? text.length : cutOf(text, from)
    const own = text.slice(from, to)
    slices.push({ source, text: own, start })
    start += countPoints(own)
    from = to
    if (text.length === 0) break
  }
  return slices
}

function cutOf(text: string, from: number): number {
  const [half, end] = [from + MAX_UNITS / 2, from + MAX_UNITS]
  for (const mark of ['\n', ' ']) {
    const at = text.lastIndexOf(mark, end - 1)
    if (at >= half) return at + 1
  }
  // Never between the two halves of one character.
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end
}

function countPoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
