import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOfText } from './text.ts'

const blocksOf = (text: string) =>
  blocksOfText(text).blocks.map(({ type, text, table }) => (table ? [table.rows, table.columns, text] : [type, text]))

test('a table of a database client is read, and the lines around it are paragraphs', () => {
  const blocks = blocksOf(
    'Prices\n name  | price \n-------+-------\n Pens  |  1.20 \n Paper |  3.00 \n(2 rows)\n\nThe end.\n',
  )

  assert.deepEqual(blocks, [
    ['paragraph', 'Prices'],
    [3, 2, 'name\tprice\nPens\t1.20\nPaper\t3.00'],
    ['paragraph', '(2 rows)'],
    ['paragraph', 'The end.'],
  ])
})

test('a table in a frame is read, also with empty cells and without lines between rows', () => {
  const framed = blocksOf('+----+-----+\n| id | due |\n+----+-----+\n|  1 | May |\n|    | Jun |\n+----+-----+\n')
  const bars = blocksOf('| a | b |\n| 1 | 2 |\n')

  assert.deepEqual(framed, [[3, 2, 'id\tdue\n1\tMay\n\tJun']])
  assert.deepEqual(bars, [[2, 2, 'a\tb\n1\t2']])
})

test('with lines between all rows, a line without a first cell continues the row above', () => {
  const lines = [
    '+-----+-------+',
    '| who | what  |',
    '+=====+=======+',
    '| Ada | roof, |',
    '|     | boil  |',
    '+-----+-------+',
    '| Bob | paint |',
    '+-----+-------+',
  ]

  assert.deepEqual(blocksOf(lines.join('\n')), [[3, 2, 'who\twhat\nAda\troof, boil\nBob\tpaint']])
})

test('bars that draw no table stay text', () => {
  for (const text of [
    'cat a.txt | grep b\ncat c.txt | wc -l',
    'Either | or.',
    '| a quote\n| in a mail',
    '| a | b |\n| 1 | 2 | 3 |',
    'before\n--------\nA | B\nafter',
  ])
    assert.deepEqual(blocksOf(text), [['paragraph', text]])
})

test('after very many cells the rest of a document stays text, because cells need far more memory', () => {
  const small = '| a | b |\n| 1 | 2 |'
  const large = '| a | b |\n'.repeat(110_000).trimEnd()

  const types = blocksOfText(`${small}\n\n${large}\n\n${small}`).blocks.map(({ type }) => type)

  assert.deepEqual(types, ['table', 'paragraph', 'paragraph'])
})
