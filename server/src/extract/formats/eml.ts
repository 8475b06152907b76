// An email: sender, recipients, subject and body. Attachments are listed, not read.

import type { Block } from '@octavo/contract'
import PostalMime, { type Address, type Email } from 'postal-mime'
import { type Format, Unreadable } from '../types.ts'
import { blocksOfHtml } from './html.ts'
import { flowOf, paginate } from './pages.ts'
import { blocksOfText } from './text.ts'

const MAX_NAMES = 20
const MAX_DEPTH = 50
const MAX_HEADER_BYTES = 1024 * 1024

export const eml: Format = {
  name: 'eml',
  media_types: ['message/rfc822'],
  async open(bytes) {
    const mail = await parseMail(bytes)
    const head = headOf(mail)
    const body = mail.html
      ? blocksOfHtml(mail.html).blocks
      : blocksOfText((mail.text ?? '').replace(/\r\n?/g, '\n')).blocks
    const blocks: Block[] = head === '' ? body : [{ type: 'paragraph', text: head }, ...body]
    return { title: mail.subject?.trim() || null, warnings: warningOf(mail), ...flowOf(paginate(blocks)) }
  },
}

async function parseMail(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, { maxNestingDepth: MAX_DEPTH, maxHeadersSize: MAX_HEADER_BYTES })
  } catch (error) {
    // The library has no codes for these two.
    const { message } = error as Error
    if (/nesting depth/i.test(message)) {
      const said = `The email nests messages or parts more than ${MAX_DEPTH} levels deep. Save the one that you need separately and upload it.`
      throw new Unreadable('document_too_large', said)
    }
    if (/header size/i.test(message))
      throw new Unreadable(
        'document_too_large',
        'The header of the email is larger than 1 MiB. Save the text of the email separately and upload it.',
      )
    throw error
  }
}

function headOf(mail: Email): string {
  const lines: [string, string][] = [
    ['From', mail.from ? nameOf(mail.from) : ''],
    ['To', (mail.to ?? []).map(nameOf).join(', ')],
    ['Cc', (mail.cc ?? []).map(nameOf).join(', ')],
    ['Date', mail.date ?? ''],
    ['Subject', mail.subject ?? ''],
  ]
  return lines.flatMap(([name, value]) => (value.trim() === '' ? [] : [`${name}: ${value.trim()}`])).join('\n')
}

function nameOf(address: Address): string {
  if (address.group) return `${address.name}: ${address.group.map(nameOf).join(', ')}`
  return address.name ? `${address.name} <${address.address}>` : (address.address ?? '')
}

function warningOf(mail: Email): string[] {
  // Pictures that the text shows are a part of it.
  const attachments = mail.attachments.filter(({ related }) => !related)
  if (attachments.length === 0) return []
  const names = attachments
    .slice(0, MAX_NAMES)
    .map(({ filename }) => (filename || 'an unnamed attachment').slice(0, 200))
  const more = attachments.length > MAX_NAMES ? ` and ${attachments.length - MAX_NAMES} more` : ''
  return [`Attachments were not read: ${names.join(', ')}${more}. Upload these files separately.`.slice(0, 2000)]
}
