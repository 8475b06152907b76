import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passageOf } from './chunks.passages.rules.ts'

test('a passage starts with the title and headings that its text does not contain', () => {
  const text = 'Due on the first.\nMonthly   rent.'

  assert.equal(passageOf({ title: 'Lease', heading_path: ['Monthly rent', 'Dates'], text }), `Lease\nDates\n${text}`)
  assert.equal(passageOf({ title: 'monthly RENT', heading_path: [], text }), text)
  assert.equal(passageOf({ title: '', heading_path: [''], text }), text)
})

test('limits the text before a passage without splitting a character', () => {
  const passage = passageOf({ title: '😀'.repeat(500), heading_path: ['x'.repeat(300)], text: 'Text.' })

  assert.equal(passage, `${'😀'.repeat(300)}\nText.`)
})

test('indexes a table with its expanded rows', () => {
  const table = { text: 'Item\tPrice\nDoor\t90', expanded_text: 'Item: Door; Price: 90' }

  assert.equal(passageOf({ title: 'Offer', heading_path: [], ...table }), 'Offer\nItem: Door; Price: 90')
})
