import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Block } from '@octavo/contract'
import { Check } from 'typebox/value'
import { blocksOfDocument, InvalidDocument } from './docling-document.ts'
import type { JsonObject } from './json.ts'

type DoclingDocumentRecord = { document: { json_content: JsonObject } }
const recorded = JSON.parse(
  readFileSync(new URL('./recorded/lease.json', import.meta.url), 'utf8'),
) as DoclingDocumentRecord
const lease = recorded.document.json_content

const PAGES = { '1': { size: { width: 100, height: 200 }, page_no: 1 } }
const refs = (...paths: string[]) => paths.map((path) => ({ $ref: `#/${path}` }))
const documentOf = (children: JsonObject[], more: JsonObject = {}): JsonObject => ({
  schema_name: 'DoclingDocument',
  version: '1.10.0',
  pages: PAGES,
  body: { children },
  ...more,
})

test('converts a document to blocks in reading order', () => {
  const blocks = blocksOfDocument(lease)

  assert.deepEqual(
    blocks.map(({ type, text, level }) => [type, text, ...(level === undefined ? [] : [level])]),
    [
      ['header', 'Harbour Estates'],
      ['title', 'Lease of a workshop'],
      ['heading', 'Parties', 1],
      ['paragraph', 'The landlord lets the workshop at 4 Quay Street to the tenant.'],
      ['heading', 'Duties', 2],
      ['list_item', '1. Pay the rent by the third of each month.', 1],
      ['list_item', '2. Keep the workshop in good order:', 1],
      ['list_item', 'sweep it weekly', 2],
      ['paragraph', 'Table 1: Rent'],
      ['table', 'Year\tRent\nMonthly\tDeposit\n2026\t1,200\t3,600'],
      ['paragraph', 'Figure 1: The workshop'],
      ['figure', ''],
      ['paragraph', '☑ Keys were handed over'],
      ['code', 'REF 2026-0417'],
      ['footer', 'Page 1 of 3'],
    ],
  )
  for (const block of blocks) assert.ok(Check(Block, block), JSON.stringify(block))
})

test('boxes are fractions of the page from its top, for either coordinate origin', () => {
  const boxOf = (text: string) => blocksOfDocument(lease).find((block) => block.text === text)?.bbox

  assert.deepEqual(boxOf('Lease of a workshop'), [0.1, 0.08, 0.7, 0.12])
  assert.deepEqual(boxOf('Parties'), [0.1, 0.15, 0.3, 0.17])
})

test('cells keep their positions and spans', () => {
  const table = blocksOfDocument(lease).find(({ type }) => type === 'table')?.table

  assert.deepEqual([table?.rows, table?.columns, table?.cells.length], [3, 3, 7])
  assert.deepEqual(table?.cells[0], { row: 1, column: 1, row_span: 2, column_span: 1, text: 'Year' })
  assert.deepEqual(table?.cells[1], { row: 1, column: 2, row_span: 1, column_span: 2, text: 'Rent' })
})

test('places separate headers and footers around the body', () => {
  const texts = [
    { label: 'page_footer', text: 'foot' },
    { label: 'page_header', text: 'head' },
    { label: 'text', text: 'body' },
  ]
  const document = documentOf(refs('texts/2'), { texts, furniture: { children: refs('texts/0', 'texts/1') } })

  assert.deepEqual(
    blocksOfDocument(document).map(({ text }) => text),
    ['head', 'body', 'foot'],
  )
})

test('a figure contains its caption and inner text once', () => {
  const texts = [
    { label: 'caption', text: 'Sales' },
    { label: 'text', text: '2026' },
  ]
  const pictures = [{ label: 'picture', captions: refs('texts/0'), children: refs('texts/0', 'texts/1') }]

  const blocks = blocksOfDocument(documentOf(refs('pictures/0', 'texts/0'), { texts, pictures }))

  assert.deepEqual(blocks, [{ type: 'figure', text: 'Sales\n2026' }])
})

test('joins fragments of one line into a paragraph', () => {
  const texts = ['Pay', 'now', '.'].map((text) => ({ label: 'text', text }))
  const groups = [{ label: 'inline', children: refs('texts/0', 'texts/1') }]

  assert.deepEqual(blocksOfDocument(documentOf(refs('groups/0'), { texts, groups })), [
    { type: 'paragraph', text: 'Pay now' },
  ])
})

test('clips boxes to the page and merges several places into one box', () => {
  const at = (l: number, t: number, r: number, b: number) => ({
    page_no: 1,
    bbox: { l, t, r, b, coord_origin: 'TOPLEFT' },
  })
  const texts = [
    { label: 'text', text: 'far', prov: [at(-50, 20, 500, 9_999)] },
    { label: 'text', text: 'two', prov: [at(10, 20, 20, 40), at(50, 100, 60, 120)] },
    { label: 'text', text: 'odd', prov: [{ bbox: { l: 1, t: null, r: 2, b: 3 } }, 7] },
  ]

  assert.deepEqual(
    blocksOfDocument(documentOf(refs('texts/0', 'texts/1', 'texts/2'), { texts })).map(({ bbox }) => bbox),
    [[0, 0.1, 1, 1], [0.1, 0.1, 0.6, 0.6], undefined],
  )
})

test('refuses input that is not a document or has broken references', () => {
  const table = (data: JsonObject) => documentOf(refs('tables/0'), { tables: [{ label: 'table', data }] })
  const cell = (top: number, bottom: number) => ({
    text: 'x',
    start_row_offset_idx: top,
    end_row_offset_idx: bottom,
    start_col_offset_idx: 0,
    end_col_offset_idx: 1,
  })
  const wrong: JsonObject[] = [
    {},
    { schema_name: 'Other', body: {} },
    { schema_name: 'DoclingDocument' },
    documentOf(refs('texts/0')),
    documentOf(refs('__proto__/0')),
    documentOf([{ $ref: 'https://example.com/' }]),
    documentOf([{}]),
    table({}),
    table({ num_rows: 1e9, num_cols: 1, table_cells: [] }),
    table({ num_rows: 1, num_cols: 1, table_cells: [cell(0, 2)] }),
    table({ num_rows: 1, num_cols: 1, table_cells: [cell(1, 1)] }),
    table({ num_rows: 1, num_cols: 1, table_cells: [cell(0.5, 1)] }),
    table({ num_rows: 1, num_cols: 1, table_cells: [null] }),
  ]

  for (const document of wrong)
    assert.throws(() => blocksOfDocument(document), InvalidDocument, JSON.stringify(document))
})

test('terminates on cycles and deep nesting', () => {
  const circle = [
    { label: 'list', children: refs('groups/1') },
    { label: 'list', children: refs('groups/0', 'groups/1') },
  ]
  const deep = Array.from({ length: 50_000 }, (_, i) => ({ label: 'section', children: refs(`groups/${i + 1}`) }))
  const nested = Array.from({ length: 50_000 }, (_, i) => ({ label: 'picture', children: refs(`pictures/${i + 1}`) }))

  assert.deepEqual(blocksOfDocument(documentOf(refs('groups/0'), { groups: circle })), [])
  assert.throws(() => blocksOfDocument(documentOf(refs('groups/0'), { groups: deep })), InvalidDocument)
  assert.throws(() => blocksOfDocument(documentOf(refs('pictures/0'), { pictures: nested })), InvalidDocument)
})
