// The directories of a TIFF file, which are those of Exif too: tags and their values. Nothing is believed: a directory
// is read once, a value only as far as the bytes go.

export interface Directory {
  values(tag: number): number[]
  value(tag: number): number | undefined
}

const MAX_DIRECTORIES = 10_000
const MAX_VALUES = 1_000_000
// By the type of a value: its bytes and how it is read.
const TYPES: Record<number, readonly [size: number, read: (view: DataView, at: number, is_little: boolean) => number]> =
  {
    1: [1, (view, at) => view.getUint8(at)],
    2: [1, (view, at) => view.getUint8(at)],
    3: [2, (view, at, is_little) => view.getUint16(at, is_little)],
    4: [4, (view, at, is_little) => view.getUint32(at, is_little)],
    5: [8, (view, at, is_little) => view.getUint32(at, is_little) / view.getUint32(at + 4, is_little)],
    6: [1, (view, at) => view.getInt8(at)],
    7: [1, (view, at) => view.getUint8(at)],
    8: [2, (view, at, is_little) => view.getInt16(at, is_little)],
    9: [4, (view, at, is_little) => view.getInt32(at, is_little)],
    13: [4, (view, at, is_little) => view.getUint32(at, is_little)],
  }

/** In the order of the file; empty if the bytes are no TIFF. */
export function directoriesOf(bytes: Uint8Array): Directory[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const mark = bytes.length < 8 ? 0 : view.getUint16(0)
  if (mark !== 0x4949 && mark !== 0x4d4d) return []
  const is_little = mark === 0x4949
  if (view.getUint16(2, is_little) !== 42) return []
  const directories: Directory[] = []
  const seen = new Set<number>()
  let at = view.getUint32(4, is_little)
  while (at >= 8 && at + 2 <= bytes.length && !seen.has(at) && directories.length < MAX_DIRECTORIES) {
    seen.add(at)
    const count = view.getUint16(at, is_little)
    const end = at + 2 + count * 12
    if (end > bytes.length) break
    directories.push(directoryAt(view, at, is_little))
    at = end + 4 <= bytes.length ? view.getUint32(end, is_little) : 0
  }
  return directories
}

function directoryAt(view: DataView, at: number, is_little: boolean): Directory {
  const places = new Map<number, number>()
  const count = view.getUint16(at, is_little)
  for (let i = 0; i < count; i++) places.set(view.getUint16(at + 2 + i * 12, is_little), at + 2 + i * 12)
  const values = (tag: number) => {
    const place = places.get(tag)
    const type = place === undefined ? undefined : TYPES[view.getUint16(place + 2, is_little)]
    if (place === undefined || !type) return []
    const [size, read] = type
    const stated = view.getUint32(place + 4, is_little)
    const start = stated * size <= 4 ? place + 8 : view.getUint32(place + 8, is_little)
    const length = Math.max(0, Math.min(stated, MAX_VALUES, Math.floor((view.byteLength - start) / size)))
    return Array.from({ length }, (_, i) => read(view, start + i * size, is_little))
  }
  return { values, value: (tag) => values(tag)[0] }
}

export const TAG = {
  new_subfile_type: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  strip_offsets: 273,
  orientation: 274,
  samples: 277,
  strip_sizes: 279,
  x_resolution: 282,
  y_resolution: 283,
  resolution_unit: 296,
  tile_offsets: 324,
  tile_sizes: 325,
} as const

/** Resolution units: inch and centimeter. */
const PER_INCH = new Map([
  [2, 1],
  [3, 2.54],
])

export function densityOf(directory: Directory): readonly [number, number] | null {
  const factor = PER_INCH.get(directory.value(TAG.resolution_unit) ?? 2) ?? 0
  const x = (directory.value(TAG.x_resolution) ?? 0) * factor
  const y = (directory.value(TAG.y_resolution) ?? 0) * factor
  return x > 0 && y > 0 && Number.isFinite(x) && Number.isFinite(y) ? [x, y] : null
}

export const orientationOf = (directory: Directory | undefined) => directory?.value(TAG.orientation) ?? 1
