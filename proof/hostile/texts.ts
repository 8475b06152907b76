// Texts that make parsers go round, and texts that are none.

import { type HostileFile, inGroup } from './file.ts'

const file = inGroup('texts')
const HEAD = 'From: a@example.com\r\nTo: b@example.com\r\nSubject: Deep\r\nMIME-Version: 1.0\r\n'

function nestedMultiparts(depth: number): Buffer {
  let text = HEAD
  for (let i = 0; i < depth; i++) text += `Content-Type: multipart/mixed; boundary="b${i}"\r\n\r\n--b${i}\r\n`
  text += 'Content-Type: text/plain\r\n\r\nPlain text\r\n'
  for (let i = depth - 1; i >= 0; i--) text += `--b${i}--\r\n`
  return Buffer.from(text)
}

const mails: HostileFile[] = [
  file('eml_10000_multiparts', { expected: 'either', make: () => nestedMultiparts(10_000) }),
  file('eml_deep_messages', {
    expected: 'either',
    make: () =>
      Buffer.from(
        `${`${HEAD}Content-Type: message/rfc822\r\n\r\n`.repeat(2_000)}${HEAD}Content-Type: text/plain\r\n\r\nPlain text\r\n`,
      ),
  }),
  file('eml_long_headers', {
    expected: 'either',
    make: () => {
      const folded = `X-Long: ${'=?utf-8?q?=41?= \r\n '.repeat(100_000)}x\r\n`
      return Buffer.from(`${HEAD}${folded}To: ${'"a" <a@example.com>, ('.repeat(50_000)}\r\n\r\nPlain text\r\n`)
    },
  }),
]

const tables: HostileFile[] = [
  file('csv_one_line', { expected: 'either', make: () => Buffer.alloc(10_000_000, 'word,') }),
  file('csv_open_quotes', { expected: 'either', make: () => Buffer.from(`a,b\n${'"a""b",\n"'.repeat(200_000)}`) }),
  file('csv_wide_rows', {
    expected: 'either',
    make: () => Buffer.from(`${'a,'.repeat(100_000)}\n${'1\n'.repeat(20_000)}`),
  }),
]

const marks: HostileFile[] = [
  file('md_deep_quotes', {
    expected: 'either',
    make: () => Buffer.from(`${'>'.repeat(50_000)} Deep\n${'- '.repeat(50_000)}Deep\n`),
  }),
  file('md_open_brackets', {
    expected: 'either',
    make: () =>
      Buffer.from(
        `${'['.repeat(100_000)}\n\n${'*a **a '.repeat(50_000)}\n\n${'![a]('.repeat(50_000)}\n\n${'`'.repeat(50_000)}a\n\n|${' |'.repeat(50_000)}\n`,
      ),
  }),
  file('html_open_comments', {
    expected: 'either',
    make: () =>
      Buffer.from(
        `<!doctype html><p>Plain text</p>${'<!-- <!'.repeat(50_000)}${'<a href="'.repeat(50_000)}${'&amp'.repeat(50_000)}`,
      ),
  }),
  file('rtf_deep_groups', {
    expected: 'either',
    make: () => Buffer.from(`{\\rtf1 ${'{'.repeat(100_000)}Deep${'}'.repeat(100_000)}}`),
  }),
  file('rtf_bin', {
    expected: 'either',
    make: () =>
      Buffer.from('{\\rtf1 Plain text {\\pict\\bin2147483647 x}{\\object\\objdata 4d5a}\\bin-1 \\u99999999999?}'),
  }),
]

const writings: HostileFile[] = [
  file('txt_turned_and_stacked', {
    expected: 'either',
    make: () =>
      Buffer.from(
        `\u202eesrever\u202c ${'\u202e'.repeat(20_000)} ${`a${'\u0301'.repeat(2_000)}`.repeat(20)} ${'\u200b'.repeat(20_000)}\u0000`,
      ),
  }),
  file('txt_half_surrogates', {
    expected: 'either',
    make: () =>
      Buffer.from([
        0xff,
        0xfe,
        ...Array.from({ length: 20_000 }, (_, i) => (i % 2 === 0 ? 0x00 : 0xd8)),
        0x41,
        0x00,
        0x41,
      ]),
  }),
  file('txt_no_break', { expected: 'either', make: () => Buffer.alloc(900_000, 'ab') }),
]

export const texts: readonly HostileFile[] = [...mails, ...tables, ...marks, ...writings]
