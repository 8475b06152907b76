// Which kind of text a text is. No kind has a signature, so there are sure signs, and guesses where nothing was claimed.

import { decodeText, findWideEncoding } from './decode.ts'
import { guessDelimiter, parseRows } from './formats/csv.ts'
import type { KindName } from './kinds.ts'

const SAMPLE_BYTES = 64 * 1024

/** Text has no control characters but white space, form feeds and escapes. */
export function isText(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const [a, b, c, d] = sample
  const is_marked =
    (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || (a === 0 && b === 0 && c === 0xfe && d === 0xff)
  if (is_marked || findWideEncoding(sample)) return !hasControls(sampleOf(sample))
  let odd = 0
  for (const byte of sample) {
    if (byte < 7 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32) || byte === 127) odd++
  }
  return odd <= sample.length / 200
}

function hasControls(text: string): boolean {
  let odd = 0
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0
    if (code === 0xfffd || code < 7 || (code > 13 && code < 27)) odd++
  }
  return odd > text.length / 50
}

const sampleOf = (bytes: Uint8Array): string => decodeText(bytes.subarray(0, SAMPLE_BYTES)).replace(/^\ufeff/, '')

/** Signs that hold against any claim. */
export function findStrongText(bytes: Uint8Array): KindName | null {
  const start = sampleOf(bytes).trimStart().slice(0, 4096)
  if (/^(<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*(<!doctype\s+html|<html[\s>])/i.test(start)) return 'html'
  return isMail(start) ? 'eml' : null
}

function isMail(start: string): boolean {
  const head = start.split(/\n\s*\n/, 1)[0] ?? ''
  const lines = head.split('\n').filter((line) => !/^[ \t]/.test(line))
  const names = lines.map((line) => /^([!-9;-~]+):/.exec(line)?.[1]?.toLowerCase())
  const known = new Set(names.filter((name) => name !== undefined && MAIL_NAMES.has(name)))
  return names.every((name) => name !== undefined) && known.size >= 3 && (known.has('from') || known.has('received'))
}

const MAIL_NAMES = new Set(
  'from to cc subject date received return-path delivered-to message-id mime-version content-type content-transfer-encoding'.split(
    ' ',
  ),
)

/** The most probable kind of a text without a believable claim. */
export function findWeakText(bytes: Uint8Array): KindName {
  const text = sampleOf(bytes)
  if (/^\s*<(head|body|div|p|table|h[1-6]|ul|article|section)[\s>]/i.test(text) && /<\/\w+>/.test(text)) return 'html'
  if (isTable(text)) return guessDelimiter(text) === '\t' ? 'tsv' : 'csv'
  const signs = [
    /^#{1,6} \S/m,
    /^(```|~~~)/m,
    /\[[^\]\n]+\]\([^)\n]+\)/,
    /^\|.*\|\n\|[ :|-]+\|$/m,
    /\*\*[^*\n]+\*\*/,
    /^[-*] \S/m,
  ]
  return signs.filter((sign) => sign.test(text)).length >= 2 ? 'markdown' : 'text'
}

/** Prose has commas too, but hardly the same number of them in each line. */
function isTable(text: string): boolean {
  const delimiter = guessDelimiter(text)
  const { rows } = parseRows(text, 0, delimiter, 20)
  const widths = new Set(rows.map((row) => row.length))
  const cells = rows.flat()
  return (
    rows.length >= 3 && widths.size === 1 && (rows[0]?.length ?? 0) >= 2 && cells.every((cell) => cell.length <= 200)
  )
}
