import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Zippable, zipSync } from 'fflate'
import { checkArchive, findEntry, MAX_ENTRIES, readEntry } from './archive.ts'
import type { Unreadable } from './types.ts'

const bounds = { max_inflated_bytes: 32 * 1024 * 1024 }
const bytesOf = (text: string) => new TextEncoder().encode(text)
const refused = (code: string, words: RegExp) => (error: Unreadable) => error.code === code && words.test(error.message)

/** Changes a field of every header of one kind: the directory's, or that of the parts. */
function patch(zip: Uint8Array, signature: number, change: (header: Buffer) => void): Buffer {
  const bytes = Buffer.from(zip)
  for (let at = 0; at + 46 <= bytes.length; at++) if (bytes.readUInt32LE(at) === signature) change(bytes.subarray(at))
  return bytes
}
const DIRECTORY = 0x02014b50

test('reads stored and deflated entries by name', () => {
  const zip = zipSync({
    'a.txt': bytesOf('first'),
    'b/c.txt': [bytesOf('x'.repeat(5000)), { level: 9 }],
    'd.txt': [bytesOf('stored'), { level: 0 }],
  })

  const archive = checkArchive(zip, bounds)

  assert.equal(readEntry(archive, 'a.txt').toString(), 'first')
  assert.equal(readEntry(archive, 'b/c.txt').length, 5000)
  assert.equal(readEntry(archive, 'd.txt').toString(), 'stored')
  assert.equal(findEntry(archive, 'none'), null)
  assert.throws(() => readEntry(archive, 'none'), refused('document_unreadable', /damaged/))
})

test('treats entry names with paths as plain names', () => {
  const archive = checkArchive(
    zipSync({ '../../etc/passwd': bytesOf('1'), '/root': bytesOf('2'), __proto__x: bytesOf('3') }),
    bounds,
  )

  assert.equal(readEntry(archive, '../../etc/passwd').toString(), '1')
  assert.equal(readEntry(archive, '/root').toString(), '2')
})

test('refuses a flat zip bomb by its directory', () => {
  const one = [new Uint8Array(40 * 1024 * 1024), { level: 9 }] as const

  assert.throws(
    () => checkArchive(zipSync({ bomb: [...one] }), bounds),
    refused('document_too_large', /larger than 32 MiB/),
  )
  assert.throws(
    () => checkArchive(zipSync({ bomb: [...one] }), { max_inflated_bytes: 1e9 }),
    refused('document_too_large', /100 times/),
  )
})

test('inflates a bomb with a false size no further than it declares', () => {
  const zip = zipSync({ bomb: [new Uint8Array(20 * 1024 * 1024), { level: 9 }] })
  const lying = patch(zip, DIRECTORY, (header) => header.writeUInt32LE(1000, 24))
  const archive = checkArchive(lying, bounds)
  const before = process.memoryUsage().arrayBuffers

  assert.throws(() => readEntry(archive, 'bomb'), refused('document_unreadable', /damaged/))

  assert.ok(process.memoryUsage().arrayBuffers - before < 1024 * 1024)
})

test('refuses entries that share bytes', () => {
  const zip = zipSync({ a: [bytesOf('a'.repeat(5000)), { level: 0 }], b: [bytesOf('b'.repeat(5000)), { level: 0 }] })
  const overlapping = patch(zip, DIRECTORY, (header) => header.writeUInt32LE(0, 42))

  assert.throws(() => checkArchive(overlapping, bounds), refused('document_unreadable', /damaged/))
})

test('refuses too many entries and archives nested too deeply', () => {
  const many: Zippable = {}
  for (let i = 0; i <= MAX_ENTRIES; i++) many[`${i}`] = new Uint8Array(0)
  assert.throws(() => checkArchive(zipSync(many), bounds), refused('document_too_large', /10000 parts/))

  const innermost = zipSync({ end: bytesOf('x') })
  const outer = checkArchive(zipSync({ inner: zipSync({ innermost }) }), bounds)
  const inner = checkArchive(readEntry(outer, 'inner'), bounds, outer)
  assert.throws(
    () => checkArchive(readEntry(inner, 'innermost'), bounds, inner),
    refused('document_too_large', /inside archives/),
  )
})

test('nested archives share one inflation limit', () => {
  const half = () => [Buffer.alloc(20 * 1024 * 1024, 'ab c'), { level: 0 }] as [Uint8Array, { level: 0 }]
  const roomy = { max_inflated_bytes: 64 * 1024 * 1024 }
  const outer = checkArchive(zipSync({ pad: half(), inner: [zipSync({ a: half() }), { level: 0 }] }), roomy)
  assert.ok(checkArchive(readEntry(outer, 'inner'), roomy, outer))

  const tight = checkArchive(zipSync({ pad: half(), inner: [zipSync({ a: half() }), { level: 0 }] }), {
    max_inflated_bytes: 45 * 1024 * 1024,
  })
  assert.throws(
    () => checkArchive(readEntry(tight, 'inner'), roomy, tight),
    refused('document_too_large', /larger than/),
  )
})

test('handles passwords, truncation, bit flips and random bytes without crashing', () => {
  const zip = zipSync({ a: bytesOf('hello hello hello hello'), b: bytesOf('c'.repeat(300)) })

  const locked = patch(zip, DIRECTORY, (header) => header.writeUInt16LE(1, 8))
  assert.throws(() => checkArchive(locked, bounds), refused('document_unreadable', /password/))
  for (let end = 0; end < zip.length; end++)
    assert.throws(() => checkArchive(zip.subarray(0, end), bounds), refused('document_unreadable', /damaged/))
  for (let at = 0; at < zip.length; at++) {
    const flipped = Buffer.from(zip)
    flipped[at] = (flipped[at] ?? 0) ^ 0x41
    try {
      const archive = checkArchive(flipped, bounds)
      for (const name of archive.entries.keys()) readEntry(archive, name)
    } catch (error) {
      assert.match((error as Unreadable).code, /^document_/, `byte ${at}`)
    }
  }
})
