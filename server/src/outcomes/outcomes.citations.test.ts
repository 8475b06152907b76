import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textFromBlocks } from '@octavo/base/blocks.ts'
import type { Block } from '@octavo/contract'
import { CitationResolver, type Source } from './outcomes.citations.ts'

const blocks: Block[] = [
  { type: 'paragraph', text: 'The rent is due on the third day.' },
  { type: 'heading', level: 2, text: 'Late payment' },
  { type: 'paragraph', text: 'Late rent bears interest.' },
  { type: 'heading', level: 1, text: 'Repairs' },
  { type: 'paragraph', text: 'The landlord repairs the roof.' },
]
const page: Source = {
  document_id: null,
  page_id: null,
  page_number: 2,
  text: textFromBlocks(blocks).text,
  sha256: '',
  language: 'en',
  blocks,
  headings_before: [
    { level: 0, text: 'Lease' },
    { level: 1, text: 'Payment' },
    { level: 2, text: 'Rent' },
  ],
}
const pathOf = (quote: string, source = page) => new CitationResolver().quote(quote, [source])?.heading_path

test('a citation names the headings above its quote, also those of earlier pages', () => {
  assert.deepEqual(pathOf('due on the third day'), ['Lease', 'Payment', 'Rent'])
  assert.deepEqual(pathOf('Late rent bears interest.'), ['Lease', 'Payment', 'Late payment'])
  assert.deepEqual(pathOf('repairs the roof'), ['Lease', 'Repairs'])
})

test('a text without blocks has the headings of the page before it', () => {
  assert.deepEqual(pathOf('repairs the roof', { ...page, blocks: null }), ['Lease', 'Payment', 'Rent'])
  assert.deepEqual(pathOf('repairs the roof', { ...page, blocks: null, headings_before: [] }), [])
})
