// Images that claim to be huge, that are, or that never end.

import { crc32, deflateSync } from 'node:zlib'
import { type HostileFile, inGroup } from './file.ts'
import { bomb } from './pdf.ts'

const file = inGroup('images')
const HUGE = 64_000

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

interface Png {
  width: number
  height: number
  bits?: number
  color?: number
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
function png({ width, height, bits = 8, color = 0 }: Png, data: Uint8Array, more: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = bits
  header[9] = color
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), ...more, chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

const pngs: HostileFile[] = [
  file('png_huge_header', {
    expected: 'refused',
    make: () => png({ width: HUGE, height: HUGE }, deflateSync(Buffer.alloc(64))),
  }),
  file('png_huge', {
    expected: 'refused',
    make: () => png({ width: HUGE, height: HUGE, bits: 1 }, bomb(Buffer.alloc(HUGE / 8 + 1), HUGE)),
  }),
  file('png_more_than_it_says', {
    expected: 'either',
    make: () => png({ width: 64, height: 64 }, bomb(Buffer.alloc(1024 * 1024), 1024)),
  }),
  file('png_widest', {
    expected: 'refused',
    make: () => png({ width: 0x7fffffff, height: 0x7fffffff, color: 6 }, deflateSync(Buffer.alloc(9))),
  }),
  file('png_text_bomb', {
    expected: 'either',
    make: () => {
      const text = Buffer.concat([Buffer.from('Comment\0\0'), bomb(Buffer.alloc(1024 * 1024, 'a'), 700)])
      const profile = Buffer.concat([Buffer.from('icc\0\0'), bomb(Buffer.alloc(1024 * 1024), 700)])
      return png({ width: 8, height: 8 }, deflateSync(Buffer.alloc(72)), [chunk('zTXt', text), chunk('iCCP', profile)])
    },
  }),
  file('png_truncated', {
    expected: 'either',
    make: () => png({ width: 800, height: 800 }, deflateSync(Buffer.alloc(801 * 800, 7))).subarray(0, 300),
  }),
]

const segment = (marker: number, data: readonly number[]): Buffer =>
  Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff, ...data])

/** One gray component; each of the `scans` of a progressive image covers all of it. */
function jpeg(width: number, height: number, { scans = 1, is_progressive = false } = {}): Buffer {
  const size = [height >> 8, height & 0xff, width >> 8, width & 0xff]
  const lengths = [0, 1, ...Buffer.alloc(14)]
  const scan = Buffer.concat([segment(0xda, [1, 1, 0, 0, is_progressive ? 0 : 63, 0]), Buffer.alloc(32)])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Buffer.alloc(64, 1)]),
    segment(is_progressive ? 0xc2 : 0xc0, [8, ...size, 1, 1, 0x11, 0]),
    segment(0xc4, [0x00, ...lengths, 0]),
    segment(0xc4, [0x10, ...lengths, 0]),
    ...Array.from({ length: scans }, () => scan),
    Buffer.from([0xff, 0xd9]),
  ])
}

interface HostileDirectory {
  width: number
  height: number
  next: number
  offset: number
}

/** Little-endian, one gray strip; every tag but the last ones holds one number. */
function directory({ width, height, next, offset }: HostileDirectory, bytes: number, strip_count = 1): Buffer {
  const tags: [number, number, number, number][] = [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, strip_count, offset],
    [277, 3, 1, 1],
    [278, 4, 1, height],
    [279, 4, strip_count, bytes],
  ]
  const body = Buffer.alloc(2 + tags.length * 12 + 4)
  body.writeUInt16LE(tags.length, 0)
  for (const [i, [tag, type, count, value]] of tags.entries()) {
    body.writeUInt16LE(tag, 2 + i * 12)
    body.writeUInt16LE(type, 4 + i * 12)
    body.writeUInt32LE(count, 6 + i * 12)
    body.writeUInt32LE(value, 10 + i * 12)
  }
  body.writeUInt32LE(next, body.length - 4)
  return body
}
const TIFF = Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0])
const LENGTH = 2 + 9 * 12 + 4

/** `count` directories of small white pictures; the last one goes on at `end`. */
function tiff(count: number, end: number): Buffer {
  const pixels = 8 + count * LENGTH
  const each = Array.from({ length: count }, (_, i) =>
    directory({ width: 32, height: 32, next: i + 1 < count ? 8 + (i + 1) * LENGTH : end, offset: pixels }, 1024),
  )
  return Buffer.concat([TIFF, ...each, Buffer.alloc(1024, 0xff)])
}

function webp(chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from('RIFF'), size, body])
}
const riff = (name: string, data: readonly number[]): Buffer =>
  Buffer.from([...Buffer.from(name), data.length, 0, 0, 0, ...data])
/** 14 bits each for width and height less one. */
const lossless = [0x2f, 0xff, 0xff, 0xff, 0x0f, ...Buffer.alloc(59)]

const others: HostileFile[] = [
  file('jpg_huge', { expected: 'refused', make: () => jpeg(HUGE, HUGE) }),
  file('jpg_many_scans', {
    expected: 'either',
    make: () => jpeg(6_000, 6_000, { scans: 20_000, is_progressive: true }),
  }),
  file('jpg_truncated', { expected: 'either', make: () => jpeg(800, 800).subarray(0, 110) }),
  file('tiff_huge', {
    expected: 'refused',
    make: () =>
      Buffer.concat([
        TIFF,
        directory({ width: HUGE, height: HUGE, next: 0, offset: 8 + LENGTH }, 0xfffffff0),
        Buffer.alloc(64),
      ]),
  }),
  file('tiff_directory_loop', { expected: 'either', make: () => tiff(3, 8) }),
  file('tiff_5000_directories', { expected: 'either', make: () => tiff(5_000, 0) }),
  file('tiff_wrong_counts', {
    expected: 'either',
    make: () =>
      Buffer.concat([
        TIFF,
        directory({ width: 32, height: 32, next: 0xfffffff0, offset: 0xfffffff0 }, 0xffffffff, 0xffffffff),
        Buffer.alloc(64),
      ]),
  }),
  file('webp_huge', { expected: 'either', make: () => webp([riff('VP8L', lossless)]) }),
  file('webp_huge_canvas', {
    expected: 'refused',
    make: () => webp([riff('VP8X', [0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), riff('VP8L', lossless)]),
  }),
]

export const images: readonly HostileFile[] = [...pngs, ...others]
