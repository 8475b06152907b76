import assert from 'node:assert/strict'
import { test } from 'node:test'
import { belowBudget, countAssertions, findAssertions, overBudget } from './assertions.ts'

const budget = { 'no-non-null-assertion': 1, 'no-unsafe-type-assertion': 2 }
const finding = (code: string) => ({ code, filename: 'server/src/a.ts', labels: [{ span: { line: 7 } }] })

test('counts only the two rules', () => {
  const found = findAssertions({
    diagnostics: [
      finding('typescript(no-non-null-assertion)'),
      finding('typescript(no-unsafe-type-assertion)'),
      finding('eslint(no-console)'),
    ],
  })

  assert.deepEqual(found[0], { rule: 'no-non-null-assertion', file: 'server/src/a.ts', line: 7 })
  assert.deepEqual(countAssertions(found), { 'no-non-null-assertion': 1, 'no-unsafe-type-assertion': 1 })
})

test('fails if a count exceeds the budget by one', () => {
  assert.deepEqual(overBudget(budget, budget), [])
  assert.match(overBudget({ ...budget, 'no-non-null-assertion': 2 }, budget)[0] ?? '', /2 assertions, the budget is 1/)
})

test('asks to lower the budget if a count is below it', () => {
  assert.deepEqual(belowBudget(budget, budget), [])
  assert.match(belowBudget({ ...budget, 'no-unsafe-type-assertion': 0 }, budget)[0] ?? '', /Lower the budget/)
})
