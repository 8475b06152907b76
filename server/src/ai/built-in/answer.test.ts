import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textFromBlocks } from '@octavo/base/blocks.ts'
import type { Block } from '@octavo/contract'
import { tableOf } from '../../testing/answer-pages.ts'
import { answerFrom } from './answer.ts'
import type { Passage } from './answer-candidates.ts'

const passageOf = (text: string, document = text): Passage => ({
  text,
  start: 0,
  title: '',
  headings: [],
  document,
  page: { text, language: 'en', blocks: null },
})
function pageOf(blocks: Block[], title = ''): Passage {
  const { text } = textFromBlocks(blocks)
  return { text, start: 0, title, headings: [], document: text, page: { text, language: 'en', blocks } }
}
const ask = (question: string, passages: readonly Passage[]) =>
  answerFrom(question, passages, { language: 'en', embed: null })

const LEASE = [
  passageOf(
    '😀 The lease begins on 1 March. The deposit of the lease is three months of rent and is paid before the keys are handed over.',
  ),
  passageOf('Pets are allowed with the written consent of the landlord. The garden is shared.'),
]

test('returns the answering sentence with its place', async () => {
  const { is_answered, best } = await ask('How many months of rent is the deposit of the lease?', LEASE)

  assert.equal(is_answered, true)
  assert.match(best!.text, /^The deposit of the lease is three months/)
  assert.equal([...LEASE[best!.passage]!.text].slice(best!.start, best!.end).join(''), best!.text)
})

test('refuses a question that the passages do not answer', async () => {
  for (const question of ['Who insures the building against fire?', 'What is the capital of France?'])
    assert.equal((await ask(question, LEASE)).is_answered, false, question)
})

test('refuses a question without passages', async () => {
  assert.deepEqual(await ask('Who pays?', []), { is_answered: false, best: null, second: null, confidence: 0 })
})

test('answers with the value of a field, never with a letterhead', async () => {
  const receipt = pageOf([
    { type: 'heading', text: 'TECHMART ELECTRONICS' },
    { type: 'paragraph', text: 'Cashier: Emily Rodriguez\nSubtotal: $760.31\nTotal: $821.14' },
  ])

  const { best } = await ask('What was the total of the TechMart receipt?', [receipt])

  assert.deepEqual([best!.kind, best!.label, best!.text], ['field', 'Total', '$821.14'])
  assert.equal([...receipt.page.text].slice(best!.start, best!.end).join(''), '$821.14')
})

test('answers with the cell at the named row and column and cites its place', async () => {
  const page = pageOf([
    { type: 'paragraph', text: 'Extended inventory review:' },
    tableOf([
      ['Product code', 'Category', 'Unit cost'],
      ['SKU-8847', 'Electronics', '$45.00'],
      ['SKU-6678', 'Hardware', '$200.00'],
    ]),
  ])

  const { is_answered, best } = await ask('What is the unit cost of SKU-6678?', [page])

  assert.deepEqual([is_answered, best!.kind, best!.text], [true, 'cell', '$200.00'])
  assert.equal([...page.page.text].slice(best!.start, best!.end).join(''), '$200.00')
})

test('refuses an answer of another kind or about another name or number', async () => {
  const page = pageOf([
    { type: 'paragraph', text: 'Claim number: SF-1008\nPolicy number: POL-2022-555\nInsured name: Gabriel Diaz' },
  ])

  for (const question of [
    'What is the deductible on policy POL-2022-555?',
    'What is the claim number of Bruce Wayne?',
    'When does policy POL-2022-555 end?',
  ])
    assert.equal((await ask(question, [page])).is_answered, false, question)
})

test('cuts a long sentence to the part that answers', async () => {
  const text = `The committee, which had met for the first time in the spring, discussed the reports of its members at length, the session of the committee was closed at 16:05 by the chair, and the minutes of the meeting were sent to all members of the council within the week that followed.`

  const { best } = await ask('At what time was the session of the committee closed?', [passageOf(text)])

  assert.ok(best!.text.length <= 200 && best!.text.includes('16:05'), best!.text)
  assert.equal(text.slice(best!.start, best!.end), best!.text)
})

