import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { QuotedText } from './quotes.ts'

const page = new QuotedText(
  '😀 The “Tenant” pays 1,200 a month.\n\nRent is due on   the third day of each month, in advance, without any deduction.',
)
const slice = (text: string, start: number, end: number): string => [...text].slice(start, end).join('')

test('finds an exact quote with offsets in code points', () => {
  const found = page.find('1,200 a month')!

  assert.deepEqual([found.match, found.score, slice(page.text, found.start, found.end)], ['exact', 1, '1,200 a month'])
})

test('ignores case, white space and quotation marks and returns the text of the page', () => {
  const found = page.find('the "tenant" PAYS')!
  const wide = page.find('due on the third')!

  assert.deepEqual(
    [found.match, found.quote, slice(page.text, found.start, found.end)],
    ['folded', 'The “Tenant” pays', 'The “Tenant” pays'],
  )
  assert.equal(wide.quote, 'due on   the third')
})

test('finds a quote with a typo and returns its similarity', () => {
  const found = page.find('Rent is due on the thrid day of each month, in advance without deduction')!

  assert.equal(found.match, 'fuzzy')
  assert.ok(found.score >= 0.85 && found.score < 1, String(found.score))
  assert.ok(found.quote.startsWith('Rent is due'), found.quote)
})

test('does not match a quote with a different number', () => {
  const text = new QuotedText('The rent of this house is 1,200 a month and is due on the third.')

  assert.equal(text.find('The rent of this house is 1,300 a month and is due on the third.'), null)
  assert.equal(text.find('The rent of this hose is 1,200 a month and is due on the third')?.match, 'fuzzy')
})

test('treats digits of other scripts as numbers', () => {
  const text = new QuotedText('بلغ إيجار المتجر في السوق القديم ١٢٤٠ دينارا في الشهر منذ ذلك الحين.')

  assert.equal(text.find('بلغ إيجار المتجر في السوق القديم ١٣٤٠ دينارا في الشهر منذ ذلك الحين.'), null)
  assert.equal(text.find('بلغ إيجار المتجر في السوق القديم ١٢٤٠ دينارا')?.match, 'exact')
})

test('ignores invisible characters', () => {
  const text = new QuotedText('👨\u200d👩\u200d👧 The fam\u00adily \ufeff pays\u2060 on time\u{e0041}.')
  const found = text.find('👨👩👧 the family pays on time.')!

  assert.deepEqual([found.match, found.quote], ['folded', text.text])
  assert.equal(slice(text.text, found.start, found.end), found.quote)
})

test('does not find text that is not on the page', () => {
  for (const quote of [
    'The landlord pays 9,000 a year and more',
    '',
    '   ',
    'Rent is due on the first day of each year in arrears or never at all',
  ])
    assert.equal(page.find(quote), null, quote)
})

test('a found quote is always the text at its offsets', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.nat(80),
      fc.nat(80),
      fc.boolean(),
      (text, a, b, isFolded) => {
        const part = slice(text, Math.min(a, b), Math.max(a, b))
        const found = new QuotedText(text).find(isFolded ? part.toUpperCase() : part)
        if (found) assert.equal(slice(text, found.start, found.end), found.quote)
      },
    ),
    { numRuns: 500 },
  )
})

test('a long hostile text and quote take little time', () => {
  const began = process.cpuUsage()
  new QuotedText('ab '.repeat(300_000)).find(`${'ab '.repeat(180)}x`)
  new QuotedText('a'.repeat(900_000)).find('a'.repeat(599) + 'b')
  const { user, system } = process.cpuUsage(began)
  assert.ok(user + system < 3_000_000, `${user + system} µs`)
})
