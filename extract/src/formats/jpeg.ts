// JPEG: baseline and progressive.

import { decode } from 'jpeg-js'
import { densityOf, directoriesOf, orientationOf } from '../directory.ts'
import { broken, greyOf, openPictures, type Picture, type Size } from '../picture.ts'
import type { Format } from '../types.ts'

export const jpeg: Format = {
  name: 'jpeg',
  media_types: ['image/jpeg'],
  open(bytes, { bounds }) {
    return openPictures([{ ...headOf(bytes), decode: () => decodeJpeg(bytes) }], bounds)
  },
}

export function decodeJpeg(bytes: Uint8Array) {
  // The size is checked before; its own bounds are for those who do not.
  const image = decode(bytes, {
    useTArray: true,
    formatAsRGBA: false,
    maxResolutionInMP: 10_000,
    maxMemoryUsageInMB: 10_000,
  })
  return greyOf(image.data, image, 3)
}

/** Everything before the pixels. */
export function headOf(bytes: Uint8Array): Omit<Picture, 'decode'> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let density: Picture['density'] = null
  let orientation = 1
  let at = 2
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) {
      at++
      continue
    }
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff || marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    const length = view.getUint16(at + 2)
    const data = bytes.subarray(at + 4, at + 2 + length)
    if (isFrame(marker)) return { ...sizeOf(data), density, orientation }
    if (marker === 0xda || marker === 0xd9) break
    if (marker === 0xe0) density ??= jfifDensity(data)
    if (marker === 0xe1 && textOf(data, 0, 4) === 'Exif') {
      const [directory] = directoriesOf(data.subarray(6))
      orientation = orientationOf(directory)
      density = (directory && densityOf(directory)) ?? density
    }
    at += 2 + Math.max(2, length)
  }
  throw broken('it has no header')
}

const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function sizeOf(frame: Uint8Array): Size {
  if (frame.length < 6) throw broken('it has no header')
  const [height, width] = [((frame[1] ?? 0) << 8) | (frame[2] ?? 0), ((frame[3] ?? 0) << 8) | (frame[4] ?? 0)]
  return { width, height }
}

const textOf = (data: Uint8Array, start: number, end: number) => String.fromCharCode(...data.subarray(start, end))

function jfifDensity(data: Uint8Array): readonly [number, number] | null {
  if (textOf(data, 0, 4) !== 'JFIF' || data.length < 12) return null
  // 0: an aspect ratio, 1: per inch, 2: per centimeter.
  const factor = [0, 1, 2.54][data[7] ?? 0] ?? 0
  const [x, y] = [((data[8] ?? 0) << 8) | (data[9] ?? 0), ((data[10] ?? 0) << 8) | (data[11] ?? 0)]
  return factor ? [x * factor, y * factor] : null
}
