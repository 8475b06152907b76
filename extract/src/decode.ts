// Bytes → text, whatever encoding they are in.

import { analyse } from 'chardet'

/** Enough to distinguish encodings; examining all of a large file takes seconds and does not change the result. */
const SAMPLE_BYTES = 16 * 1024

/** `declared` is an encoding that the file itself names, such as a page of HTML. Line ends become line feeds. */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const text = decodeMarked(bytes) ?? decodeUnmarked(bytes, declared)
  return text.replace(/\r\n?/g, '\n')
}

function decodeMarked(bytes: Uint8Array): string | null {
  const [a, b, c, d] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return new TextDecoder('utf-8').decode(bytes)
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return decodeWide(bytes.subarray(4), true)
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return decodeWide(bytes.subarray(4), false)
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return null
}

function decodeUnmarked(bytes: Uint8Array, declared?: string): string {
  const wide = findWideEncoding(bytes)
  if (wide === 'utf-32le' || wide === 'utf-32be') return decodeWide(bytes, wide === 'utf-32le')
  if (wide) return new TextDecoder(wide).decode(bytes)
  const named = declared === undefined ? null : findDecoder(declared)
  if (named) return named.decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return guessedDecoder(bytes).decode(bytes)
  }
}

function guessedDecoder(bytes: Uint8Array): TextDecoder {
  // Encodings differ only beyond ASCII, and that may begin late.
  const start = Math.max(0, bytes.findIndex((byte) => byte > 127) - 256)
  for (const { name } of analyse(bytes.subarray(start, start + SAMPLE_BYTES))) {
    const decoder = /^utf-(16|32)/i.test(name) ? null : findDecoder(name)
    if (decoder) return decoder
  }
  return new TextDecoder('windows-1252')
}

function findDecoder(name: string): TextDecoder | null {
  try {
    return new TextDecoder(name)
  } catch {
    return null
  }
}

/** Text with 2 or 4 bytes per character and no byte order mark: zeros are always at the same offsets. */
export function findWideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be' | null {
  const count = Math.min(bytes.length, 4096) & ~3
  if (count < 4) return null
  const zeros = new Float64Array(4)
  for (let i = 0; i < count; i++) if (bytes[i] === 0) zeros[i & 3] = (zeros[i & 3] ?? 0) + 1
  const [a = 0, b = 0, c = 0, d = 0] = zeros.map((number) => number / (count / 4))
  if (a < 0.1 && c > 0.9 && d > 0.9) return 'utf-32le'
  if (d < 0.1 && a > 0.9 && b > 0.9) return 'utf-32be'
  const [even, odd] = [(a + c) / 2, (b + d) / 2]
  if (odd > 0.3 && even < 0.05) return 'utf-16le'
  if (even > 0.3 && odd < 0.05) return 'utf-16be'
  return null
}

function decodeWide(bytes: Uint8Array, is_little: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: string[] = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, is_little)
    parts.push(code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code))
  }
  return parts.join('')
}
