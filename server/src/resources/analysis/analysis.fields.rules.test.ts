import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataOf, fieldsOf, mergeTrees, type Node, pointerOf, treeOf } from './analysis.fields.rules.ts'
import { findForm, formsOf } from './analysis.values.rules.ts'

const tree = (value: unknown, confidence = 0.9): Node => treeOf(value, () => ({ confidence, citations: [] }))
function merged(...nodes: Node[]): { data: unknown; told: string[]; confidence: number[] } {
  const told: string[] = []
  const whole = nodes.reduce((a, b) => mergeTrees(a, b, (path) => told.push(path)))
  return { data: dataOf(whole), told, confidence: fieldsOf(whole).fields.map(({ confidence }) => confidence) }
}

test('every value has a pointer that resolves to it', () => {
  const data = { 'a/b': { '~': [1, null, { c: 'x' }] }, empty: {}, none: [] }

  const { fields } = fieldsOf(tree(data))

  assert.deepEqual(
    fields.map(({ path, value }) => [path, value]),
    [
      ['/a~1b/~0/0', 1],
      ['/a~1b/~0/1', null],
      ['/a~1b/~0/2/c', 'x'],
    ],
  )
  assert.deepEqual(dataOf(tree(data)), data)
})

test('a property named like a prototype member is an ordinary property', () => {
  const data = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}') as object

  assert.equal(JSON.stringify(dataOf(mergeTrees(tree(data), tree({}), () => {}))), JSON.stringify(data))
})

test('fills values missing in one part from another', () => {
  assert.deepEqual(merged(tree({ a: null, b: 1 }), tree({ a: 'x', b: null, c: true })), {
    data: { a: 'x', b: 1, c: true },
    told: [],
    confidence: [0.9, 0.9, 0.9],
  })
})

test('keeps the better supported of two contradicting values, with lower confidence', () => {
  assert.deepEqual(merged(tree({ a: 1 }, 0.2), tree({ a: 2 }, 0.95)), {
    data: { a: 2 },
    told: ['/a'],
    confidence: [0.5],
  })
  assert.deepEqual(merged(tree({ a: 1 }, 0.95), tree({ a: 2 }, 0.95)), {
    data: { a: 1 },
    told: ['/a'],
    confidence: [0.5],
  })
  assert.deepEqual(merged(tree({ a: 'One  Two' }, 0.2), tree({ a: 'one two' }, 0.95)), {
    data: { a: 'One  Two' },
    told: [],
    confidence: [0.95],
  })
})

test('joins lists and removes duplicates regardless of property order', () => {
  const { data } = merged(tree([{ n: 'Flour', p: 1 }, 'x']), tree([{ p: 1, n: 'flour' }, { n: 'Yeast' }]))

  assert.deepEqual(data, [{ n: 'Flour', p: 1 }, 'x', { n: 'Yeast' }])
})

test('parses locations in the notations that models use', () => {
  const written = {
    '/a/0/b': '/a/0/b',
    '$.a[0].b': '/a/0/b',
    'a.0.b': '/a/0/b',
    "$['a'][0]": '/a/0',
    a: '/a',
    $: '',
    '/a/': '/a',
    ' /a ': '/a',
  }

  for (const [text, pointer] of Object.entries(written)) assert.equal(pointerOf(text), pointer, text)
})

test('finds values in the notations that people use', () => {
  const places: [string | number, string, string | null][] = [
    [1056, 'The total is €1,056.00.', '1,056.00'],
    [1056, 'Summe: 1.056,00 EUR', '1.056,00'],
    [1056, 'Summe: 1.056 EUR', '1.056'],
    [1056.5, 'total 1 056,50', '1 056,50'],
    [12, 'in 2012 there were 12, of them 3.12 broken', '12'],
    [12, 'in 2012 and 3.12 or 12.5', null],
    [0, 'the rest is 0.', '0'],
    [50, 'weighs 50kg', '50'],
    ['2026-05-08', 'Date: May 8, 2026', 'May 8, 2026'],
    ['2026-05-08', 'am 8. Mai 2026', '8. Mai 2026'],
    ['2026-05-08', 'le 8 mai 2026', '8 mai 2026'],
    ['2026-05-08', '08.05.2026', '08.05.2026'],
    ['US', 'business as usual in the US', 'US'],
    ['Ada  Byron', 'signed: ADA\nBYRON', 'ADA\nBYRON'],
    ['C++ (new)', 'in C++ (new) style', 'C++ (new)'],
    ['東京', '彼は東京に住む', '東京'],
    ['-', 'a - b', '-'],
  ]

  for (const [value, text, expected] of places) {
    const found = formsOf(value)
      .map((form) => findForm(text, form))
      .find((place) => place !== null)
    assert.equal(found ? text.slice(found.start, found.end) : null, expected, `${value} in ${text}`)
  }
})
