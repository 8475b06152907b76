import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Table } from '@octavo/contract'
import { expandRows } from './table-rows.ts'

/** `<` continues the cell on its left, `^` the cell above. */
function tableOf(...lines: string[][]): Table {
  const cells: Table['cells'] = []
  for (const [r, line] of lines.entries()) {
    for (const [c, text] of line.entries()) {
      if (text === '<' || text === '^') continue
      let [column_span, row_span] = [1, 1]
      while (line[c + column_span] === '<') column_span++
      while (lines[r + row_span]?.[c] === '^') row_span++
      cells.push({ row: r + 1, column: c + 1, row_span, column_span, text })
    }
  }
  return { rows: lines.length, columns: lines[0]?.length ?? 0, cells }
}

test('each row repeats the headers of its columns', () => {
  const table = tableOf(['Team', 'Wins', 'City'], ['Maple Leafs', '13', 'Toronto'], ['Rangers', '', 'New\nYork'])

  assert.deepEqual(expandRows(table), [
    null,
    'Team: Maple Leafs; Wins: 13; City: Toronto',
    'Team: Rangers; City: New York',
  ])
})

test('joins header rows, and a column without a header shows only its value', () => {
  const table = tableOf(['', 'Revenue', '<'], ['^', '2023', '2022'], ['North', '1,204', '998'])

  assert.deepEqual(expandRows(table), [null, null, 'North; Revenue 2023: 1,204; Revenue 2022: 998'])
})

test('a title above the headers or within the table becomes a line of text', () => {
  const table = tableOf(['Parts list', '<', '<'], ['Part', 'Hours', 'Price'], ['Labor', '', ''], ['Door', '2', '$90'])

  assert.deepEqual(expandRows(table), ['Parts list', null, 'Labor', 'Part: Door; Hours: 2; Price: $90'])
})

test('a table of labels and values has no header', () => {
  const table = tableOf(['Invoice no.:', 'INV-7'], ['Due', '12 May'])

  assert.deepEqual(expandRows(table), ['Invoice no.: INV-7', 'Due: 12 May'])
})

test('a first row of numbers is not a header', () => {
  assert.deepEqual(expandRows(tableOf(['North', '1,204', '3%'], ['South', '998', '1%'])), [
    'North; 1,204; 3%',
    'South; 998; 1%',
  ])
})

test('a table without rows has no lines', () => {
  assert.deepEqual(expandRows({ rows: 0, columns: 0, cells: [] }), [])
})
