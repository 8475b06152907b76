import assert from 'node:assert/strict'
import test from 'node:test'
import { figuresOf } from './figures.ts'
import { SUPPORT_THRESHOLD, signsOf, supports } from './support.ts'

const passage =
  'The Tenant, Anna Whitfield, shall pay a monthly rent of 1,280 euros for seven years, beginning on 29 July 2026.'

test('figures and dates are the same in whatever way they are written', () => {
  const english = figuresOf(
    'On May 8, 2026 it paid 2,940.50 for seven of 12 items, and 3 March 2025 was before.',
  ).figures
  const others = figuresOf('2025-03-03, am 08.05.2026: 2.940,5 für 7 von 12').figures

  assert.deepEqual(english, new Set(['2026-05-08', '2025-03-03', '2940.5', '12', '7']))
  assert.deepEqual([...others].toSorted(), [...english].toSorted())
  assert.deepEqual(figuresOf('Zahlbar bis 3. März 2025, 1’200 Fr.').figures, new Set(['2025-03-03', '1200']))
})

test('a figure or a name that the passage does not have is a sign against the claim', () => {
  assert.equal(
    signsOf({ claim: 'Anna Whitfield pays 1280 euros from July 29, 2026.', passage }, null).missing_figures,
    0,
  )
  assert.equal(
    signsOf({ claim: 'Anna Whitfield pays 1380 euros from July 29, 2026.', passage }, null).missing_figures,
    0.75,
  )
  assert.equal(signsOf({ claim: 'The rent of Ruth Okafor is 1280 euros.', passage }, null).missing_names, 1)
  assert.equal(signsOf({ claim: 'The rent of Anna Whitfield is 1280 euros.', passage }, null).missing_names, 0)
})

test('without vectors, words and figures decide', async () => {
  const claims = [
    'Anna Whitfield shall pay a rent of 1280 euros.',
    'Ruth Okafor shall pay a rent of 990 euros.',
    'The bridge was closed to lorries.',
    'Anna Whitfield shall pay a rent of 1290 euros.',
  ]
  const scores = await supports(
    claims.map((claim) => ({ claim, passage })),
    null,
  )

  assert.deepEqual(
    scores.map((score) => score >= SUPPORT_THRESHOLD),
    [true, false, false, false],
  )
})

test('the nearest sentence of a passage counts, and vectors decide where words differ', async () => {
  const near = new Float32Array([1, 0])
  const far = new Float32Array([0, 1])
  const embed = async (texts: string[]) =>
    texts.map((text) => (/remote|home/.test(text) && !/Dogs/.test(text) ? near : far))
  const pairs = [
    {
      claim: 'Employees can do their job remotely.',
      passage: 'Dogs are welcome. Staff may work from home on any day.',
    },
    { claim: 'Employees can do their job remotely.', passage: 'Dogs are welcome. The canteen is open at noon.' },
  ]
  const [right, wrong] = (await supports(pairs, { embed, model: 'all-minilm-l6-v2' })) as [number, number]

  assert.ok(right >= SUPPORT_THRESHOLD && wrong < SUPPORT_THRESHOLD, `${right} ${wrong}`)
})

test('a model without weights is not asked', async () => {
  const embed = () => Promise.reject(new Error('asked'))

  const [score] = await supports([{ claim: 'Anna Whitfield pays rent.', passage }], { embed, model: 'another' })

  assert.ok(score !== undefined && score > 0 && score < 1)
})

test('long and strange texts take no time', async () => {
  const texts = [
    '1,'.repeat(200_000),
    'A'.repeat(300_000),
    'Not '.repeat(100_000),
    "1'".repeat(100_000),
    'jan '.repeat(100_000),
    '',
  ]
  const began = performance.now()
  for (const claim of texts) await supports([{ claim, passage: claim }], null)

  assert.ok(performance.now() - began < 5_000)
})
