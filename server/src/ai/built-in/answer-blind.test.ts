import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askPages, pageOf, paragraph, tableOf } from '../../testing/answer-pages.ts'

test('a sentence with everything that is asked is an answer, though the names are elsewhere on the page', async () => {
  const lease = pageOf(
    paragraph('On April 5, 2024, ACME Realty LLC, Landlord, leases to Jane Doe, Tenant, the house in Elm Street.'),
    paragraph('The prevailing party shall be entitled to recover reasonable costs of any action.'),
    paragraph('This lease shall be governed under the laws of California.'),
  )

  assert.match(
    (await askPages('Which law governs the lease between ACME Realty and Jane Doe?', lease)) ?? '',
    /California/,
  )
})

test('"this plan" does not say which plan', async () => {
  const plans = pageOf(paragraph('This plan also offers coverage for emergency services, both near and far.'))

  assert.equal(await askPages('Which plan offers coverage for emergency services?', plans), null)
})

test('the head of an email has its date', async () => {
  const mail = pageOf(
    paragraph('From: Sebastian Lee\nDate: 2025-02-17T10:19:05.000Z\nSubject: Hello'),
    paragraph('This is an example.'),
  )

  assert.match((await askPages('On what date was the message from Sebastian Lee sent?', mail)) ?? '', /2025-02-17/)
})

test('two postal codes are no telephone number', async () => {
  const bill = pageOf(paragraph('John Doe TSA 12345 12345 DEMOCITY CEDEX'))

  assert.equal(await askPages('What is the telephone number of John Doe?', bill), null)
})

test('a price is no count, and the column of another day is not the answer', async () => {
  const report = pageOf(
    paragraph('Tesla, Inc. As of October 18, 2024, the report counts its shares.'),
    tableOf([
      ['Item of Tesla', 'September 30, 2024', 'December 31, 2023'],
      ['Shares outstanding of Tesla', '3', '3'],
      ['Par value of shares of Tesla', '$0.001', '$0.001'],
    ]),
  )

  assert.equal(await askPages('How many shares of Tesla were outstanding as of October 18, 2024?', report), null)
})

test('a range of percentages is not cut in the middle', async () => {
  const paper = pageOf(
    paragraph(
      'Our evaluations showed that Gridnet outperforms strong baselines in all settings on all data sets, and achieves state-of-the-art performance on one of them, especially when facing answer-invariant row and column order perturbations (6% improvement over the best baseline), because the performance of previous models drops by 4% - 6% when facing such perturbations while Gridnet is not affected.',
    ),
  )

  assert.match(
    (await askPages(
      'By how much does the performance of previous models drop under row and column order perturbations?',
      paper,
    )) ?? '',
    /4% - 6%/,
  )
})

test('a colon after a space separates a label from its value', async () => {
  const bill = pageOf(paragraph('Type de compteur :Compteur Linky'), paragraph('Client : John Doe'))

  assert.match((await askPages('What is the type de compteur of John Doe?', bill)) ?? '', /Linky/)
})

test('the insured and the insurance are the same thing', async () => {
  const quote = pageOf(paragraph('AnyCo auto insurance'), paragraph('Name of driver:\nLeticia Jones'))

  assert.equal(await askPages('Who is the driver insured by AnyCo?', quote), 'Leticia Jones')
})

test('a French question for an amount expects an amount of money', async () => {
  const bill = pageOf(paragraph('Indemnité forfaitaire pour frais de recouvrement en cas de retard de paiement.'))

  assert.equal(
    await askPages("Quel est le montant de l'indemnité forfaitaire pour frais de recouvrement ?", bill),
    null,
  )
})

const SCHEDULE = pageOf(
  { type: 'title', text: 'Train schedule' },
  tableOf([
    ['Northbound weekend service to San Francisco', '', '', '', ''],
    ['Train No.', '221', '225', '229', '233'],
    ['Tamien', '7:12a', '9:05a', '10:05a', '11:05a'],
    ['Palo Alto', '7:52a', '9:46a', '10:46a', '11:46a'],
  ]),
)

test('a timetable answers when a train leaves, below the title of the table', async () => {
  assert.equal(await askPages('When does train 225 leave Tamien?', SCHEDULE), '9:05a')
  assert.equal(await askPages('When does train 221 leave Palo Alto?', SCHEDULE), '7:52a')
})

test('a rate does not say how many', async () => {
  const deaths = pageOf(
    tableOf([
      ['Year', 'Rate of accidental deaths', 'Population growth'],
      ['1995', '24.3', '1.9'],
      ['1996', '23.6', '1.8'],
    ]),
  )

  assert.equal(await askPages('How many accidental deaths were there in 1995?', deaths), null)
})

test('a duration has a number before its unit', async () => {
  const paper = pageOf(paragraph('The big Gridnet model has a training that outperforms 2 others with an early stop.'))

  assert.equal(await askPages('How long did the training of the big Gridnet model take?', paper), null)
})
