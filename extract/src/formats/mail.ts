// An email of any format: sender, recipients, subject, body and attachments.

import type { Block } from '@octavo/contract'
import { RtfReader } from '../office/rtf-reader.ts'
import { type OpenFormat, Unreadable } from '../types.ts'
import { blocksOfHtml } from './html.ts'
import { flowOf, paginate } from './pages.ts'
import { blocksOfText } from './text.ts'

export interface Mail {
  from: string
  to: string
  cc: string
  date: string
  subject: string
  /** The body in up to three forms; the first that has content is read. */
  html: string
  rtf: string
  text: string
  attachments: MailAttachment[]
}

export interface MailAttachment {
  file_name: string
  /** Shown within the body, as pictures are. */
  is_inline: boolean
  /** null: an embedded object that is not a file. */
  bytes: Uint8Array | null
}

export function openMail(mail: Mail): OpenFormat {
  const head = headOf(mail)
  const body = bodyOf(mail)
  const blocks: Block[] = head === '' ? body : [{ type: 'paragraph', text: head }, ...body]
  const files = mail.attachments.filter(({ is_inline }) => !is_inline)
  return {
    title: mail.subject.trim() || null,
    warnings: [],
    ...flowOf(paginate(blocks)),
    attachments: files.map(({ file_name, bytes }) => ({ file_name, size_bytes: bytes?.length ?? null })),
    attachment: (index) => bytesOf(files[index]),
  }
}

function bodyOf({ html, rtf, text }: Mail): Block[] {
  if (html.trim() !== '') return blocksOfHtml(html).blocks
  if (text.trim() === '' && rtf.startsWith('{\\rtf')) {
    const reader = new RtfReader()
    reader.read(rtf)
    return reader.flow.pages().flatMap(({ blocks }) => blocks)
  }
  return blocksOfText(text.replace(/\r\n?/g, '\n')).blocks
}

function headOf({ from, to, cc, date, subject }: Mail): string {
  const lines: [string, string][] = [
    ['From', from],
    ['To', to],
    ['Cc', cc],
    ['Date', date],
    ['Subject', subject],
  ]
  return lines.flatMap(([name, value]) => (value.trim() === '' ? [] : [`${name}: ${value.trim()}`])).join('\n')
}

function bytesOf(attachment: MailAttachment | undefined): Uint8Array {
  if (!attachment?.bytes) throw new Unreadable('document_unreadable', 'The attachment is not a file.')
  return attachment.bytes
}
