// Parses Markdown for the checks and the site: fenced blocks, links, headings.

export interface Fence {
  /** The word after the backticks. */
  language: string
  body: string
  /** Line of the opening fence, starting at 1. */
  line: number
}

export interface Link {
  target: string
  line: number
}

const FENCE = /^( {0,3})(`{3,})([^`\n]*)\n([^]*?)^ {0,3}\2`*[ \t]*$/gm
/** `[words](target)`; the words may hold code and a picture. */
const LINK = /(\]\()([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)((?:\s+"[^"]*")?\))/g

const lineNumber = (text: string, index: number): number => text.slice(0, index).split('\n').length
const blank = (part: string): string => part.replace(/[^\n]/g, ' ')

export const fencesOf = (text: string): Fence[] =>
  [...text.matchAll(FENCE)].map(({ index, 3: info = '', 4: body = '' }) => ({
    language: info.trim(),
    body,
    line: lineNumber(text, index),
  }))

/** As long as `text`, with spaces where code and comments are: what looks like a link there is none. */
const withoutCode = (text: string): string =>
  text
    .replace(FENCE, blank)
    .replace(/<!--[^]*?-->/g, blank)
    .replace(/(`+)(?!`)[^`\n]+?\1(?!`)/g, blank)

export const linksOf = (text: string): Link[] =>
  [...withoutCode(text).matchAll(LINK)].map(({ index, 2: target = '' }) => ({ target, line: lineNumber(text, index) }))

/** `text` with other targets of its links. */
export function replaceLinks(text: string, replace: (target: string) => string): string {
  let done = 0
  let written = ''
  for (const { index, 1: before = '', 2: target = '' } of withoutCode(text).matchAll(LINK)) {
    const start = index + before.length
    written += text.slice(done, start) + replace(target)
    done = start + target.length
  }
  return written + text.slice(done)
}

const plain = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .trim()

const headingsOf = (text: string): string[] =>
  [...text.replace(FENCE, blank).matchAll(/^#{1,6} +(.*)$/gm)].map(([, words = '']) => plain(words))

/** The anchors that GitHub gives the headings, which are also those of the site. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const heading of headingsOf(text)) {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-')
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

/** The first heading, and the page without it. */
export function splitTitle(text: string): { title: string; body: string } {
  const found = /^# +(.*)\n/m.exec(text)
  if (!found) throw new Error(`A page has no heading: ${text.slice(0, 80)}`)
  return { title: plain(found[1]!), body: text.slice(0, found.index) + text.slice(found.index + found[0].length) }
}
