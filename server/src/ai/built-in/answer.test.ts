import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerFrom } from './answer.ts'

const passages = [
  '😀 The lease begins on 1 March. The deposit is three months of rent and is paid before the keys are handed over.',
  'Pets are allowed with the written consent of the landlord. The garden is shared.',
]
const options = { language: 'en', embed: null, model: null }

test('the sentence that answers comes back with its place', async () => {
  const { is_answered, sentences } = await answerFrom(
    'How much is the deposit of the lease in months of rent?',
    passages,
    options,
  )

  assert.equal(is_answered, true)
  const [best] = sentences
  assert.match(best!.text, /^The deposit is three months/)
  assert.equal([...passages[best!.passage]!].slice(best!.start, best!.end).join(''), best!.text)
})

test('a question that the passages leave open is not answered', async () => {
  for (const question of ['Who insures the building against fire?', 'What is the capital of France?'])
    assert.equal((await answerFrom(question, passages, options)).is_answered, false, question)
})

test('nothing to read is no answer', async () => {
  assert.deepEqual(await answerFrom('Who pays?', [], options), { is_answered: false, sentences: [], confidence: 0 })
})

test('the vectors of a model that nobody measured do not decide', async () => {
  const embed = async () => assert.fail('no vectors are needed')

  await answerFrom('How much is the deposit?', passages, { ...options, embed, model: 'somebodys-model' })
})

test('a heading that repeats the question is no answer', async () => {
  const { sentences } = await answerFrom(
    'What is the rent?',
    ['Rent\n\nThe rent is 1,240 euros a month.', 'Rent: 1,240'],
    options,
  )

  assert.deepEqual(sentences.map(({ text }) => text).toSorted(), ['Rent: 1,240', 'The rent is 1,240 euros a month.'])
})

test('what two documents say in the same words is said once', async () => {
  const { sentences } = await answerFrom(
    'How much is the deposit of the lease in months of rent?',
    [...passages, ...passages],
    options,
  )

  const texts = sentences.map(({ text }) => text)
  assert.deepEqual(texts, [...new Set(texts)])
  assert.deepEqual([sentences[0]!.passage, texts[0]!.startsWith('The deposit')], [0, true])
})
