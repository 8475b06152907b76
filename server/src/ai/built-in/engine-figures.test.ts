// Cases that need real vectors, with the weights that tests have.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openModels } from '../models.ts'
import { answerFrom } from './answer.ts'
import { scoreLabels } from './labels.ts'
import { SENTIMENT_MODEL, sentimentOf } from './sentiment.ts'
import { topicsOf } from './topics.ts'
import type { Embed } from './vectors.ts'

const models_dir =
  process.env.OCTAVO_MODELS_DIR ?? assert.fail('OCTAVO_MODELS_DIR must name the directory with the weights.')
const catalogue = { providers: [], models: [], defaults: { embedder: null, labels: null, generator: null } }
const models = openModels({ version: 'test', models_dir, models: catalogue, model_threads: 2 })
after(() => models.close())

const MINILM = 'all-minilm-l6-v2'
const embedBy =
  (id: string): Embed =>
  async (texts, as) =>
    (
      await (models.embedder(id) ?? assert.fail(`no weights of ${id}`)).embed(texts, {
        as,
        signal: new AbortController().signal,
      })
    ).vectors

test('separates praise from blame and treats facts as neutral', async () => {
  const judge = async (text: string) =>
    (await sentimentOf([text], { language: 'en', model: SENTIMENT_MODEL, embed: embedBy(SENTIMENT_MODEL) }))?.label

  assert.equal(await judge('We are delighted with the excellent results. The team did a wonderful job.'), 'positive')
  assert.equal(await judge('The service was terrible and nobody answered. I want my money back.'), 'negative')
  assert.equal(await judge('The contract begins on 1 March. The pump has a capacity of 40 litres a minute.'), 'neutral')
})

test('does not guess sentiment in other languages or with vectors of another model', async () => {
  const embed = embedBy(SENTIMENT_MODEL)

  assert.equal(await sentimentOf(['Das ist wunderbar.'], { language: 'de', model: SENTIMENT_MODEL, embed }), null)
  assert.equal(await sentimentOf(['Wonderful.'], { language: 'en', model: MINILM, embed }), null)
  assert.equal(await sentimentOf(['Wonderful.'], { language: 'en', model: SENTIMENT_MODEL, embed: null }), null)
})

test('finds topics, and none in a text without a topic', async () => {
  const options = { embed: embedBy(MINILM), model: MINILM, language: 'en' }
  const lease =
    'The tenant shall pay rent to the landlord on the first of each month. The landlord may terminate the lease of the flat.'

  assert.equal((await topicsOf([lease], options))[0]?.label, 'construction_and_property')
  assert.equal(
    (await topicsOf(['The striker scored twice and the team won the league title.'], options))[0]?.label,
    'sports',
  )
  assert.deepEqual(await topicsOf(['x 17 zq 8 kk'], options), [])
})

test('accepts labels in languages other than English', async () => {
  const labels = [
    { name: 'Rechnung', description: 'Betrag, Mehrwertsteuer, Zahlungsziel' },
    { name: 'Bewerbung', description: 'Lebenslauf, Stelle, Qualifikation' },
  ]

  const [best] = await scoreLabels(
    ['Bitte überweisen Sie den Betrag von 500 Euro inklusive Mehrwertsteuer bis zum 1. März.'],
    labels,
    {
      embed: embedBy(MINILM),
      model: MINILM,
      language: 'de',
      multi_label: false,
    },
  )

  assert.equal(best?.label, 'Rechnung')
})

test('answers a question that a sentence covers and refuses another', async () => {
  const text = 'The lease begins on 1 March. Dogs and cats may be kept in the flat if the landlord agrees.'
  const page = { text, language: 'en', blocks: null }
  const passages = [{ text, start: 0, title: 'Lease', headings: [], document: 'a', page }]
  const ask = (question: string) => answerFrom(question, passages, { language: 'en', embed: embedBy(MINILM) })

  const { is_answered, best } = await ask('May dogs be kept in the flat?')

  assert.equal(is_answered, true)
  assert.match(best!.text, /^Dogs and cats/)
  assert.equal((await ask('How high is the fine for parking?')).is_answered, false)
})
