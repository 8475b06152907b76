import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByDay, ByName } from './reports.figures.ts'

const about = { title: 'Labels', x: 'Label', y: 'Texts' }

test('sorts names by amount and leaves out those without any', () => {
  const names = new ByName()
  for (const [name, amount] of [
    ['b', 1],
    ['a', 2_000_000],
    ['c', 0],
    ['b', 2],
  ] as const)
    names.add(name, amount)

  const [chart] = names.chart(about, 1_000_000)

  assert.deepEqual(chart?.data, [
    { x: 'a', y: 2 },
    { x: 'b', y: 0.000003 },
  ])
  assert.deepEqual(new ByName().chart(about), [])
})

test('groups names beyond the limit as all others without losing any', () => {
  const names = new ByName()
  for (let i = 0; i < 5_000; i++) names.add(`name ${i}`, i === 7 ? 50 : 1)

  const { data } = names.chart(about)[0]!

  assert.deepEqual(
    [data.length, data[0], data.at(-1)],
    [30, { x: 'name 7', y: 50 }, { x: '(all others)', y: 5_049 - 50 - 28 }],
  )
  const thirty = new ByName()
  for (let i = 0; i < 30; i++) thirty.add(`name ${i}`)
  assert.equal(thirty.chart(about)[0]?.data.at(-1)?.x, 'name 29')
})

test('shows days without data as zero and groups many days by month', () => {
  const [few, many] = [new ByDay(), new ByDay()]
  few.add('2026-03-03T01:00:00.000Z')
  few.add('2026-03-01', 2)
  for (const day of ['2024-01-31', '2024-02-01', '2026-03-01']) many.add(day)

  const [days, months] = [
    few.chart({ title: 'New', y: 'Documents' })[0]!,
    many.chart({ title: 'New', y: 'Documents' })[0]!,
  ]

  assert.deepEqual(
    days.data.map(({ x, y }) => [x, y]),
    [
      ['2026-03-01', 2],
      ['2026-03-02', 0],
      ['2026-03-03', 1],
    ],
  )
  assert.deepEqual([days.title, months.title, months.data.length], ['New by day', 'New by month', 27])
  assert.deepEqual(
    [months.data[0], months.data.at(-1)],
    [
      { x: '2024-01-01', y: 1 },
      { x: '2026-03-01', y: 1 },
    ],
  )
  assert.deepEqual(new ByDay().chart({ title: 'New', y: 'Documents' }), [])
})
