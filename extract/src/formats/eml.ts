// Emails as they are sent (RFC 5322).

import { messageOf } from '@octavo/base/unknown.ts'
import PostalMime, { type Address, type Email } from 'postal-mime'
import { type Format, Unreadable } from '../types.ts'
import { type Mail, openMail } from './mail.ts'

const MAX_DEPTH = 50
const MAX_HEADER_BYTES = 1024 * 1024

export const eml: Format = {
  name: 'eml',
  media_types: ['message/rfc822'],
  open: async (bytes) => openMail(mailOf(await parseMail(bytes))),
}

const mailOf = (mail: Email): Mail => ({
  from: mail.from ? nameOf(mail.from) : '',
  to: (mail.to ?? []).map(nameOf).join(', '),
  cc: (mail.cc ?? []).map(nameOf).join(', '),
  date: mail.date ?? '',
  subject: mail.subject ?? '',
  html: mail.html ?? '',
  rtf: '',
  text: mail.text ?? '',
  // Pictures that the text shows are a part of it.
  attachments: mail.attachments.map(({ filename, related, content }) => ({
    file_name: filename ?? '',
    is_inline: related === true,
    bytes: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
  })),
})

async function parseMail(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, { maxNestingDepth: MAX_DEPTH, maxHeadersSize: MAX_HEADER_BYTES })
  } catch (error) {
    // The library has no codes for these two.
    const message = messageOf(error)
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

function nameOf(address: Address): string {
  if (address.group) return `${address.name}: ${address.group.map(nameOf).join(', ')}`
  return address.name ? `${address.name} <${address.address}>` : (address.address ?? '')
}
