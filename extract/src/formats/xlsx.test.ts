import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BOMB, blockLines, cellsOf, openWith, pagesWith, relationsXml, SHEET, zipOf } from '../testing/office-files.ts'
import { xlsx } from './xlsx.ts'

const book = (sheets: Record<string, string>, parts: Record<string, string> = {}, attributes = '') => {
  const names = Object.keys(sheets)
  return zipOf({
    '_rels/.rels': relationsXml('r1 officeDocument xl/workbook.xml'),
    'xl/workbook.xml': `<workbook ${SHEET}><sheets>${names.map((name) => `<sheet name="${name}" r:id="${name}" ${attributes}/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationsXml(
      ...names.map((name) => `${name} worksheet worksheets/${name}.xml`),
      's sharedStrings sharedStrings.xml',
      't styles styles.xml',
    ),
    'xl/sharedStrings.xml': `<sst ${SHEET}><si><t>shared</t></si><si><r><t>two </t></r><r><t>runs</t></r><rPh><t>sound</t></rPh></si></sst>`,
    'xl/styles.xml': `<styleSheet ${SHEET}><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="171" formatCode="[$€-407] #,##0.00"/></numFmts>
      <cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="10"/><xf numFmtId="171"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      names.map((name) => [`xl/worksheets/${name}.xml`, `<worksheet ${SHEET}>${sheets[name]}</worksheet>`]),
    ),
    ...parts,
  })
}
const number = (place: string, value: number | string, style = 0) => `<c r="${place}" s="${style}"><v>${value}</v></c>`
const text = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`

test('shows cells as displayed and trims the empty edge of a sheet', async () => {
  const rows = `<sheetData><row r="3"><c r="C3" t="s"><v>0</v></c><c r="D3" t="s"><v>1</v></c>${number('E3', 46341, 1)}</row>
    <row r="4">${number('C4', 0.1234, 2)}${number('D4', 1234.5, 3)}<c r="E4" t="b"><v>1</v></c></row>
    <row r="5">${number('C5', 0.30000000000000004)}${number('D5', '13.0')}<c r="E5" t="e"><v>#DIV/0!</v></c></row></sheetData>`

  const [page] = await pagesWith(xlsx, book({ Data: rows }))

  assert.deepEqual(blockLines(page), [
    'heading 1: Data',
    'table: shared\ttwo runs\t2026-11-15\n12.34%\t€ 1,234.50\tTRUE\n0.3\t13\t#DIV/0!',
  ])
})

test('shows a date stored as text in the format of its cell', async () => {
  const date = (place: string, value: string, style: number) => `<c r="${place}" t="d" s="${style}"><v>${value}</v></c>`
  const rows = `<sheetData><row r="1">${date('A1', '2026-11-15T00:00:00', 1)}${date('B1', '2026-11-15', 0)}${date('C1', 'soon', 1)}</row></sheetData>`

  const [page] = await pagesWith(xlsx, book({ S: rows }))

  assert.equal(page?.blocks[1]?.text, '2026-11-15\t2026-11-15\tsoon')
})

test('merged cells keep their span and hide the cells they cover', async () => {
  const rows = `<sheetData><row r="1">${text('A1', 'title')}${text('B1', 'covered')}</row><row r="2">${text('A2', 'a')}${text('B2', 'b')}</row></sheetData>
    <mergeCells><mergeCell ref="A1:B1"/></mergeCells>`

  const [page] = await pagesWith(xlsx, book({ S: rows }))

  assert.deepEqual(cellsOf(page?.blocks[1]), ['1,1 1x2 title', '2,1 1x1 a', '2,2 1x1 b'])
})

test('a sheet is a page, or several if long, and pages can be read in any order', async () => {
  const long = Array.from({ length: 4500 }, (_, i) => `<row r="${i + 1}">${number(`A${i + 1}`, i + 1)}</row>`).join('')
  const opened = await openWith(xlsx, book({ First: `<sheetData>${long}</sheetData>`, Empty: '<sheetData/>' }))
  const rowsOf = async (page: number) =>
    (await opened.page(page)).blocks.find(({ type }) => type === 'table')?.text.split('\n') ?? []

  assert.equal(opened.page_count, 4)
  assert.equal((await rowsOf(3)).at(-1), '4500')
  assert.equal((await rowsOf(1))[0], '1')
  assert.deepEqual((await rowsOf(2)).slice(0, 1), ['2001'])
  assert.deepEqual((await opened.page(4)).blocks, [])
})

test('marks a hidden sheet', async () => {
  const [page] = await pagesWith(
    xlsx,
    book({ S: `<sheetData><row r="1">${text('A1', 'x')}</row></sheetData>` }, {}, 'state="hidden"'),
  )

  assert.equal(page?.warnings.length, 1)
})

test('two cells at opposite corners of a sheet become two small tables', async () => {
  const rows = `<sheetData><row r="1">${text('A1', 'near')}</row><row r="1048576">${text('XFD1048576', 'far')}</row></sheetData>`

  const pages = await pagesWith(xlsx, book({ S: rows }))

  assert.equal(pages.length, 1)
  assert.deepEqual(
    pages[0]?.blocks.map(({ table }) => (table ? table.rows * table.columns : 0)),
    [0, 2, 2],
  )
})

test('limits the text of cells that share a long string', async () => {
  const rows = Array.from(
    { length: 1000 },
    (_, i) => `<row r="${i + 1}"><c r="A${i + 1}" t="s"><v>0</v></c></row>`,
  ).join('')
  const shared = `<sst ${SHEET}><si><t>${'x'.repeat(40_000)}</t></si></sst>`
  const opened = await openWith(xlsx, book({ S: `<sheetData>${rows}</sheetData>` }, { 'xl/sharedStrings.xml': shared }))

  const { blocks } = await opened.page(1)

  assert.ok(opened.page_count > 10)
  assert.ok((blocks[1]?.text.length ?? 0) <= 520_000)
})

test('refuses a bomb and a truncated file', async () => {
  const whole = book({ S: '<sheetData/>' })

  await assert.rejects(openWith(xlsx, book({ S: BOMB })), { code: 'document_too_large' })
  await assert.rejects(openWith(xlsx, whole.subarray(0, whole.length - 30)), { code: 'document_unreadable' })
  await assert.rejects(openWith(xlsx, book({ S: '<sheetData><row>' })), { code: 'document_unreadable' })
})
