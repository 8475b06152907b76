// Pages of a PDF → what a scanner would make of them.

import { PDFiumLibrary } from '@hyzyla/pdfium'
import { newRandom } from '../lib/random.ts'

/** 8-bit gray pixels, row by row. */
export interface CorpusPicture {
  width: number
  height: number
  dpi: number
  pixels: Uint8Array
}

export interface Wear {
  /** Degrees, clockwise. */
  tilt?: number
  /** Standard deviation of the noise, in gray levels. */
  noise?: number
  /** Specks of dirt for each million pixels. */
  specks?: number
  seed: number
}

const WHITE = 255
const POINTS_PER_INCH = 72

export async function drawPages(pdf: Uint8Array, dpi: number): Promise<CorpusPicture[]> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(pdf)
  const pictures: CorpusPicture[] = []
  for (const page of document.pages()) {
    const { data, width, height } = await page.render({ scale: dpi / POINTS_PER_INCH, render: 'bitmap' })
    const pixels = new Uint8Array(width * height)
    for (let i = 0; i < pixels.length; i++) pixels[i] = (data[4 * i]! + data[4 * i + 1]! * 2 + data[4 * i + 2]!) / 4
    pictures.push({ width, height, dpi, pixels })
  }
  document.destroy()
  library.destroy()
  return pictures
}

/** Bilinear, with white where nothing was. */
function turn(picture: CorpusPicture, degrees: number): CorpusPicture {
  const { width, height, pixels } = picture
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  const at = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? WHITE : pixels[y * width + x]!
  const turned = new Uint8Array(pixels.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [dx, dy] = [x - width / 2, y - height / 2]
      const [sx, sy] = [cos * dx + sin * dy + width / 2, cos * dy - sin * dx + height / 2]
      const [x0, y0] = [Math.floor(sx), Math.floor(sy)]
      const [fx, fy] = [sx - x0, sy - y0]
      const top = at(x0, y0) * (1 - fx) + at(x0 + 1, y0) * fx
      turned[y * width + x] = top * (1 - fy) + (at(x0, y0 + 1) * (1 - fx) + at(x0 + 1, y0 + 1) * fx) * fy
    }
  }
  return { ...picture, pixels: turned }
}

export function wearOut(picture: CorpusPicture, { tilt = 0, noise = 0, specks = 0, seed }: Wear): CorpusPicture {
  const turned = tilt === 0 ? { ...picture, pixels: picture.pixels.slice() } : turn(picture, tilt)
  const random = newRandom(seed)
  const { pixels, width, height } = turned
  for (let i = 0; i < (noise > 0 ? pixels.length : 0); i++) {
    const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
    pixels[i] = Math.max(0, Math.min(WHITE, Math.round(pixels[i]! + noise * normal)))
  }
  for (let left = Math.round((specks * pixels.length) / 1e6); left > 0; left--) {
    const [x, y] = [random.whole(0, width - 2), random.whole(0, height - 2)]
    for (const place of [y * width + x, y * width + x + 1, (y + 1) * width + x]) pixels[place] = random.whole(0, 90)
  }
  return turned
}
