import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askPages, pageOf, paragraph, tableOf } from '../../testing/answer-pages.ts'

test('a sentence that announces a list is answered with the list', async () => {
  const perks = pageOf(
    paragraph('PerksPlus pays for fitness. Some of the lessons covered under PerksPlus include:'),
    { type: 'list_item', text: 'Skiing lessons' },
    { type: 'list_item', text: 'Scuba diving lessons' },
    paragraph('These lessons let employees try new things.'),
  )

  const answer = (await askPages('Which lessons are covered under PerksPlus?', perks)) ?? ''
  assert.match(answer, /include:\s+Skiing lessons\s+Scuba diving lessons$/)
})

test('a sentence that only announces something is no answer', async () => {
  const perks = pageOf(paragraph('Some of the lessons covered under PerksPlus include the following ones:'))

  assert.equal(await askPages('Which lessons are covered under PerksPlus?', perks), null)
})

test('a large number is answered with its caption', async () => {
  const facts = pageOf(
    { type: 'title', text: 'Gridco fact sheet' },
    { type: 'heading', text: '98,000+ MW' },
    paragraph('expected capacity for the summer peak of Gridco'),
    { type: 'heading', text: '37,725 MW' },
    paragraph('of installed wind capacity as of July 2023, the most of any Gridco region'),
  )

  assert.match((await askPages('How much installed wind capacity does Gridco have?', facts)) ?? '', /37,725 MW/)
})

test('how often something happens is answered with a frequency', async () => {
  const promise = paragraph('Performance reviews at Zava are conducted with care, since they matter to us.')
  const handbook = pageOf(promise, paragraph('Performance reviews are conducted annually by the manager.'))

  assert.equal(await askPages('How often are performance reviews conducted at Zava?', pageOf(promise)), null)
  assert.match((await askPages('How often are performance reviews conducted at Zava?', handbook)) ?? '', /annually/)
})

test('a date is no answer to how many', async () => {
  const facts = pageOf(paragraph('The Gridco members met on August 20, 2023 in the town hall.'))

  assert.equal(await askPages('How many members does Gridco have?', facts), null)
})

test('inflected verbs match the head of a column, and any cell can name the row', async () => {
  const races = pageOf(
    paragraph('Results of each race of the Swedish championship'),
    tableOf([
      ['Round', 'Circuit', 'Date', 'Pole position', 'Winning driver'],
      ['1', 'Karlskoga', '14 May', 'Rickard Rydell', 'Jan Nilsson'],
      ['3', 'Anderstorp', '18 June', 'Jens Edman', 'Richard Göransson'],
    ]),
  )

  assert.match((await askPages('Who won the race at Anderstorp?', races)) ?? '', /Göransson/)
  assert.match((await askPages('On what date was the race at Anderstorp?', races)) ?? '', /18 June/)
})

test('the head of a letter says who wrote it', async () => {
  const letter = pageOf(
    paragraph('From: Mallori Harrell\nTo: Ann Lee\nDate: 2022-12-21\nSubject: Family Day'),
    paragraph('Get excited for our first family day!'),
  )

  assert.equal(await askPages('Who sent the message about the family day?', letter), 'Mallori Harrell')
})

test('a currency sign in its own cell is neither a value nor a label', async () => {
  const bill = pageOf(
    paragraph('Example Company'),
    tableOf([
      ['Item', 'Qty', 'Unit', 'Price'],
      ['Chairs', '5', '$', '2.500,00'],
      ['Make all checks payable to Example Company. Thank you.', 'Invoice Subtotal', '$', '4.500,00'],
    ]),
  )

  assert.equal(await askPages('What is the invoice subtotal of Example Company?', bill), '4.500,00')
})

test('an e-mail address that contains the name belongs to it', async () => {
  const paper = pageOf(
    paragraph('Rab5 and its effectors. Philip Stahl, Cell Biology.'),
    paragraph('A long text about the cell and its membranes, which separates the name from the address. '.repeat(4)),
    paragraph('Correspondence: pstahl@cellbio.example'),
  )

  assert.equal(await askPages('What is the e-mail address of Philip Stahl?', paper), 'pstahl@cellbio.example')
})

test('a name below a line of capitals is the value of that label', async () => {
  const receipt = pageOf(paragraph('TECHMART ELECTRONICS'), {
    type: 'code',
    text: 'REWARDS MEMBER\nSarah Mitchell\nID: TM-447821',
  })

  assert.equal(await askPages('Who is the rewards member on the TechMart receipt?', receipt), 'Sarah Mitchell')
})

test('a title in capitals is no answer', async () => {
  const letter = pageOf(
    paragraph('AMENDMENT TO THE LETTER THAT GOVERNS THE LAW BETWEEN BLUEJAY INC. AND H.C. WAINWRIGHT & CO., LLC'),
  )

  assert.equal(await askPages('Which law governs the amendment between Bluejay and Wainwright?', letter), null)
})

test('the label of a form is no code, and a code is no amount', async () => {
  const form = pageOf(
    paragraph('Wage statement of Angel Brown'),
    paragraph('Social security number: 10 Dependent care benefits'),
    paragraph('Rebate: R0005532486'),
  )

  assert.equal(await askPages("What is Angel Brown's social security number?", form), null)
  assert.equal(await askPages('How high is the rebate of Angel Brown?', form), null)
})

test('the names above the abstract of a paper are its authors', async () => {
  const paper = pageOf(
    { type: 'title', text: 'Gridnet: Robust Encoding of Power Lines' },
    paragraph('Jingfeng Yang∗ Aditya Gupta† and Luheng He†'),
    paragraph('Georgia Institute of Technology'),
    { type: 'heading', text: 'Abstract' },
    paragraph('Gridnet encodes power lines.'),
  )

  assert.match((await askPages('Who wrote the Gridnet paper?', paper)) ?? '', /^Jingfeng Yang/)
  assert.match((await askPages('Who is the first author of the Gridnet paper?', paper)) ?? '', /^Jingfeng Yang/)
})
