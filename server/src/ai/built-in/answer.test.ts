import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Block } from '@octavo/contract'
import { textFromBlocks, textOfTable } from '../../lib/blocks.ts'
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
function tableOf(rows: string[][]): Block {
  const cells = rows.flatMap((row, i) =>
    row.map((text, j) => ({ row: i + 1, column: j + 1, row_span: 1, column_span: 1, text })),
  )
  const table = { rows: rows.length, columns: rows[0]!.length, cells }
  return { type: 'table', text: textOfTable(table), table }
}
const ask = (question: string, passages: readonly Passage[]) =>
  answerFrom(question, passages, { language: 'en', embed: null })

const LEASE = [
  passageOf(
    '😀 The lease begins on 1 March. The deposit of the lease is three months of rent and is paid before the keys are handed over.',
  ),
  passageOf('Pets are allowed with the written consent of the landlord. The garden is shared.'),
]

test('a sentence that answers comes back with its place', async () => {
  const { is_answered, best } = await ask('How many months of rent is the deposit of the lease?', LEASE)

  assert.equal(is_answered, true)
  assert.match(best!.text, /^The deposit of the lease is three months/)
  assert.equal([...LEASE[best!.passage]!.text].slice(best!.start, best!.end).join(''), best!.text)
})

test('a question that the passages leave open is refused', async () => {
  for (const question of ['Who insures the building against fire?', 'What is the capital of France?'])
    assert.equal((await ask(question, LEASE)).is_answered, false, question)
})

test('no passages are no answer', async () => {
  assert.deepEqual(await ask('Who pays?', []), { is_answered: false, best: null, confidence: 0 })
})

test('a letterhead is never an answer, the value of a field is', async () => {
  const receipt = pageOf([
    { type: 'heading', text: 'TECHMART ELECTRONICS' },
    { type: 'paragraph', text: 'Cashier: Emily Rodriguez\nSubtotal: $760.31\nTotal: $821.14' },
  ])

  const { best } = await ask('What was the total of the TechMart receipt?', [receipt])

  assert.deepEqual([best!.kind, best!.label, best!.text], ['field', 'Total', '$821.14'])
  assert.equal([...receipt.page.text].slice(best!.start, best!.end).join(''), '$821.14')
})

test('the cell at the named row and column is the answer, cited at its place', async () => {
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

test('an answer of another kind, or about another name or number, is refused', async () => {
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

test('a long sentence is cut to the part that answers', async () => {
  const text = `The committee, which had met for the first time in the spring, discussed the reports of its members at length, the session of the committee was closed at 16:05 by the chair, and the minutes of the meeting were sent to all members of the council within the week that followed.`

  const { best } = await ask('At what time was the session of the committee closed?', [passageOf(text)])

  assert.ok(best!.text.length <= 200 && best!.text.includes('16:05'), best!.text)
  assert.equal(text.slice(best!.start, best!.end), best!.text)
})
