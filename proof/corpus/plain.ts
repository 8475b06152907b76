// Formats that are plain bytes: text in an encoding, separated values, mail.

import iconv from 'iconv-lite'
import { makeHtml } from './html.ts'
import { type CorpusModel, cellRows, type ModelTable, textOfModel } from './model.ts'

/** One paragraph a line, an empty line between them. */
export const makeText = (model: CorpusModel, encoding: string, addBOM = false): Uint8Array =>
  iconv.encode(textOfModel(model).replaceAll('\n', '\n\n'), encoding, { addBOM })

export function makeSeparated(table: ModelTable, separator: ',' | ';' | '\t', encoding = 'utf-8'): Uint8Array {
  const needsQuotes = (text: string): boolean => text.includes(separator) || /["\n]/.test(text)
  const quoted = (text: string): string => (needsQuotes(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const lines = cellRows(table).map((cells) => cells.map(({ text }) => quoted(text)).join(separator))
  return iconv.encode(`${lines.join('\r\n')}\r\n`, encoding)
}

const encodedWord = (text: string, charset: string): string =>
  `=?${charset}?B?${iconv.encode(text, charset).toString('base64')}?=`

const folded = (base64: string): string => base64.replace(/.{76}/g, '$&\r\n')

function quotedPrintable(bytes: Uint8Array): string {
  const lines: string[] = []
  let line = ''
  for (const byte of bytes) {
    if (byte === 10) {
      lines.push(line)
      line = ''
      continue
    }
    const is_plain = byte >= 32 && byte <= 126 && byte !== 61
    const sign = is_plain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
    if (line.length + sign.length > 75) {
      lines.push(`${line}=`)
      line = ''
    }
    line += sign
  }
  return [...lines, line].join('\r\n')
}

const part = (type: string, encoding: string, body: string): string =>
  `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n`

/** Subject and body hold the model; the subject is its title. */
export function makeMail(model: CorpusModel, charset: string, shape: 'plain' | 'html' | 'alternative'): Uint8Array {
  const [title] = model.pages[0] ?? []
  const subject = title && 'text' in title ? title.text : ''
  const text = iconv.encode(
    textOfModel({ ...model, pages: [model.pages.flat().slice(1)] }).replaceAll('\n', '\n\n'),
    charset,
  )
  const html = iconv.encode(makeHtml({ ...model, pages: [model.pages.flat().slice(1)] }, charset), charset)
  const plain_part = part(`text/plain; charset=${charset}`, 'quoted-printable', quotedPrintable(text))
  const html_part = part(`text/html; charset=${charset}`, 'base64', folded(html.toString('base64')))
  const both = `Content-Type: multipart/alternative; boundary="edge"\r\n\r\n--edge\r\n${plain_part}--edge\r\n${html_part}--edge--\r\n`
  const head = [
    'From: Ada Example <ada@example.com>',
    'To: readers@example.com',
    `Subject: ${encodedWord(subject, charset)}`,
    'Date: Mon, 2 Mar 2026 09:30:00 +0000',
    'Message-ID: <1@example.com>',
    'MIME-Version: 1.0',
  ]
  const body = { plain: plain_part, html: html_part, alternative: both }[shape]
  return Buffer.from(`${head.join('\r\n')}\r\n${body}`, 'latin1')
}
