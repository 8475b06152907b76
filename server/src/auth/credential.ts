// The format of secrets: prefix, cell, 226 random bits, checksum. The checksum rejects typos and guesses without a
// database query.

import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { itemAt } from '@octavo/base/required.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function checksum(text: string): string {
  let value = crc32(text)
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = DIGITS[value % 62] + digits
    value = Math.floor(value / 62)
  }
  return digits
}

function randomDigits(length: number): string {
  let text = ''
  while (text.length < length) {
    // 248 is the largest multiple of 62 in a byte: bytes above it would make some digits likelier.
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += DIGITS[byte % 62]
  }
  return text
}

/** API key, client secret, refresh token, authorization code, invitation link, link that resets a password. */
export type SecretKind = 'key' | 'cs' | 'rt' | 'ac' | 'inv' | 'rst'

export function newSecret(kind: SecretKind, cell = '00'): string {
  const body = `oct_${kind}_${cell}${randomDigits(38)}`
  return body + checksum(body)
}

/** The same secret for the same 32 bytes. */
export function secretFromBytes(kind: SecretKind, bytes: Buffer): string {
  let value = BigInt(`0x${bytes.toString('hex')}`)
  let digits = ''
  for (let i = 0; i < 38; i++) {
    digits += DIGITS[Number(value % 62n)]
    value /= 62n
  }
  const body = `oct_${kind}_00${digits}`
  return body + checksum(body)
}

const SECRET = /^(oct_[a-z]{2,3}_[0-9A-Za-z]{40})([0-9A-Za-z]{6})$/

export function isWellFormedSecret(text: string): boolean {
  const match = SECRET.exec(text)
  return match !== null && checksum(itemAt(match, 1)) === match[2]
}

/** A fast hash is enough: 226 random bits cannot be guessed, so a slow hash would add nothing. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

export const previewSecret = (secret: string): string => `${secret.slice(0, 12)}…${secret.slice(-4)}`
