// How a file is cut into parts.

import { MAX_PARTS, PART_BYTES, SINGLE_PUT_BYTES } from '@octavo/contract'

/** null: one PUT. */
export const partBytesOf = (size_bytes: number): number | null =>
  size_bytes <= SINGLE_PUT_BYTES ? null : Math.max(PART_BYTES, Math.ceil(size_bytes / MAX_PARTS))

export interface PartPlace {
  number: number
  offset: number
  size_bytes: number
}

export function partsOf(size_bytes: number, part_bytes: number): PartPlace[] {
  const count = Math.ceil(size_bytes / part_bytes)
  return Array.from({ length: count }, (_, i) => {
    const offset = i * part_bytes
    return { number: i + 1, offset, size_bytes: Math.min(part_bytes, size_bytes - offset) }
  })
}
