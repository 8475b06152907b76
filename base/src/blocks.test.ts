import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Block, MAX_BLOCKS, type Table } from '@octavo/contract'
import { markdownOf, paragraphsOf, textFromBlocks, textOfFields, textOfTable } from './blocks.ts'

const paragraph = (text: string): Block => ({ type: 'paragraph', text })
const item = (text: string, level = 1): Block => ({ type: 'list_item', text, level })
/** `1,2 2x1 text` is a cell at row 1, column 2 that spans two rows. */
function tableOf(rows: number, columns: number, ...lines: string[]): Table {
  const cells = lines.map((line) => {
    const [, row, column, row_span, column_span, text = ''] = /^(\d+),(\d+) (\d+)x(\d+) (.*)$/s.exec(line) ?? []
    return {
      row: Number(row),
      column: Number(column),
      row_span: Number(row_span),
      column_span: Number(column_span),
      text,
    }
  })
  return { rows, columns, cells }
}
const markdownOfText = (text: string): string => markdownOf([paragraph(text)])

test('separates blocks by an empty line and items of one list by a line break', () => {
  const { text } = textFromBlocks([paragraph('One'), item('a'), item('b'), paragraph('Two'), item('c')])

  assert.equal(text, 'One\n\na\nb\n\nTwo\n\nc')
})

test('each block is found at its span, and a block without text takes no space', () => {
  const blocks: Block[] = [
    { type: 'title', text: 'Lease' },
    { type: 'figure', text: '' },
    item('a'),
    { type: 'figure', text: '' },
    item('😀'),
  ]

  const { text, spans } = textFromBlocks(blocks)

  assert.equal(text, 'Lease\n\na\n😀')
  assert.deepEqual(
    spans.map(({ start, end }) => text.slice(start, end)),
    blocks.map((block) => block.text),
  )
})

test('table text has one line per row and a tab between cells', () => {
  const table = tableOf(2, 2, '1,1 1x1 Rent', '1,2 1x1 1,200\n euros', '2,1 1x2 in all')

  assert.equal(textOfTable(table), 'Rent\t1,200 euros\nin all')
})

test('Markdown has the structure of the blocks', () => {
  const blocks: Block[] = [
    { type: 'title', text: 'Lease' },
    { type: 'heading', text: 'Rent', level: 1 },
    { type: 'heading', text: 'Deep\nas it gets', level: 9 },
    paragraph('Each month.'),
    item('Gas'),
    item('Water\nand waste', 2),
    { type: 'code', text: 'a ``` b' },
    { type: 'figure', text: '' },
  ]

  assert.equal(
    markdownOf(blocks),
    '# Lease\n\n## Rent\n\n###### Deep as it gets\n\nEach month.\n\n- Gas\n  - Water and waste\n\n````\na ``` b\n````',
  )
})

test('a table keeps its grid: cells covered by a span stay empty', () => {
  const table = tableOf(3, 3, '1,1 1x2 Rent', '1,3 2x1 Due', '2,1 1x1 net', '2,2 1x1 gross', '3,1 1x3 a | b\nc')

  const markdown = markdownOf([{ type: 'table', text: '', table }])

  assert.equal(markdown, '| Rent |  | Due |\n| --- | --- | --- |\n| net | gross |  |\n| a \\| b c |  |  |')
})

test('ignores a table without cells and cells outside the grid', () => {
  assert.equal(markdownOf([{ type: 'table', text: 'x', table: tableOf(0, 0) }]), '')
  assert.equal(
    markdownOf([{ type: 'table', text: 'x', table: tableOf(1, 1, '1,1 1x1 a', '1,9 1x1 b', '7,1 1x1 c') }]),
    '| a |\n| --- |',
  )
})

test('escapes text that would be markup', () => {
  assert.equal(
    markdownOfText('*a* _b_ `c` [d](e) <f> \\ g|h ~~i~~ &lt; &#39;'),
    '\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\<f\\> \\\\ g\\|h \\~~i\\~~ \\&lt; \\&#39;',
  )
  assert.equal(
    markdownOfText('R&D costs ~5 % of a-b+c, see https://example.com/a'),
    'R&D costs ~5 % of a-b+c, see https://example.com/a',
  )
})

test('escapes a line that would be a heading, a list item or a rule', () => {
  const lines = [
    '# 7 Elm Street',
    '## 8',
    '- 5 degrees',
    '+ tax',
    '1. March',
    '12) x',
    '===',
    '---',
    ' -- ',
    '-',
    '3.',
    '#',
  ]

  assert.equal(
    markdownOfText(lines.join('\n')),
    [
      '\\# 7 Elm Street',
      '\\## 8',
      '\\- 5 degrees',
      '\\+ tax',
      '1\\. March',
      '12\\) x',
      '\\===',
      '\\---',
      ' \\-- ',
      '\\-',
      '3\\.',
      '\\#',
    ].join('\n'),
  )
  assert.equal(markdownOfText('#1 of 3\n-5 to 1.5\n2027 x'), '#1 of 3\n-5 to 1.5\n2027 x')
})

test('splits unstructured text into paragraphs and loses only white space', () => {
  assert.deepEqual(paragraphsOf('  One\nmore\n \t\n\n Two \n\n\n'), [paragraph('One\nmore'), paragraph('Two')])
  assert.deepEqual(paragraphsOf(' \n\n\t'), [])
})

test('converts a long page of any content to Markdown quickly', () => {
  for (const part of [
    ' ',
    '\n',
    ' \n',
    '=',
    '-',
    '- ',
    '#',
    '# ',
    '1',
    '1. ',
    '~',
    '&',
    '\\',
    '`',
    '`x',
    '\t|',
    'x\n',
  ]) {
    const text = `x${part.repeat(Math.floor(300_000 / part.length))}x`
    const start = performance.now()
    markdownOf([...paragraphsOf(text), { type: 'heading', text }, { type: 'code', text }])
    const ms = performance.now() - start
    assert.ok(ms < 1_500, `${JSON.stringify(part)}: ${Math.round(ms)} ms`)
  }
})

test('fields are lines of label and value, in text and in Markdown', () => {
  const fields = [
    { label: 'Name', value: 'Ada *L*' },
    { label: 'Signature', value: '' },
    { label: '', value: 'Berlin' },
  ]
  const text = textOfFields(fields)

  assert.equal(text, 'Name: Ada *L*\nSignature\nBerlin')
  assert.equal(markdownOf([{ type: 'fields', text, fields }]), 'Name: Ada \\*L\\*  \nSignature  \nBerlin')
})

test('running headers and footers appear in the blocks, but not in the text', () => {
  const blocks: Block[] = [
    { type: 'header', text: 'Report 3', is_running: true },
    { type: 'header', text: 'To the tenant' },
    { type: 'paragraph', text: 'Text.' },
    { type: 'footer', text: '3', is_running: true },
  ]

  assert.equal(textFromBlocks(blocks).text, 'To the tenant\n\nText.')
  assert.equal(markdownOf(blocks), 'To the tenant\n\nText.')
})

test('a text with very many paragraphs keeps all of its words in as many blocks as a page may have', () => {
  const blocks = paragraphsOf('a\n\n'.repeat(MAX_BLOCKS + 5))

  assert.equal(blocks.length, MAX_BLOCKS)
  assert.equal(blocks.at(-1)?.text, Array.from({ length: 6 }, () => 'a').join('\n\n'))
})
