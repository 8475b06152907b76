// Outlook messages: a compound file with a stream for each property ([MS-OXMSG]).

import { decodeText } from '../decode.ts'
import { type CompoundStorage, openCompound } from '../office/cfb.ts'
import { decompressRtf } from '../office/compressed-rtf.ts'
import { type Format, Unreadable } from '../types.ts'
import { type Mail, type MailAttachment, openMail } from './mail.ts'

const MAX_ATTACHMENTS = 1_000
const [UNICODE, STRING, BINARY, OBJECT] = ['001f', '001e', '0102', '000d']
const PROPERTIES = '__properties_version1.0'
const [ATTACHMENT, RECIPIENT] = ['__attach_version1.0_', '__recip_version1.0_']
/** The header of the property stream of a message, and of a message inside another. */
const [TOP_HEADER_BYTES, INNER_HEADER_BYTES] = [32, 24]
const FILETIME_EPOCH_MS = 11_644_473_600_000

export const msg: Format = {
  name: 'msg',
  media_types: ['application/vnd.ms-outlook'],
  open: (bytes) => openMail(mailOf(openCompound(bytes), TOP_HEADER_BYTES)),
}

function mailOf(storage: CompoundStorage, header_bytes: number): Mail {
  if (!storage.streams.has(PROPERTIES))
    throw new Unreadable('document_unreadable', 'The Outlook message is damaged. Save it again and upload it.')
  const message = new Properties(storage, header_bytes)
  const rtf = message.binary('1009')
  const html = message.binary('1013')
  return {
    from: nameOf(message.text('0c1a'), message.text('5d01') || message.text('0c1f')),
    to: recipientsOf(storage, 1) || message.text('0e04'),
    cc: recipientsOf(storage, 2) || message.text('0e03'),
    date: message.time('0039') ?? message.time('0e06') ?? '',
    subject: message.text('0037'),
    html: html ? decodeText(html, message.codePage('3fde')) : message.text('1013'),
    rtf: rtf ? decompressRtf(rtf) : '',
    text: message.text('1000'),
    attachments: attachmentsOf(storage),
  }
}

/** Exchange addresses are paths in a directory, which mean nothing to a reader. */
function nameOf(name: string, address: string): string {
  if (!address.includes('@')) return name
  return name === '' || name === address ? address : `${name} <${address}>`
}

const storagesNamed = ({ storages }: CompoundStorage, prefix: string): CompoundStorage[] =>
  [...storages]
    .filter(([name]) => name.startsWith(prefix))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, storage]) => storage)

/** `type`: 1 for To, 2 for Cc. */
function recipientsOf(storage: CompoundStorage, type: number): string {
  return storagesNamed(storage, RECIPIENT)
    .map((recipient) => new Properties(recipient, 8))
    .filter((recipient) => recipient.number('0c15') === type)
    .map((recipient) => nameOf(recipient.text('3001'), recipient.text('39fe') || recipient.text('3003')))
    .filter((name) => name !== '')
    .join(', ')
}

function attachmentsOf(storage: CompoundStorage): MailAttachment[] {
  return storagesNamed(storage, ATTACHMENT)
    .slice(0, MAX_ATTACHMENTS)
    .map((attachment) => {
      const own = new Properties(attachment, 8)
      const inner = attachment.storages.get(`__substg1.0_3701${OBJECT}`)
      const is_message = inner?.streams.has(PROPERTIES) === true
      const named = own.text('3707') || own.text('3704') || own.text('3001')
      const subject = is_message && inner ? new Properties(inner, INNER_HEADER_BYTES).text('0037') : ''
      return {
        file_name: is_message ? subject || named : named,
        is_inline: own.text('3712') !== '' && own.isHidden(),
        bytes: own.binary('3701') ?? null,
      }
    })
}

/** The properties of a message, a recipient or an attachment. Ids are in hexadecimal, as in the names of streams. */
class Properties {
  readonly #storage: CompoundStorage
  readonly #fixed: Buffer

  constructor(storage: CompoundStorage, header_bytes: number) {
    this.#storage = storage
    this.#fixed = storage.streams.get(PROPERTIES)?.().subarray(header_bytes) ?? Buffer.alloc(0)
  }

  text(id: string): string {
    const wide = this.#storage.streams.get(`__substg1.0_${id}${UNICODE}`)
    if (wide) return wide().toString('utf16le').replace(/\0+$/, '')
    const narrow = this.#storage.streams.get(`__substg1.0_${id}${STRING}`)
    return narrow ? decodeText(narrow(), this.codePage('3ffd')).replace(/\0+$/, '') : ''
  }

  binary(id: string): Buffer | null {
    return this.#storage.streams.get(`__substg1.0_${id}${BINARY}`)?.() ?? null
  }

  number(id: string): number | null {
    return this.#findFixed(id, 0x0003)?.readUInt32LE(8) ?? null
  }

  isHidden(): boolean {
    return (this.#findFixed('7ffe', 0x000b)?.readUInt8(8) ?? 0) !== 0 || ((this.number('3714') ?? 0) & 4) !== 0
  }

  time(id: string): string | null {
    const ticks = this.#findFixed(id, 0x0040)?.readBigUInt64LE(8)
    if (ticks === undefined || ticks === 0n) return null
    const time = new Date(Number(ticks / 10_000n) - FILETIME_EPOCH_MS)
    return Number.isNaN(time.getTime()) ? null : time.toISOString()
  }

  /** As `TextDecoder` names it; undefined: unknown. */
  codePage(id: string): string | undefined {
    const page = this.number(id)
    if (page === 65001) return 'utf-8'
    if (page === null || page < 1250 || page > 1258) return codePages[page ?? 0]
    return `windows-${page}`
  }

  /** An entry has a type, an id, flags and eight bytes of the value. */
  #findFixed(id: string, type: number): Buffer | null {
    const wanted = Number.parseInt(id, 16)
    for (let at = 0; at + 16 <= this.#fixed.length; at += 16)
      if (this.#fixed.readUInt16LE(at) === type && this.#fixed.readUInt16LE(at + 2) === wanted)
        return this.#fixed.subarray(at, at + 16)
    return null
  }
}

const codePages: Record<number, string> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  20866: 'koi8-r',
  28591: 'iso-8859-1',
  28592: 'iso-8859-2',
  50220: 'iso-2022-jp',
  51932: 'euc-jp',
  54936: 'gb18030',
}
