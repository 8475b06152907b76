import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Block } from '@octavo/contract'
import { captionKind, tieCaptions } from './captions.ts'

const paragraph = (text: string): Block => ({ type: 'paragraph', text })
const table: Block = { type: 'table', text: 'a\tb', table: { rows: 1, columns: 2, cells: [] } }
const figure: Block = { type: 'figure', text: '' }

test('a caption begins with the word for a table or figure and its number', () => {
  for (const text of ['Table 3. Sales', 'TABLE II', 'Tabelle 1: Umsatz', 'Table A-2 Sales', '表1 売上', 'Tab. 4'])
    assert.equal(captionKind(text), 'table', text)
  for (const text of ['Figure 2: Steps', 'Fig. 3b. Detail', 'Abb. 7 Aufbau', 'Рис. 1'])
    assert.equal(captionKind(text), 'figure', text)
})

test('a sentence about a table is not a caption', () => {
  for (const text of ['Table 3 shows the sales.', 'Figure 2, left, is new.', 'Tables are made of wood.', 'Figures 1'])
    assert.equal(captionKind(text), null, text)
})

test('assigns a caption to the table or figure next to it', () => {
  const blocks = [paragraph('Text.'), paragraph('Table 1. Sales'), table, figure, paragraph('Figure 1. Map')]

  const tied = tieCaptions(blocks)

  assert.deepEqual(
    tied.map(({ type, caption }) => [type, caption]),
    [
      ['paragraph', undefined],
      ['caption', undefined],
      ['table', 'Table 1. Sales'],
      ['figure', 'Figure 1. Map'],
      ['caption', undefined],
    ],
  )
})

test('a caption below a table belongs to it unless the table has one already', () => {
  const [first, , second, below] = tieCaptions([table, paragraph('Table 1. A'), table, paragraph('Table 2. B')])

  assert.deepEqual([first?.caption, second?.caption, below?.type], ['Table 1. A', 'Table 2. B', 'caption'])
})

test('a caption far from its table stays a paragraph', () => {
  const far: Block = { ...paragraph('Table 1. Sales'), bbox: [0.1, 0.1, 0.9, 0.12] }
  const low: Block = { ...table, bbox: [0.1, 0.6, 0.9, 0.9] }

  assert.deepEqual(
    tieCaptions([far, low]).map(({ type, caption }) => [type, caption]),
    [
      ['paragraph', undefined],
      ['table', undefined],
    ],
  )
})