test('refuses to answer with an empty field', async () => {
  const form = pageOf([{ type: 'paragraph', text: 'VIN: XXX\nPlate: N/A\nOwner: Gabriel Diaz' }])

  for (const question of ['What is the VIN?', 'What is the plate number?'])
    assert.equal((await ask(question, [form])).is_answered, false, question)
})

test('answers with a field whose label matches the question exactly', async () => {
  const invoice = pageOf([
    { type: 'paragraph', text: 'Factuurnummer: 993548900\nOrdernummer: 55120\nKlantnummer: 8812' },
    { type: 'paragraph', text: 'Je kunt je factuur altijd terugvinden in je mail of in je account bij Northwind.' },
  ])
  const dutch = { ...invoice, page: { ...invoice.page, language: 'nl' } }

  const { is_answered, best, confidence } = await answerFrom(
    'Wat is het factuurnummer van de factuur van Northwind?',
    [passageOf('Northwind stuurt je factuur per mail.'), passageOf('Een factuur van Northwind is niet nodig.'), dutch],
    { language: 'nl', embed: null },
  )

  assert.deepEqual([is_answered, best?.text], [true, '993548900'])
  assert.ok(confidence >= 0.3)
})

test('names a row that begins with a number by its first words', async () => {
  const table = tableOf([
    ['#', 'Screen', 'Feature', 'Shows', 'Rate'],
    ['1', 'SCR-1', 'Holiday Spectacular', '30', '$200'],
    ['2', 'SCR-2', 'Winter Wonderland', '24', '$150'],
  ])

  const { is_answered, best } = await ask('What is the rate per show of Winter Wonderland?', [pageOf([table])])

  assert.deepEqual([is_answered, best?.text], [true, '$150'])
})

test('the verb of "how much" and "how many" may be missing from the table', async () => {
  const pay = tableOf([
    ['Payee', 'Description', 'Amount ($)'],
    ['ENGLERT, PAYTON A', 'STAFF ASSISTANT', '25,499.96'],
    ['MILLER, ANNA', 'CLERK', '19,000.00'],
  ])

  const { is_answered, best } = await ask('How much was Payton Englert paid?', [pageOf([pay])])

  assert.deepEqual([is_answered, best?.text], [true, '25,499.96'])
  assert.equal((await ask('How much was Peter Nobody paid?', [pageOf([pay])])).is_answered, false)
})

test('answers with a full sentence detected as a heading, but not with an exclamation', async () => {
  const bill = pageOf([
    { type: 'paragraph', text: 'Garden work: 28 hours\nBill amount: 3,949.75' },
    { type: 'heading', text: 'Please pay the bill for the garden work within 30 days.' },
  ])
  const mail = passageOf('Get excited for our first annual family day! We will have face painting and a petting zoo.')

  const { best } = await ask('Within how many days must the garden work bill be paid?', [bill])

  assert.match(best?.text ?? '', /within 30 days/)
  assert.doesNotMatch((await ask('What will there be at the family day?', [mail])).best?.text ?? '', /excited/)
})

test('answers when something is due with a recurring date or a deadline', async () => {
  for (const [question, text] of [
    ['When is the rent due?', 'The rent of 1,200 euros is due on the third of each month.'],
    ['When is the invoice due?', 'The invoice is due within thirty (30) days after the delivery.'],
    ['Wann ist die Miete fällig?', 'Die Miete ist am dritten Werktag jedes Monats fällig.'],
  ] as const)
    assert.equal((await ask(question, [passageOf(text)])).best?.text, text)

  assert.equal((await ask('When is the rent due?', [passageOf('The rent is due to the landlord.')])).is_answered, false)
})
