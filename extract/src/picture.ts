// Steps shared by all image formats: check the size before decoding, convert to gray, turn the right way up, and find a
// plausible resolution.

import { type Grey, scaleGrey } from './grey.ts'
import { toPageImage } from './raster.ts'
import { type Bounds, type OpenFormat, Unreadable } from './types.ts'

export interface Size {
  width: number
  height: number
}

/** One image of a file, as its header describes it. */
export interface Picture extends Size {
  /** Dots per inch, across and down, as the file claims them. */
  density: readonly [x: number, y: number] | null
  /** As Exif counts them, 1 to 8: how the camera was held. */
  orientation: number
  decode(): Grey | Promise<Grey>
}

const A4_INCHES = [8.27, 11.69] as const
const WIDEST_INCHES = 24
// More dots do not make OCR better, only slower; with few, letters are too small for it until they are enlarged.
const MOST_DPI = 300
const FEW_DPI = 125
const ENLARGED_DPI = 200

export function openPictures(pictures: readonly Picture[], bounds: Bounds): OpenFormat {
  if (pictures.length === 0) throw new Unreadable('document_empty', 'The file contains no image.')
  const is_single = pictures.length === 1
  const pictureOf = (number: number) => {
    const picture = pictures[number - 1]
    if (!picture) throw new Unreadable('document_unreadable', `The file has no page ${number}.`, number)
    checkSize(picture, bounds, is_single ? null : number)
    return picture
  }
  if (is_single) pictureOf(1)
  return {
    title: null,
    page_count: pictures.length,
    warnings: [],
    page(number) {
      const { width, height, dpi } = uprightSize(pictureOf(number))
      return {
        width: (width / dpi) * 72,
        height: (height / dpi) * 72,
        blocks: [],
        has_image: true,
        needs_ocr: true,
        warnings: [],
      }
    },
    async image(number) {
      const picture = pictureOf(number)
      const { width, height, dpi } = uprightSize(picture)
      const grey = orient(await decodePicture(picture, is_single ? null : number), picture.orientation)
      const new_dpi = dpi < FEW_DPI ? ENLARGED_DPI : Math.min(MOST_DPI, dpi)
      const scale = new_dpi / dpi
      const to = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
      return toPageImage(scaleGrey(grey, to.width, to.height), new_dpi)
    },
  }
}

async function decodePicture(picture: Picture, page: number | null): Promise<Grey> {
  try {
    return await picture.decode()
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw broken('its pixels cannot be decoded', page)
  }
}

export const broken = (reason: string, page: number | null = null) =>
  new Unreadable(
    'document_unreadable',
    `The image is damaged or has an unusual format: ${reason}. Save it again and upload the new file.`,
    page,
  )

export function checkSize({ width, height }: Size, bounds: Bounds, page: number | null = null): void {
  if (!(width > 0 && height > 0)) throw broken('it has no width or no height', page)
  if (width * height <= bounds.max_pixels) return
  const [across, down, most] = [width, height, bounds.max_pixels].map((number) => number.toLocaleString('en-US'))
  throw new Unreadable(
    'document_too_large',
    `${across} × ${down} pixels exceed the limit of ${most}. Upload a smaller image: 300 dots per inch are enough.`,
    page,
  )
}

/** In square pixels (a fax has fewer dots down than across) and turned as `orientation` says. */
function uprightSize(picture: Picture): Size & { dpi: number } {
  const is_turned = picture.orientation >= 5
  const [x, y] = believable(picture) ?? guessed(picture)
  const dpi = Math.max(x, y)
  const width = Math.round((picture.width * dpi) / x)
  const height = Math.round((picture.height * dpi) / y)
  return is_turned ? { width: height, height: width, dpi } : { width, height, dpi }
}

function believable({ width, height, density }: Picture): readonly [number, number] | null {
  if (!density) return null
  const [x, y] = density
  const is_sensible = x >= 70 && x <= 1200 && y >= 70 && y <= 1200 && Math.max(x / y, y / x) <= 2.2
  return is_sensible && width / x <= WIDEST_INCHES && height / y <= WIDEST_INCHES
    ? [Math.round(x), Math.round(y)]
    : null
}

/** As if it were a sheet of A4. */
function guessed({ width, height, orientation }: Picture): [number, number] {
  const [short, long] = A4_INCHES
  const is_wide = orientation >= 5 ? height > width : width > height
  const dpi = Math.min(1200, Math.max(70, Math.round((orientation >= 5 ? height : width) / (is_wide ? long : short))))
  return [dpi, dpi]
}

/** Converts gray, gray and alpha, RGB or RGBA with 8 bits per channel; transparent pixels become white. */
export function greyOf(data: ArrayLike<number>, { width, height }: Size, channels: 1 | 2 | 3 | 4): Grey {
  const pixels = new Uint8Array(width * height)
  const has_alpha = channels === 2 || channels === 4
  for (let i = 0, at = 0; i < pixels.length; i++, at += channels) {
    const first = data[at] ?? 0
    const grey = channels < 3 ? first : 0.299 * first + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0)
    const alpha = has_alpha ? (data[at + channels - 1] ?? 0) / 255 : 1
    pixels[i] = grey * alpha + 255 * (1 - alpha) + 0.5
  }
  return { width, height, pixels }
}

/** From how the camera was held to how the picture is looked at. */
export function orient(grey: Grey, orientation: number): Grey {
  if (!(orientation > 1 && orientation <= 8)) return grey
  const { width, height, pixels } = grey
  const is_turned = orientation >= 5
  const to = is_turned ? { width: height, height: width } : { width, height }
  const turned = new Uint8Array(pixels.length)
  // Where a pixel at (x, y) of the upright picture is taken from.
  const flips_x = [2, 3, 7, 8].includes(orientation)
  const flips_y = [3, 4, 6, 7].includes(orientation)
  for (let y = 0, at = 0; y < to.height; y++) {
    for (let x = 0; x < to.width; x++, at++) {
      const [from_x, from_y] = is_turned ? [y, x] : [x, y]
      turned[at] =
        pixels[(flips_y ? height - 1 - from_y : from_y) * width + (flips_x ? width - 1 - from_x : from_x)] ?? 0
    }
  }
  return { ...to, pixels: turned }
}
