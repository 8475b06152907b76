import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passageOf } from './chunks.passages.rules.ts'

test('a passage says what it stands under, where its text does not', () => {
  const text = 'Due on the first.\nMonthly   rent.'

  assert.equal(passageOf({ title: 'Lease', heading_path: ['Monthly rent', 'Dates'], text }), `Lease\nDates\n${text}`)
  assert.equal(passageOf({ title: 'monthly RENT', heading_path: [], text }), text)
  assert.equal(passageOf({ title: '', heading_path: [''], text }), text)
})

test('what stands before the text is short, and no sign of it is halved', () => {
  const passage = passageOf({ title: '😀'.repeat(500), heading_path: ['x'.repeat(300)], text: 'Text.' })

  assert.equal(passage, `${'😀'.repeat(300)}\nText.`)
})

test('a table is indexed with its rows written out', () => {
  const table = { text: 'Item\tPrice\nDoor\t90', expanded_text: 'Item: Door; Price: 90' }

  assert.equal(passageOf({ title: 'Offer', heading_path: [], ...table }), 'Offer\nItem: Door; Price: 90')
})
