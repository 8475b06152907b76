// RTF as a row of tokens, and bytes of many code pages as text.

import iconv from 'iconv-lite'

export type Token =
  | { type: 'open' }
  | { type: 'close' }
  | { type: 'word'; word: string; number: number | null }
  /** Bytes of the code page of the font. */
  | { type: 'bytes'; bytes: string }

const TOKEN = /\{|\}|\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|[^{}\\\r\n]+|[\r\n]+|\\/y

/** `text` holds one byte in each character. */
export function* tokensOf(text: string): Generator<Token> {
  TOKEN.lastIndex = 0
  let at = 0
  while (at < text.length) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (!match) return
    const [whole, word, number, hex, sign] = match
    at = TOKEN.lastIndex
    if (whole === '{') yield { type: 'open' }
    else if (whole === '}') yield { type: 'close' }
    else if (word !== undefined) {
      const value = number === undefined ? null : Number(number)
      // Binary data follows, which may contain braces.
      if (word === 'bin') at += Math.max(0, value ?? 0)
      else yield { type: 'word', word, number: value }
    } else if (hex !== undefined) yield { type: 'bytes', bytes: String.fromCharCode(Number.parseInt(hex, 16)) }
    else if (sign !== undefined) yield { type: 'word', word: sign, number: null }
    else if (whole !== '\\' && !/^[\r\n]/.test(whole)) yield { type: 'bytes', bytes: whole }
  }
}

export const SIGNS: Record<string, string> = {
  tab: '\t',
  line: '\n',
  emdash: '\u2014',
  endash: '\u2013',
  lquote: '\u2018',
  rquote: '\u2019',
  ldblquote: '\u201c',
  rdblquote: '\u201d',
  bullet: '\u2022',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  zwj: '\u200d',
  zwnj: '\u200c',
  '~': '\u00a0',
  _: '\u2011',
  '{': '{',
  '}': '}',
  '\\': '\\',
  nestcell: '\t',
  nestrow: '\n',
}

// biome-ignore format: a table of codes
const CHARSETS: Record<number, number> = {
  77: 10_000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251,
  222: 874, 238: 1250, 254: 437,
}

export const codePageOf = (charset: number): number | null => CHARSETS[charset] ?? null

const NAMED_PAGES = new Map([
  [10_000, 'macroman'],
  [65_001, 'utf8'],
])

export function decodeBytes(bytes: string, code_page: number): string {
  if (/^\p{ASCII}*$/u.test(bytes)) return bytes
  const name = NAMED_PAGES.get(code_page) ?? `cp${code_page}`
  return iconv.decode(Buffer.from(bytes, 'latin1'), iconv.encodingExists(name) ? name : 'cp1252')
}
