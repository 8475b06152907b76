import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rangeOf } from './bytes.ts'

const spelled = (header: string | undefined, size = 100): string | null => {
  const range = rangeOf(header, size)
  return range === null || range === 'none' ? range : `${range.first}-${range.last}`
}

test('a range has a start and an end, only a start, or only a suffix length', () => {
  assert.deepEqual(
    ['bytes=0-0', 'bytes=10-19', 'bytes=90-', 'bytes=-10', ' bytes=0- '].map((header) => spelled(header)),
    ['0-0', '10-19', '90-99', '90-99', '0-99'],
  )
})

test('a range beyond the end stops at the end', () => {
  assert.deepEqual(
    ['bytes=90-1000', 'bytes=-1000', 'bytes=99-999999999999999'].map((header) => spelled(header)),
    ['90-99', '0-99', '99-99'],
  )
})

test('a range that starts after the end is empty', () => {
  assert.deepEqual(
    ['bytes=100-', 'bytes=100-200', 'bytes=-0', 'bytes=999999999999999-'].map((header) => spelled(header)),
    ['none', 'none', 'none', 'none'],
  )
})

test('ignores multiple ranges, other units and malformed ranges', () => {
  for (const header of [
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=5-2',
    'bytes=0-1,5-6',
    'items=0-1',
    'bytes=a-b',
    `bytes=0-${'9'.repeat(41)}`,
  ])
    assert.equal(spelled(header), null, String(header))
})
