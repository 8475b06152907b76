// How host and child speak: frames of a JSON header and bytes, each with its length before it.

import type { Bounds, Claims, OpenedFile, PageImage, ParsedPage, Verdict } from './types.ts'

/** A request of the host. `bytes` carries a part of the file and is not answered; all others are, in order. */
export type Ask =
  | { do: 'begin'; claims: Claims; password: string | null; bounds: Bounds; size_bytes: number }
  | { do: 'bytes' }
  | { do: 'open' }
  | { do: 'survey' }
  | { do: 'page'; number: number }
  | { do: 'image'; number: number; dpi: number }
  | { do: 'attachment'; index: number }

export type Answer =
  | { is: 'ready' }
  | { is: 'opened'; file: OpenedFile }
  | { is: 'surveyed' }
  | { is: 'page'; page: ParsedPage }
  | { is: 'image'; image: Omit<PageImage, 'pixels'> }
  | { is: 'attachment' }
  | { is: 'unreadable'; code: Verdict; message: string }
  /** An unexpected error. Only its location is reported, since a library's message may repeat content of the file. */
  | { is: 'failed'; is_memory: boolean; where: string }
  /** Our own code cannot be loaded: no fault of a file. */
  | { is: 'broken'; message: string }

export const MAX_HEADER_BYTES = 32 * 1024 * 1024
/** As in the contract, which takes longer to load than a small file to read. */
export const MAX_PAGE_BLOCKS = 20_000
export const MAX_TABLE_CELLS = 100_000
export const MAX_ATTACHMENTS = 1_000
const EMPTY = new Uint8Array(0)

export function frameHead(header: Ask | Answer, binary_bytes = 0): Buffer {
  const json = Buffer.from(JSON.stringify(header))
  const lengths = Buffer.allocUnsafe(8)
  lengths.writeUInt32LE(json.length, 0)
  lengths.writeUInt32LE(binary_bytes, 4)
  return Buffer.concat([lengths, json])
}

export class FrameTooLarge extends Error {}

/** Feed it chunks; it gives whole frames. It never holds more than the frame that its lengths announce. */
export class FrameReader {
  readonly #max_binary: number
  #chunks: Buffer[] = []
  #size = 0
  #wanted = 8
  #json_bytes = -1

  constructor(max_binary: number) {
    this.#max_binary = max_binary
  }

  *push(chunk: Buffer): Generator<{ header: unknown; binary: Uint8Array }> {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    while (this.#size >= this.#wanted) {
      const taken = this.#take(this.#wanted)
      if (this.#json_bytes < 0) {
        this.#json_bytes = taken.readUInt32LE(0)
        const binary_bytes = taken.readUInt32LE(4)
        if (this.#json_bytes > MAX_HEADER_BYTES || binary_bytes > this.#max_binary) throw new FrameTooLarge()
        this.#wanted = this.#json_bytes + binary_bytes
        continue
      }
      const end = this.#json_bytes
      this.#json_bytes = -1
      this.#wanted = 8
      const binary = end < taken.length ? taken.subarray(end) : EMPTY
      yield { header: JSON.parse(taken.toString('utf8', 0, end)), binary }
    }
  }

  #take(count: number): Buffer {
    const [first, second] = this.#chunks
    const all = first && !second ? first : Buffer.concat(this.#chunks, this.#size)
    const rest = all.subarray(count)
    this.#chunks = rest.length > 0 ? [rest] : []
    this.#size -= count
    return all.subarray(0, count)
  }
}
