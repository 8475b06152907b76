import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BOMB, blockLines, cellsOf, odfOf, openWith, pagesWith } from '../testing/office-files.ts'
import { ods } from './ods.ts'

const book = (tables: string, styles = '') =>
  odfOf('spreadsheet', `<office:spreadsheet>${tables}</office:spreadsheet>`, styles)
const cell = (text: string, attributes = '') =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`
const row = (cells: string, attributes = '') => `<table:table-row ${attributes}>${cells}</table:table-row>`
const empty = (times: number) => `<table:table-cell table:number-columns-repeated="${times}"/>`

test('shows cells as displayed, with spans, and trims the empty edge', async () => {
  const table = `<table:table table:name="Data">${row(empty(1), 'table:number-rows-repeated="7"')}
    ${row(`${empty(2)}${cell('title', 'table:number-columns-spanned="2"')}<table:covered-table-cell/>`)}
    ${row(`${empty(2)}${cell('15.11.2026', 'office:value-type="date"')}${cell('€ 5<office:annotation><text:p>why</text:p></office:annotation>')}${empty(1000)}`)}
    ${row(empty(1024), 'table:number-rows-repeated="1048560"')}</table:table>`

  const [page] = await pagesWith(ods, book(table))

  assert.deepEqual(blockLines(page), ['heading 1: Data', 'table: title\n15.11.2026\t€ 5'])
  assert.deepEqual(cellsOf(page?.blocks[1]), ['1,1 1x2 title', '2,1 1x1 15.11.2026', '2,2 1x1 € 5'])
})

test('each sheet is a page, in any order, and a hidden one is marked', async () => {
  const hidden =
    '<style:style style:name="H" style:family="table"><style:table-properties table:display="false"/></style:style>'
  const tables = ['a', 'b', 'c'].map(
    (name) =>
      `<table:table table:name="${name}" ${name === 'b' ? 'table:style-name="H"' : ''}>${row(cell(`in ${name}`))}</table:table>`,
  )
  const opened = await openWith(ods, book(tables.join(''), hidden))

  assert.equal(opened.page_count, 3)
  for (const [number, name] of [
    [3, 'c'],
    [1, 'a'],
    [2, 'b'],
  ] as const)
    assert.deepEqual(blockLines(await opened.page(number)), [`heading 1: ${name}`, `table: in ${name}`])
  assert.equal((await opened.page(2)).warnings.length, 1)
})

test('limits a cell that claims to repeat endlessly and warns', async () => {
  const table = `<table:table table:name="S">${row(cell('x', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1048576"')}</table:table>`

  const opened = await openWith(ods, book(table))
  const { blocks } = await opened.page(1)

  assert.match(opened.warnings.join(' '), /repeat/)
  assert.ok((blocks[1]?.table?.cells.length ?? 0) <= 100_000)
})

test('refuses a bomb and a truncated file', async () => {
  const whole = book(`<table:table>${row(cell('x'))}</table:table>`)

  await assert.rejects(openWith(ods, book(BOMB)), { code: 'document_too_large' })
  await assert.rejects(openWith(ods, whole.subarray(0, whole.length / 2)), { code: 'document_unreadable' })
  await assert.rejects(openWith(ods, book('')), { code: 'document_empty' })
})
