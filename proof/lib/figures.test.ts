import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figuresTable } from './figures.ts'

test('the table has a row for each guarantee that was measured', () => {
  const proofs = new Map([
    ['slots', { promise: 'No slot is lost.', goal: '0 | lost' }],
    ['chat', { promise: 'Every outcome ends.', goal: 'all' }],
  ])

  const table = figuresTable(proofs, new Map([['slots', { figure: '0 lost', date: '2026-11-16' }]]))

  assert.match(table, /^\| \*\*slots\*\*: No slot is lost\. \| 0 \\\| lost \| 0 lost \| 2026-11-16 \|$/m)
  assert.doesNotMatch(table, /chat|not measured/)
})

test('a row keeps the goal that its result was measured against', () => {
  const proofs = new Map([['slots', { promise: 'No slot is lost.', goal: '0 lost of 2,000' }]])
  const about = '**slots**: No slot is lost. | 0 lost of 1,000'

  const table = figuresTable(proofs, new Map([['slots', { about, figure: '0 lost', date: '2026-11-16' }]]))

  assert.match(table, /0 lost of 1,000 \| 0 lost \| 2026-11-16/)
})
