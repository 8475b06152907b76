import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_PARTS } from '@octavo/contract'
import { partBytesOf, partsOf } from './uploads.rules.ts'

const MiB = 1024 * 1024

test('uses one PUT up to 64 MiB and parts of 16 MiB above', () => {
  assert.deepEqual([1, 64 * MiB, 64 * MiB + 1, 2_048 * MiB].map(partBytesOf), [null, null, 16 * MiB, 16 * MiB])
})

test('uses larger parts for a huge file to limit their number', () => {
  for (const size of [16_000 * MiB, 16_000 * MiB + 1, 5_000_000 * MiB + 7]) {
    const parts = partsOf(size, partBytesOf(size)!)
    assert.ok(parts.length <= MAX_PARTS, `${size}: ${parts.length}`)
  }
})

test('parts are contiguous, and the last one holds the remainder', () => {
  const parts = partsOf(64 * MiB + 1, 16 * MiB)

  assert.deepEqual(parts.at(-1), { number: 5, offset: 64 * MiB, size_bytes: 1 })
  let end = 0
  for (const [i, { number, offset, size_bytes }] of parts.entries()) {
    assert.deepEqual([number, offset], [i + 1, end])
    end += size_bytes
  }
  assert.equal(end, 64 * MiB + 1)
})

test('a file that fills its parts exactly has no empty part', () => {
  assert.deepEqual(
    partsOf(80 * MiB, 16 * MiB).map(({ size_bytes }) => size_bytes / MiB),
    [16, 16, 16, 16, 16],
  )
})
