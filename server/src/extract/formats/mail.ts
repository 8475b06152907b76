// An email of any format: sender, recipients, subject and body. Attachments are listed.

import type { Block } from '@octavo/contract'
import { RtfReader } from '../office/rtf-reader.ts'
import type { OpenFormat } from '../types.ts'
import { blocksOfHtml } from './html.ts'
import { flowOf, paginate } from './pages.ts'
import { blocksOfText } from './text.ts'

const MAX_NAMES = 20

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
}

export function openMail(mail: Mail): OpenFormat {
  const head = headOf(mail)
  const body = bodyOf(mail)
  const blocks: Block[] = head === '' ? body : [{ type: 'paragraph', text: head }, ...body]
  return { title: mail.subject.trim() || null, warnings: warningsOf(mail), ...flowOf(paginate(blocks)) }
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

function warningsOf(mail: Mail): string[] {
  const attachments = mail.attachments.filter(({ is_inline }) => !is_inline)
  if (attachments.length === 0) return []
  const names = attachments
    .slice(0, MAX_NAMES)
    .map(({ file_name }) => (file_name || 'an unnamed attachment').slice(0, 200))
  const more = attachments.length > MAX_NAMES ? ` and ${attachments.length - MAX_NAMES} more` : ''
  return [`Attachments were not read: ${names.join(', ')}${more}. Upload these files separately.`.slice(0, 2000)]
}
