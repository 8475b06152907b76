// A gray page with colored boxes and numbers drawn over it, as PNG.

import { crc32, deflateSync } from 'node:zlib'

type Color = readonly [number, number, number]

/** Three columns and five rows for each digit. */
const DIGITS = [
  '111101101101111',
  '010110010010111',
  '111001111100111',
  '111001111001111',
  '101101111001001',
  '111100111001111',
  '111100111101111',
  '111001001001001',
  '111101111101111',
  '111101111001111',
]
const DOT = 3

export class Canvas {
  readonly #width: number
  readonly #height: number
  readonly #pixels: Buffer

  constructor({ width, height, pixels }: { width: number; height: number; pixels: Uint8Array }) {
    this.#width = width
    this.#height = height
    this.#pixels = Buffer.alloc(width * height * 3)
    for (const [index, gray] of pixels.entries()) this.#pixels.fill(gray, index * 3, index * 3 + 3)
  }

  /** `bbox` in fractions of the page. */
  box(bbox: readonly number[], color: Color, thickness: number): void {
    const { x0, y0, x1, y1 } = this.#pixelBox(bbox)
    this.#fill(x0, y0, x1, y0 + thickness, color)
    this.#fill(x0, y1 - thickness, x1, y1, color)
    this.#fill(x0, y0, x0 + thickness, y1, color)
    this.#fill(x1 - thickness, y0, x1, y1, color)
  }

  /** Writes a number at the top left corner of a box. */
  label(bbox: readonly number[], digits: string, color: Color): void {
    const { x0, y0 } = this.#pixelBox(bbox)
    const width = digits.length * 4 * DOT + DOT
    const [left, top] = [Math.max(0, x0 - width), Math.max(0, y0)]
    this.#fill(left, top, left + width, top + 7 * DOT, color)
    for (const [place, digit] of [...digits].entries()) {
      for (const [index, dot] of [...(DIGITS[Number(digit)] ?? '')].entries()) {
        if (dot === '0') continue
        const x = left + DOT + (place * 4 + (index % 3)) * DOT
        const y = top + DOT + Math.floor(index / 3) * DOT
        this.#fill(x, y, x + DOT, y + DOT, [255, 255, 255])
      }
    }
  }

  png(): Buffer {
    const stride = this.#width * 3
    const raw = Buffer.alloc((stride + 1) * this.#height)
    for (let y = 0; y < this.#height; y++) this.#pixels.copy(raw, y * (stride + 1) + 1, y * stride, (y + 1) * stride)
    const head = Buffer.alloc(13)
    head.writeUInt32BE(this.#width, 0)
    head.writeUInt32BE(this.#height, 4)
    head.set([8, 2, 0, 0, 0], 8)
    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    return Buffer.concat([
      signature,
      chunk('IHDR', head),
      chunk('IDAT', deflateSync(raw)),
      chunk('IEND', Buffer.alloc(0)),
    ])
  }

  #pixelBox([x0 = 0, y0 = 0, x1 = 1, y1 = 1]: readonly number[]) {
    return {
      x0: Math.round(x0 * this.#width),
      y0: Math.round(y0 * this.#height),
      x1: Math.round(x1 * this.#width),
      y1: Math.round(y1 * this.#height),
    }
  }

  #fill(x0: number, y0: number, x1: number, y1: number, color: Color): void {
    for (let y = Math.max(0, y0); y < Math.min(this.#height, y1); y++)
      for (let x = Math.max(0, x0); x < Math.min(this.#width, x1); x++)
        this.#pixels.set(color, (y * this.#width + x) * 3)
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
