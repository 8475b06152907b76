// Compound files, the container of old Office files, Outlook messages and encrypted Office files ([MS-CFB]).

import { Unreadable } from '../types.ts'

export const CFB_SIGNATURE = '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1'

const HEADER_BYTES = 512
const ENTRY_BYTES = 128
const MINI_SECTOR_BYTES = 64
const HEADER_FAT_SECTORS = 109
/** Greater sector numbers are marks, such as the end of a chain. */
const MAX_SECTOR = 0xfffffffa
const MAX_ENTRIES = 100_000
const NO_ENTRY = 0xffffffff
const [STORAGE, STREAM, ROOT] = [1, 2, 5]

/** A storage (folder). Names are compared without regard to case. */
export interface CompoundStorage {
  storages: ReadonlyMap<string, CompoundStorage>
  streams: ReadonlyMap<string, () => Buffer>
}

interface Entry {
  name: string
  type: number
  left: number
  right: number
  child: number
  start: number
  size: number
}

export function openCompound(bytes: Uint8Array): CompoundStorage {
  return new CompoundFile(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).root()
}

const damaged = () =>
  new Unreadable('document_unreadable', 'The file is damaged. Save it again and upload the new file.')

class CompoundFile {
  readonly #bytes: Buffer
  readonly #sector_bytes: number
  readonly #mini_cutoff: number
  readonly #fat: number[]
  readonly #entries: Entry[]
  #mini_fat: number[] | null = null
  #mini_stream: Buffer | null = null

  constructor(bytes: Buffer) {
    if (bytes.length < HEADER_BYTES) throw damaged()
    this.#bytes = bytes
    const shift = bytes.readUInt16LE(30)
    if (shift !== 9 && shift !== 12) throw damaged()
    this.#sector_bytes = 2 ** shift
    this.#mini_cutoff = bytes.readUInt32LE(56)
    this.#fat = this.#readFat()
    this.#entries = this.#readEntries()
  }

  root(): CompoundStorage {
    const root = this.#entries[0]
    if (root?.type !== ROOT) throw damaged()
    return this.#storageAt(root, new Set([0]))
  }

  #sector(number: number): Buffer {
    const start = (number + 1) * this.#sector_bytes
    if (start >= this.#bytes.length) throw damaged()
    return this.#bytes.subarray(start, start + this.#sector_bytes)
  }

  #readFat(): number[] {
    const numbers: number[] = []
    for (let i = 0; i < HEADER_FAT_SECTORS; i++) numbers.push(this.#bytes.readUInt32LE(76 + i * 4))
    let next = this.#bytes.readUInt32LE(68)
    const most = this.#bytes.length / this.#sector_bytes
    for (let count = 0; next < MAX_SECTOR; count++) {
      const sector = numbersIn(this.#sector(next))
      if (count > most) throw damaged()
      next = sector.pop() ?? MAX_SECTOR
      numbers.push(...sector)
    }
    return numbers.filter((number) => number < MAX_SECTOR).flatMap((number) => numbersIn(this.#sector(number)))
  }

  #chain(start: number, fat: readonly number[]): number[] {
    const chain: number[] = []
    for (let at = start; at < MAX_SECTOR; at = fat[at] ?? MAX_SECTOR) {
      if (chain.length > fat.length) throw damaged()
      chain.push(at)
    }
    return chain
  }

  #readChain(start: number): Buffer {
    return Buffer.concat(this.#chain(start, this.#fat).map((number) => this.#sector(number)))
  }

  #readEntries(): Entry[] {
    const directory = this.#readChain(this.#bytes.readUInt32LE(48))
    const count = Math.min(MAX_ENTRIES, Math.floor(directory.length / ENTRY_BYTES))
    return Array.from({ length: count }, (_, i) => {
      const entry = directory.subarray(i * ENTRY_BYTES, (i + 1) * ENTRY_BYTES)
      const name_bytes = Math.min(64, Math.max(2, entry.readUInt16LE(64)))
      return {
        name: entry.toString('utf16le', 0, name_bytes - 2),
        type: entry.readUInt8(66),
        left: entry.readUInt32LE(68),
        right: entry.readUInt32LE(72),
        child: entry.readUInt32LE(76),
        start: entry.readUInt32LE(116),
        size: entry.readUInt32LE(120),
      }
    })
  }

  #storageAt({ child }: Entry, seen: Set<number>): CompoundStorage {
    const storages = new Map<string, CompoundStorage>()
    const streams = new Map<string, () => Buffer>()
    const waiting = [child]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (at === NO_ENTRY) continue
      const entry = this.#entries[at]
      if (!entry || seen.has(at)) throw damaged()
      seen.add(at)
      waiting.push(entry.left, entry.right)
      const name = entry.name.toLowerCase()
      if (entry.type === STREAM) streams.set(name, () => this.#readStream(entry))
      else if (entry.type === STORAGE) storages.set(name, this.#storageAt(entry, seen))
    }
    return { storages, streams }
  }

  #readStream({ start, size }: Entry): Buffer {
    if (size >= this.#mini_cutoff) return this.#readChain(start).subarray(0, size)
    this.#mini_fat ??= numbersIn(this.#readChain(this.#bytes.readUInt32LE(60)))
    const whole = (this.#mini_stream ??= this.#readChain(this.#entries[0]?.start ?? MAX_SECTOR))
    const parts = this.#chain(start, this.#mini_fat).map((number) =>
      whole.subarray(number * MINI_SECTOR_BYTES, (number + 1) * MINI_SECTOR_BYTES),
    )
    return Buffer.concat(parts).subarray(0, size)
  }
}

function numbersIn(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => bytes.readUInt32LE(i * 4))
}
