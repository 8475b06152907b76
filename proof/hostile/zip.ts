// Archives, also such as no honest program would write.

import { constants, crc32, deflateRawSync } from 'node:zlib'

export interface HostilePackedData {
  /** As it lies in the archive. */
  bytes: Uint8Array
  size: number
  crc: number
  method: 0 | 8
}

export interface HostileEntry {
  name: string
  data: string | Uint8Array | HostilePackedData
  /** General purpose bits beside the one for UTF-8 names. */
  flags?: number
  /** Unix mode in the directory. */
  mode?: number
  /** False values in the directory. */
  forged?: { size?: number; packed_size?: number; offset?: number; name?: string; method?: number }
}

const isPacked = (data: HostileEntry['data']): data is HostilePackedData =>
  typeof data === 'object' && 'bytes' in data && 'crc' in data

export function pack(data: HostileEntry['data'], method: 0 | 8 = 8): HostilePackedData {
  if (isPacked(data)) return data
  const bytes = Buffer.from(data as Uint8Array)
  return { bytes: method === 8 ? deflateRawSync(bytes) : bytes, size: bytes.length, crc: crc32(bytes), method }
}

const flushed = (bytes: Uint8Array): Buffer => deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_FULL_FLUSH })

/** `head`, `times` × `chunk`, `tail`: packed in no time, since each block stands for itself. */
export function packRepeated(chunk: Uint8Array, times: number, { head = '', tail = '' } = {}): HostilePackedData {
  const block = flushed(chunk)
  const start = Buffer.from(head)
  const end = Buffer.from(tail)
  let crc = crc32(start)
  for (let i = 0; i < times; i++) crc = crc32(chunk, crc)
  return {
    bytes: Buffer.concat([flushed(start), ...Array.from({ length: times }, () => block), deflateRawSync(end)]),
    size: start.length + chunk.length * times + end.length,
    crc: crc32(end, crc),
    method: 8,
  }
}

const UTF8_NAMES = 0x800

export function localHeader(name: string, { bytes, size, crc, method }: HostilePackedData, flags = 0): Buffer {
  const path = Buffer.from(name)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(flags | UTF8_NAMES, 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt32LE(0x5a21, 12)
  header.writeUInt32LE(crc, 14)
  header.writeUInt32LE(bytes.length, 18)
  header.writeUInt32LE(size, 22)
  header.writeUInt16LE(path.length, 26)
  return Buffer.concat([header, path])
}

export function directoryEntry(entry: HostileEntry, packed: HostilePackedData, offset: number): Buffer {
  const { forged = {}, flags = 0, mode } = entry
  const path = Buffer.from(forged.name ?? entry.name)
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(mode === undefined ? 20 : 0x031e, 4)
  header.writeUInt16LE(20, 6)
  header.writeUInt16LE(flags | UTF8_NAMES, 8)
  header.writeUInt16LE(forged.method ?? packed.method, 10)
  header.writeUInt32LE(0x5a21, 14)
  header.writeUInt32LE(packed.crc, 16)
  header.writeUInt32LE(forged.packed_size ?? packed.bytes.length, 20)
  header.writeUInt32LE(forged.size ?? packed.size, 24)
  header.writeUInt16LE(path.length, 28)
  if (mode !== undefined) header.writeUInt32LE((mode << 16) >>> 0, 38)
  header.writeUInt32LE(forged.offset ?? offset, 42)
  return Buffer.concat([header, path])
}

/** `count` may lie, and wraps round beyond 65,535 as it does in archives that know no better. */
export function endOfDirectory(directory: Uint8Array, offset: number, count: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count & 0xffff, 8)
  end.writeUInt16LE(count & 0xffff, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return end
}

export function zip(entries: readonly HostileEntry[]): Buffer {
  const parts: Uint8Array[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    // The first one of EPUB and OpenDocument must not be packed.
    const packed = pack(entry.data, entry.name === 'mimetype' ? 0 : 8)
    const header = localHeader(entry.name, packed, entry.flags)
    directory.push(directoryEntry(entry, packed, offset))
    parts.push(header, packed.bytes)
    offset += header.length + packed.bytes.length
  }
  const listing = Buffer.concat(directory)
  return Buffer.concat([...parts, listing, endOfDirectory(listing, offset, entries.length)])
}

/**
 * All entries overlap: each begins with a stored block that quotes the header of the next one, and all end in the same
 * packed bytes (David Fifield, "A better zip bomb").
 */
export function zipOverlapping(
  entries: readonly HostileEntry[],
  names: readonly string[],
  kernel: HostilePackedData,
): Buffer {
  const before = zipParts(entries)
  let tail = Buffer.from(kernel.bytes)
  let size = kernel.size
  const quoted: { name: string; back: number; packed: HostilePackedData }[] = []
  for (const name of names.toReversed()) {
    const packed = { bytes: tail, size, crc: 0, method: 8 as const }
    const header = localHeader(name, packed)
    quoted.push({ name, back: tail.length + header.length, packed })
    const stored = Buffer.alloc(5)
    stored.writeUInt16LE(header.length, 1)
    stored.writeUInt16LE(0xffff - header.length, 3)
    size += header.length
    tail = Buffer.concat([stored, header, tail])
  }
  // No entry precedes the first header, so its stored block is dropped.
  const body = tail.subarray(5)
  const directory = Buffer.concat([
    ...before.directory,
    ...quoted
      .reverse()
      .map(({ name, back, packed }) =>
        directoryEntry({ name, data: packed }, packed, before.length + body.length - back),
      ),
  ])
  const count = entries.length + names.length
  return Buffer.concat([
    ...before.parts,
    body,
    directory,
    endOfDirectory(directory, before.length + body.length, count),
  ])
}

function zipParts(entries: readonly HostileEntry[]): { parts: Uint8Array[]; directory: Buffer[]; length: number } {
  const parts: Uint8Array[] = []
  const directory: Buffer[] = []
  let length = 0
  for (const entry of entries) {
    const packed = pack(entry.data)
    const header = localHeader(entry.name, packed)
    directory.push(directoryEntry(entry, packed, length))
    parts.push(header, packed.bytes)
    length += header.length + packed.bytes.length
  }
  return { parts, directory, length }
}
