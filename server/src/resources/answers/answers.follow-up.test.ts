import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standaloneQuestion } from './answers.follow-up.ts'

const after = (previous: string, question: string): string => standaloneQuestion(question, previous, 'en')

test('a pronoun stands for the subject of the question before', () => {
  assert.equal(after('What is the net pay of John Stiles?', 'When was he paid?'), 'When was he paid? (John Stiles)')
  assert.equal(
    after('What is the amount due on the Contoso invoice?', 'When is it due?'),
    'When is it due? (the Contoso invoice)',
  )
})

test('the subject is kept over several questions', () => {
  const second = after('What is the net pay of John Stiles?', 'When was he paid?')

  assert.equal(after(second, 'Where does he live?'), 'Where does he live? (John Stiles)')
})

test('a question without a name is about the subject of the question before', () => {
  assert.equal(
    after('What is the total of invoice INV-100?', 'What is the due date?'),
    'What is the due date? (invoice INV-100)',
  )
})

test('a question with its own names is complete', () => {
  const question = 'Who is the landlord of Elm Street?'

  assert.equal(after('What is the net pay of John Stiles?', question), question)
})

test('an ellipsis asks the earlier question about another thing', () => {
  assert.equal(
    after('What was the rice production of Bargarh?', 'And of Ganjam?'),
    'What was the rice production of Ganjam?',
  )
  assert.equal(
    after('What was the rice production of Bargarh?', 'What about Ganjam?'),
    'What was the rice production of Ganjam?',
  )
})
