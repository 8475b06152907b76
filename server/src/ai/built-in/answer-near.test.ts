import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, paragraph } from '../../testing/answer-pages.ts'
import { candidatesOf } from './answer-candidates.ts'
import { isNearSentence } from './answer-exact.ts'
import { featuresOf } from './answer-features.ts'
import { readQuestion } from './answer-question.ts'

/** Which sentences of a page are near enough to the question, if all of them are as near in meaning as `similarity`. */
function nearSentences(text: string, similarity: number, ...sentences: string[]): string[] {
  const passages = [pageOf(...sentences.map(paragraph))]
  const question = readQuestion(text, 'en')
  const candidates = candidatesOf(passages)
  const features = featuresOf(question, candidates, { passages, similarities: candidates.map(() => similarity) })
  return candidates.flatMap((one, i) => {
    const own = features[i]
    return own && isNearSentence(question, one, own) ? [one.text] : []
  })
}

const RENT = 'Tenant shall pay rent of $900 per month on the 2nd day of each month for possession of the house.'
const LEASE = ['Jane Doe rents a flat from Northwind.', RENT, 'Interest is added to any amount that is due.']

test('a sentence near in meaning needs a document with every word of the question', () => {
  assert.ok(nearSentences('On which day is the rent of Jane Doe due?', 0.5, ...LEASE).includes(RENT))
  assert.deepEqual(nearSentences('On which day is the rent of Jane Doe due?', 0.2, ...LEASE), [])
  assert.deepEqual(nearSentences('On which day is the rent of Ann Lee due?', 0.5, ...LEASE), [])
})

test('a sentence near in meaning has the year that the question names', () => {
  const price = 'The price for your rate is 8.774 cents per kWh from June of next year.'
  const bill = ['Electric bill of 2010.', 'Thank you for your payment.', price]

  assert.equal(nearSentences('How many kWh were billed in 2010?', 0.6, ...bill).includes(price), false)
})
