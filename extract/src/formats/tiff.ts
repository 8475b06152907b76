// TIFF: each directory is a page. Directories are read here, pixels by utif2 (CCITT G3 and G4, LZW, deflate, PackBits, JPEG).

import utif, { type IFD } from 'utif2'
import { type Directory, densityOf, directoriesOf, orientationOf, TAG } from '../directory.ts'
import { broken, checkSize, greyOf, openPictures, type Picture } from '../picture.ts'
import type { Bounds, Format } from '../types.ts'
import { headOf } from './jpeg.ts'

export const tiff: Format = {
  name: 'tiff',
  media_types: ['image/tiff'],
  open(bytes, { bounds }) {
    const directories = directoriesOf(bytes)
    if (directories.length === 0) throw broken('it has no header')
    // A reduced copy of another page (bit 0) or a mask (bit 2) is no page.
    const pages = directories.filter((directory) => ((directory.value(TAG.new_subfile_type) ?? 0) & 5) === 0)
    return openPictures(
      (pages.length > 0 ? pages : directories).map((directory) => pictureOf(bytes, directory, bounds)),
      bounds,
    )
  },
}

function pictureOf(bytes: Uint8Array, directory: Directory, bounds: Bounds): Picture {
  return {
    width: directory.value(TAG.width) ?? 0,
    height: directory.value(TAG.height) ?? 0,
    density: densityOf(directory),
    orientation: orientationOf(directory),
    decode: () => decodeDirectory(bytes, directory, bounds),
  }
}

// Compression, color space, strips, tiles, palette and JPEG tables. Tags of raw photos are left out, as are their
// decoders.
const TAGS = [
  256, 257, 258, 259, 262, 266, 273, 277, 278, 279, 284, 292, 293, 317, 320, 322, 323, 324, 325, 338, 339, 347, 512,
  513, 514,
]
TAGS.push(515, 519, 520, 521, 529, 530, 531, 532)
const COMPRESSIONS = [1, 2, 3, 4, 5, 6, 7, 8, 32_773, 32_946]

function decodeDirectory(bytes: Uint8Array, directory: Directory, bounds: Bounds) {
  const compression = directory.value(TAG.compression) ?? 1
  if (!COMPRESSIONS.includes(compression)) throw broken(`its compression ${compression} is not known`)
  const samples = directory.value(TAG.samples) ?? 1
  if (samples > 8 || directory.values(TAG.bits).some((bits) => bits > 32))
    throw broken('its pixels have too many parts')
  checkStrips(bytes, directory, { compression, bounds })
  const ifd = Object.fromEntries(
    TAGS.map((tag) => [`t${tag}`, directory.values(tag)]).filter(([, values]) => values?.length),
  ) as IFD
  const file = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice()
  utif.decodeImage(file.buffer as ArrayBuffer, ifd)
  if (!ifd.data) throw broken('its pixels are missing')
  return greyOf(utif.toRGBA8(ifd), ifd, 4)
}

/** The library reads missing pixels as black, and an embedded JPEG states its own size. */
function checkStrips(
  bytes: Uint8Array,
  directory: Directory,
  { compression, bounds }: { compression: number; bounds: Bounds },
): void {
  const [offsets, sizes] = directory.value(TAG.tile_offsets)
    ? [directory.values(TAG.tile_offsets), directory.values(TAG.tile_sizes)]
    : [directory.values(TAG.strip_offsets), directory.values(TAG.strip_sizes)]
  if (offsets.length === 0) throw broken('its pixels are missing')
  offsets.forEach((at, i) => {
    if (at >= bytes.length || (compression !== 1 && at + (sizes[i] ?? 0) > bytes.length))
      throw broken('its pixels are missing')
    if (compression === 7) checkSize(headOf(bytes.subarray(at)), bounds)
  })
}
