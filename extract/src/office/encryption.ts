// Office files with a password: the package is encrypted in a compound file ([MS-OFFCRYPTO]).

import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto'
import { Unreadable } from '../types.ts'
import { CFB_SIGNATURE, openCompound } from './cfb.ts'

const SEGMENT_BYTES = 4096
const MAX_SPINS = 10_000_000
const STANDARD_SPINS = 50_000
const SIZE_BYTES = 8
const [AGILE, STANDARD] = [0x00040004, [0x00020002, 0x00020003, 0x00020004]]
const PAD = 0x36
const VERIFIER_INPUT = Buffer.from('fea7d2763b4b9e79', 'hex')
const VERIFIER_VALUE = Buffer.from('d7aa0f6d3061344e', 'hex')
const KEY_VALUE = Buffer.from('146e0be7abacd0d6', 'hex')

const locked = () =>
  new Unreadable('document_unreadable', 'The file is protected by a password. Upload it again with its `password`.')
const wrong = () =>
  new Unreadable('document_unreadable', 'The password of the file is wrong. Upload it again with the right `password`.')
const unknown = () =>
  new Unreadable(
    'document_unreadable',
    'The file has a protection that Octavo does not support. Remove the protection and upload it again.',
  )

/** Returns the package of an encrypted Office file, and any other file as it is. */
export function unlockPackage(bytes: Buffer, password: string | null): Buffer {
  if (bytes.toString('latin1', 0, CFB_SIGNATURE.length) !== CFB_SIGNATURE) return bytes
  const { streams } = openCompound(bytes)
  const content = streams.get('encryptedpackage')?.()
  const info = streams.get('encryptioninfo')?.()
  if (!content || !info) return bytes
  if (password === null) throw locked()
  const version = info.length > 8 ? info.readUInt32LE(0) : 0
  if (version === AGILE) return unlockAgile(content, info.toString('utf8', 8), password)
  if (STANDARD.includes(version)) return unlockStandard(content, info, password)
  throw unknown()
}

function hash(algorithm: string, ...parts: Buffer[]): Buffer {
  const hasher = createHash(algorithm)
  for (const part of parts) hasher.update(part)
  return hasher.digest()
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function spin(algorithm: string, start: Buffer, count: number): Buffer {
  let value = start
  for (let i = 0; i < count; i++) value = hash(algorithm, number(i), value)
  return value
}

const fit = (bytes: Buffer, length: number): Buffer =>
  bytes.length >= length ? bytes.subarray(0, length) : Buffer.concat([bytes, Buffer.alloc(length - bytes.length, PAD)])

function decrypt(data: Buffer, key: Buffer, iv: Buffer | null): Buffer {
  const cipher = createDecipheriv(`aes-${key.length * 8}-${iv ? 'cbc' : 'ecb'}`, key, iv)
  cipher.setAutoPadding(false)
  return Buffer.concat([cipher.update(data.subarray(0, data.length & ~15)), cipher.final()])
}

interface AgileKey {
  salt: Buffer
  key_bytes: number
  block_bytes: number
  algorithm: string
  spins: number
  valueOf(name: string): Buffer
}

function agileKey(xml: string, element: string): AgileKey {
  const tag = new RegExp(`<(?:\\w+:)?${element}\\s([^>]*)>`).exec(xml)?.[1] ?? ''
  const textOf = (name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  const algorithm = textOf('hashAlgorithm').toLowerCase().replace('-', '')
  const [key_bytes, block_bytes, spins] = [
    Number(textOf('keyBits')) / 8,
    Number(textOf('blockSize')),
    Number(textOf('spinCount') || 0),
  ]
  const is_known =
    ['sha1', 'sha256', 'sha384', 'sha512'].includes(algorithm) &&
    [16, 24, 32].includes(key_bytes) &&
    block_bytes === 16 &&
    spins <= MAX_SPINS &&
    textOf('cipherAlgorithm') === 'AES' &&
    textOf('cipherChaining') === 'ChainingModeCBC'
  if (!is_known) throw unknown()
  const valueOf = (name: string): Buffer => Buffer.from(textOf(name), 'base64')
  return { salt: valueOf('saltValue'), key_bytes, block_bytes, algorithm, spins, valueOf }
}

function unlockAgile(content: Buffer, xml: string, password: string): Buffer {
  const data = agileKey(xml, 'keyData')
  const own = agileKey(xml, 'encryptedKey')
  const secret = spin(own.algorithm, hash(own.algorithm, own.salt, Buffer.from(password, 'utf16le')), own.spins)
  const iv = fit(own.salt, own.block_bytes)
  const open = (name: string, purpose: Buffer): Buffer =>
    decrypt(own.valueOf(name), fit(hash(own.algorithm, secret, purpose), own.key_bytes), iv)
  const verifier = hash(own.algorithm, open('encryptedVerifierHashInput', VERIFIER_INPUT).subarray(0, own.salt.length))
  if (!isSame(verifier, open('encryptedVerifierHashValue', VERIFIER_VALUE))) throw wrong()
  const key = open('encryptedKeyValue', KEY_VALUE).subarray(0, own.key_bytes)
  const parts: Buffer[] = []
  for (let at = SIZE_BYTES, i = 0; at < content.length; at += SEGMENT_BYTES, i++) {
    const part_iv = fit(hash(data.algorithm, data.salt, number(i)), data.block_bytes)
    parts.push(decrypt(content.subarray(at, at + SEGMENT_BYTES), key, part_iv))
  }
  return Buffer.concat(parts).subarray(0, sizeOf(content))
}

/** AES with SHA-1, as Office 2007 encrypts. */
function unlockStandard(content: Buffer, info: Buffer, password: string): Buffer {
  const header_bytes = info.readUInt32LE(8)
  const header = info.subarray(12, 12 + header_bytes)
  const verifier = info.subarray(12 + header_bytes)
  if (header.length < 20 || verifier.length < 72) throw unknown()
  const key_bytes = header.readUInt32LE(16) / 8
  if (![16, 24, 32].includes(key_bytes)) throw unknown()
  const salt = verifier.subarray(4, 20)
  const secret = spin('sha1', hash('sha1', salt, Buffer.from(password, 'utf16le')), STANDARD_SPINS)
  const base = hash('sha1', secret, number(0))
  const half = (byte: number): Buffer => {
    const block = Buffer.alloc(64, byte)
    for (const [i, value] of base.entries()) block[i] = (block[i] ?? 0) ^ value
    return hash('sha1', block)
  }
  const key = Buffer.concat([half(0x36), half(0x5c)]).subarray(0, key_bytes)
  const expected = decrypt(verifier.subarray(40, 72), key, null)
  if (!isSame(hash('sha1', decrypt(verifier.subarray(20, 36), key, null)), expected)) throw wrong()
  return decrypt(content.subarray(SIZE_BYTES), key, null).subarray(0, sizeOf(content))
}

const sizeOf = (content: Buffer): number =>
  content.length < SIZE_BYTES ? 0 : Number(content.readBigUInt64LE(0) & 0xffffffffffffn)

const isSame = (digest: Buffer, expected: Buffer): boolean =>
  expected.length >= digest.length && timingSafeEqual(digest, expected.subarray(0, digest.length))
