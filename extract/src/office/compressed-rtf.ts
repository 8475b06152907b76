// The compression of RTF in Outlook messages ([MS-OXRTFCP]).

import { Unreadable } from '../types.ts'

const HEADER_BYTES = 16
const COMPRESSED = 0x75465a4c
const WINDOW = 4096
const MAX_BYTES = 64 * 1024 * 1024
const PREFIX =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx'

/** Returns one character for each byte. Incomplete data gives the text up to where it ends. */
export function decompressRtf(bytes: Buffer): string {
  if (bytes.length < HEADER_BYTES) return ''
  const size = bytes.readUInt32LE(4)
  if (bytes.readUInt32LE(8) !== COMPRESSED) return bytes.toString('latin1', HEADER_BYTES, HEADER_BYTES + size)
  if (size > MAX_BYTES) throw new Unreadable('document_too_large', 'The text of the email is too large.')
  return inflate(bytes, size).toString('latin1')
}

function inflate(bytes: Buffer, size: number): Buffer {
  const window = Buffer.alloc(WINDOW)
  window.write(PREFIX, 'latin1')
  const result = Buffer.alloc(size)
  const at = { from: HEADER_BYTES, to: PREFIX.length, filled: 0 }
  const isOver = (): boolean => at.from >= bytes.length || at.filled >= size
  const add = (byte: number): void => {
    window[at.to] = byte
    at.to = (at.to + 1) % WINDOW
    if (at.filled < size) result[at.filled++] = byte
  }
  while (!isOver()) {
    const control = bytes[at.from++] ?? 0
    for (let bit = 0; bit < 8 && !isOver(); bit++) {
      if (((control >> bit) & 1) === 0) {
        add(bytes[at.from++] ?? 0)
        continue
      }
      const reference = ((bytes[at.from] ?? 0) << 8) | (bytes[at.from + 1] ?? 0)
      at.from += 2
      const start = reference >> 4
      if (start === at.to) return result.subarray(0, at.filled)
      for (let i = 0; i < (reference & 15) + 2; i++) add(window[(start + i) % WINDOW] ?? 0)
    }
  }
  return result.subarray(0, at.filled)
}
