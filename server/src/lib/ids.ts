// TypeIDs outside, uuids in the database. Ids are UUIDv7, so their order is the order of creation.

import { randomFillSync } from 'node:crypto'
import { type Id, type Prefix, prefixes } from '@octavo/contract'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const HEX_DIGITS = '0123456789abcdef'
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const NONE = 255
/** The value behind each character code; ids are read and written for every row, so these are tables. */
const VALUES = valuesOf(ALPHABET)
const NIBBLES = valuesOf(HEX_DIGITS)

function valuesOf(alphabet: string): Uint8Array {
  const values = new Uint8Array(65_536).fill(NONE)
  for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value
  return values
}

/** No row has this id: what a malformed id is looked up as. */
export const NO_UUID = '00000000-0000-0000-0000-000000000000'

let lastMillisecond = 0
let counter = 0
const pool = new Uint8Array(8 * 512)
let poolOffset = pool.length

/** Monotonic within the process: the 12 bits after the millisecond hold a counter. */
export function newUuid(now = Date.now()): string {
  if (now > lastMillisecond) {
    lastMillisecond = now
    counter = 0
  } else if (++counter > 0xfff) {
    lastMillisecond++
    counter = 0
  }
  if (poolOffset === pool.length) {
    randomFillSync(pool)
    poolOffset = 0
  }
  const time = lastMillisecond.toString(16).padStart(12, '0')
  let random = ''
  for (let i = 0; i < 8; i++) random += HEX[i === 0 ? (pool[poolOffset]! & 0x3f) | 0x80 : pool[poolOffset + i]!]
  poolOffset += 8
  const count = (0x7000 | counter).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-${count}-${random.slice(0, 4)}-${random.slice(4)}`
}

export const newId = <P extends Prefix>(prefix: P): Id<P> => toId(prefix, newUuid())

/** The time in a UUIDv7, to the millisecond. */
export const timeOfUuid = (uuid: string): Date => new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16))

/** The smallest UUIDv7 of a millisecond, so that a time can be compared with an id. */
export function floorUuid(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0').slice(-12)
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** 128 bits behind two zero bits are 26 characters of five bits. */
export function toId<P extends Prefix>(prefix: P, uuid: string): Id<P> {
  let text = ''
  let bits = 0
  let count = 2
  for (let i = 0; i < uuid.length; i++) {
    const nibble = NIBBLES[uuid.charCodeAt(i)]!
    if (nibble === NONE) continue
    bits = ((bits << 4) | nibble) & 0xfff
    count += 4
    if (count >= 5) {
      count -= 5
      text += ALPHABET[(bits >> count) & 31]
    }
  }
  return `${prefix}_${text}`
}

/** The uuid behind an id with this prefix, or null where the text cannot be one. */
export function findUuid(prefix: Prefix, id: string): string | null {
  if (id.length !== prefix.length + 27 || !id.startsWith(prefix) || id[prefix.length] !== '_') return null
  let hex = ''
  let bits = 0
  let count = -2
  for (let i = prefix.length + 1; i < id.length; i++) {
    const value = VALUES[id.charCodeAt(i)]!
    if (value === NONE || (count < 0 && value > 7)) return null
    bits = ((bits << 5) | value) & 0xfff
    count += 5
    while (count >= 4) {
      count -= 4
      hex += HEX_DIGITS[(bits >> count) & 15]
    }
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The uuid behind any id of ours, or one that no row has: "not there" and "not possible" are one answer. */
export function uuid(id: string): string {
  const prefix = id.slice(0, id.indexOf('_')) as Prefix
  return prefixes.includes(prefix) ? (findUuid(prefix, id) ?? NO_UUID) : NO_UUID
}
export const uuidOf = (prefix: Prefix, id: string): string => findUuid(prefix, id) ?? NO_UUID
