// Zip files: the directory is checked before anything is inflated, and nothing inflates to more than the directory declares.

import { crc32, inflateRawSync } from 'node:zlib'
import { type Bounds, Unreadable } from './types.ts'

export const MAX_ENTRIES = 10_000
const MAX_RATIO = 100
/** Below this a high ratio does no harm, and small repetitive parts of honest files have one. */
const RATIO_COUNTS_FROM = 1024 * 1024
const MAX_DEPTH = 2

interface ArchiveEntry {
  name: string
  /** 0 is stored, 8 is deflated. */
  method: number
  packed_bytes: number
  inflated_bytes: number
  crc: number
  offset: number
}

/** An archive whose directory was checked. */
export interface Archive {
  readonly bytes: Buffer
  /** By name, as written in the file: never a path to write to. */
  readonly entries: ReadonlyMap<string, ArchiveEntry>
  /** 1, or one more than that of the archive that it was found in. */
  readonly depth: number
  /** How much may still be inflated by archives inside this one. */
  readonly left_bytes: number
}

const damaged = () =>
  new Unreadable(
    'document_unreadable',
    'The file is damaged or incomplete. Open it in the program that created it, save it again and upload the new file.',
  )
const tooLarge = (why: string) =>
  new Unreadable('document_too_large', `${why} Save it again with fewer or smaller parts, or split it.`)

/** Throws `Unreadable` unless the directory keeps the bounds. `within` is the archive that the bytes were found in. */
export function checkArchive(bytes: Uint8Array, bounds: Pick<Bounds, 'max_inflated_bytes'>, within?: Archive): Archive {
  const depth = (within?.depth ?? 0) + 1
  if (depth > MAX_DEPTH) throw tooLarge(`The file contains archives inside archives, more than ${MAX_DEPTH} deep.`)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const directory = findDirectory(buffer)
  if (!directory) throw damaged()
  if (directory.count > MAX_ENTRIES) throw tooLarge(`The file has more than ${MAX_ENTRIES} parts.`)
  const list = readDirectory(buffer, directory)
  checkOverlaps(buffer, list, directory.offset)
  const most = within?.left_bytes ?? bounds.max_inflated_bytes
  let total = 0
  for (const { inflated_bytes, packed_bytes } of list) {
    total += inflated_bytes
    if (total > most)
      throw tooLarge(
        `Unpacked, the file would be larger than ${Math.floor(bounds.max_inflated_bytes / 1024 / 1024)} MiB.`,
      )
    if (inflated_bytes > RATIO_COUNTS_FROM && inflated_bytes > packed_bytes * MAX_RATIO)
      throw tooLarge(`A part of the file unpacks to more than ${MAX_RATIO} times its size.`)
  }
  return { bytes: buffer, entries: new Map(list.map((entry) => [entry.name, entry])), depth, left_bytes: most - total }
}

/** The bytes of a part, or null where there is none of that name. */
export function findEntry(archive: Archive, name: string): Buffer | null {
  const entry = archive.entries.get(name)
  if (!entry) return null
  const { start, end } = placeOf(archive.bytes, entry)
  const packed = archive.bytes.subarray(start, end)
  const inflated = entry.method === 0 ? packed : inflate(packed, entry)
  if (inflated.length !== entry.inflated_bytes || crc32(inflated) !== entry.crc) throw damaged()
  return inflated
}

/** As `findEntry`, for a part without which the file cannot be read. */
export function readEntry(archive: Archive, name: string): Buffer {
  const found = findEntry(archive, name)
  if (!found) throw damaged()
  return found
}

function inflate(packed: Buffer, { method, inflated_bytes }: ArchiveEntry): Buffer {
  if (method !== 8)
    throw new Unreadable(
      'document_unreadable',
      'The file is packed in an unusual way. Save it again with the usual settings and upload that.',
    )
  try {
    // The directory was checked by what it declares, so more than that must never come out.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, inflated_bytes) })
  } catch {
    throw damaged()
  }
}

interface Directory {
  offset: number
  size: number
  count: number
}

function findDirectory(buffer: Buffer): Directory | null {
  const last = buffer.length - 22
  for (let at = last; at >= Math.max(0, last - 0xffff); at--) {
    if (buffer.readUInt32LE(at) !== 0x06054b50) continue
    const directory = {
      offset: buffer.readUInt32LE(at + 16),
      size: buffer.readUInt32LE(at + 12),
      count: buffer.readUInt16LE(at + 10),
    }
    const is_large = directory.offset === 0xffffffff || directory.size === 0xffffffff || directory.count === 0xffff
    const found = is_large ? findLargeDirectory(buffer, at) : directory
    if (found && found.offset + found.size <= at) return found
  }
  return null
}

function findLargeDirectory(buffer: Buffer, end: number): Directory | null {
  if (end < 20 || buffer.readUInt32LE(end - 20) !== 0x07064b50) return null
  const at = Number(buffer.readBigUInt64LE(end - 12))
  if (at + 56 > end || buffer.readUInt32LE(at) !== 0x06064b50) return null
  const read = (place: number): number => Number(buffer.readBigUInt64LE(place))
  return { offset: read(at + 48), size: read(at + 40), count: read(at + 32) }
}

function readDirectory(buffer: Buffer, { offset, size, count }: Directory): ArchiveEntry[] {
  const entries: ArchiveEntry[] = []
  const end = offset + size
  let at = offset
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || buffer.readUInt32LE(at) !== 0x02014b50) throw damaged()
    const name_end = at + 46 + buffer.readUInt16LE(at + 28)
    const extra_end = name_end + buffer.readUInt16LE(at + 30)
    const next = extra_end + buffer.readUInt16LE(at + 32)
    if (next > end) throw damaged()
    if (buffer.readUInt16LE(at + 8) & 1)
      throw new Unreadable(
        'document_unreadable',
        'The file is protected by a password. Remove the protection and upload it again.',
      )
    const entry = {
      name: buffer.toString('utf8', at + 46, name_end),
      method: buffer.readUInt16LE(at + 10),
      crc: buffer.readUInt32LE(at + 16),
      packed_bytes: buffer.readUInt32LE(at + 20),
      inflated_bytes: buffer.readUInt32LE(at + 24),
      offset: buffer.readUInt32LE(at + 42),
    }
    readLargeSizes(buffer.subarray(name_end, extra_end), entry)
    entries.push(entry)
    at = next
  }
  return entries
}

/** Sizes over 4 GiB are stored in an extra field; some programs write it for small files too. */
function readLargeSizes(extra: Buffer, entry: ArchiveEntry): void {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let place = at + 4
    for (const key of ['inflated_bytes', 'packed_bytes', 'offset'] as const) {
      if (entry[key] !== 0xffffffff) continue
      if (place + 8 > extra.length) throw damaged()
      entry[key] = Number(extra.readBigUInt64LE(place))
      place += 8
    }
  }
}

function placeOf(buffer: Buffer, { offset, packed_bytes }: ArchiveEntry): { start: number; end: number } {
  if (offset + 30 > buffer.length || buffer.readUInt32LE(offset) !== 0x04034b50) throw damaged()
  const start = offset + 30 + buffer.readUInt16LE(offset + 26) + buffer.readUInt16LE(offset + 28)
  return { start, end: start + packed_bytes }
}

/** Parts that share their bytes make a small file large without a high ratio of any one of them. */
function checkOverlaps(buffer: Buffer, entries: readonly ArchiveEntry[], directory_offset: number): void {
  let free_from = 0
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (entry.offset < free_from) throw damaged()
    free_from = placeOf(buffer, entry).end
    if (free_from > directory_offset) throw damaged()
  }
}
