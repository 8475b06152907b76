// Marks inside a line of Markdown → plain text. Every repetition is bounded: a line may be megabytes of half-open marks.

import { parseFragment } from 'parse5'
import { textWithin } from './html-tree.ts'

const CODE = /(`{1,8})(?!`)([^`]{1,2000}|[^]{1,2000}?[^`])\1(?!`)/g
const ESCAPE = /\\([!-/:-@[-`{-~])/g
/** Signs that stand for themselves are put aside to a place that no text uses. */
const ASIDE = 0xe000

const aside = (text: string): string =>
  text.replace(/[!-/:-@[-`{-~]/g, (sign) => String.fromCharCode(ASIDE + sign.charCodeAt(0)))
const back = (text: string): string =>
  text.replace(/[\ue021-\ue07e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - ASIDE))

const steps: readonly (readonly [RegExp, string])[] = [
  [/<!--[^]{0,2000}?-->/g, ''],
  [/<((?:https?|ftp|mailto):[^\s<>]{1,2000})>/gi, '$1'],
  [/<br\s{0,9}\/?>/gi, '\n'],
  [/<\/?[a-z][a-z0-9-]{0,40}(?:\s[^<>]{0,2000})?\/?>/gi, ''],
  [/!\[([^\][]{0,2000})\]\([^()]{0,2000}(?:\([^()]{0,500}\))?[^()]{0,2000}\)/g, '$1'],
  [/\[([^\][]{0,2000})\]\([^()]{0,2000}(?:\([^()]{0,500}\))?[^()]{0,2000}\)/g, '$1'],
  [/!?\[([^\][]{1,2000})\]\[[^\][]{0,500}\]/g, '$1'],
  [/(\*{1,3})(?=[^\s*])([^*]{0,2000}[^\s*])\1/g, '$2'],
  [/(\*{1,3})(?=[^\s*])([^*]{0,2000}[^\s*])\1/g, '$2'],
  [/(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])([^_]{0,2000}[^\s_])\1(?![\p{L}\p{N}_])/gu, '$2'],
  [/~~(?=[^\s~])([^~]{1,2000})~~/g, '$1'],
]

export function plainOf(line: string): string {
  if (!/[\\`*_[\]<&~]/.test(line)) return line.trim()
  let text = line.replace(CODE, (_, __, code: string) => aside(/^ .*\S.* $/s.test(code) ? code.slice(1, -1) : code))
  text = text.replace(ESCAPE, (_, sign: string) => aside(sign))
  for (const [mark, plain] of steps) text = text.replace(mark, plain)
  text = text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi, (entity) =>
    textWithin(parseFragment(entity)),
  )
  return back(text).trim()
}
