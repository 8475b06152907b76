// Stored bytes as an answer: never as something that a browser would run, and one range of them where it is asked for.

import { Readable } from 'node:stream'
import { firstOf } from '@octavo/base/required.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../lib/failure.ts'
import { matchesTag } from '../../lib/precondition.ts'

export interface StoredBytes {
  id: string
  file_name: string
  media_type: string
  size_bytes: number
  /** Never read before their caller is known to want them. */
  open(range?: { first: number; last: number }): Promise<Readable>
}

/** Only who asks for nothing but JSON gets a link: everybody else wants the bytes. */
export function wantsLink(request: FastifyRequest): boolean {
  const types = (request.headers.accept ?? '')
    .split(',')
    .map((range) => firstOf(range.split(';', 1)).trim().toLowerCase())
  return types.length > 0 && types.every((type) => type === 'application/json')
}

export async function replyWithBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredBytes,
): Promise<FastifyReply> {
  // Bytes never change under their id.
  const tag = `"${file.id}"`
  reply.headers({
    'content-type': file.media_type,
    'content-disposition': dispositionOf(file.file_name),
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-site',
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag: tag,
  })
  const { 'if-none-match': known, 'if-range': ifRange, range: wanted } = request.headers
  if (known !== undefined && matchesTag(known, tag)) return reply.code(304).send()
  // Ranges are of GET alone (RFC 9110, 14.2).
  const mayRange = request.method === 'GET' && (ifRange === undefined || ifRange === tag)
  const range = mayRange ? rangeOf(wanted, file.size_bytes) : null
  if (range === 'none') {
    throw new Failure(
      'range_not_satisfiable',
      `The file has ${file.size_bytes} bytes; the range is outside the file. Request a range within it.`,
      {
        headers: { 'content-range': `bytes */${file.size_bytes}` },
      },
    )
  }
  if (range) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${file.size_bytes}`)
  reply.header('content-length', String(range ? range.last - range.first + 1 : file.size_bytes))
  // With nothing at all Fastify would say that there are 0 bytes.
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  const bytes = await file.open(range ?? undefined)
  // A file that is left open would end the process when its memory is reclaimed.
  if (reply.raw.destroyed) bytes.destroy()
  reply.raw.once('close', () => bytes.destroy())
  return reply.send(bytes)
}

/** null: all of it, as for several ranges or what is no range of bytes. */
export function rangeOf(header: string | undefined, size: number): { first: number; last: number } | 'none' | null {
  const match = /^bytes=(\d{0,40})-(\d{0,40})$/.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return null
  if (match[1] === '') {
    const count = Math.min(Number(match[2]), size)
    return count === 0 ? 'none' : { first: size - count, last: size - 1 }
  }
  const first = Number(match[1])
  const last = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  if (match[2] !== '' && Number(match[2]) < first) return null
  return first >= size ? 'none' : { first, last }
}

/** RFC 6266: a name that old readers understand, and the whole name. */
function dispositionOf(file_name: string): string {
  const plain = file_name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(file_name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}
