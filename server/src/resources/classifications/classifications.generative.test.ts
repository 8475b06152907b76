import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { failed } from '../../testing/ask.ts'
import { startProvider } from '../../testing/provider.ts'
import { promptOf } from '../../testing/provider-answers.ts'
import { weightsDir } from '../../testing/weights.ts'

const provider = await startProvider()
after(() => provider.close())
const chat = { CHAT_BASE_URL: provider.url, CHAT_MODEL: 'writer', CHAT_LOCALITY: 'remote' }
const { owner } = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir(), ...chat })

const LABELS = [
  { name: 'billing', description: 'Invoices and payments', examples: ['The invoice is wrong.'] },
  { name: 'repairs', description: 'Something is broken' },
  { name: 'shipping' },
]
const TEXT = 'The heating is broken. It has not worked since Monday, and the invoice for the last repair was too high.'
const say = (results: unknown): void => provider.say('writer', () => JSON.stringify({ results }))

test('a generative model assigns labels, and every quote is verified', async () => {
  say([
    { label: 'billing', score: 0.4, quotes: ['the invoice for the last repair'] },
    { label: 'repairs', score: 7, quotes: ['The heating is broken', 'the pipes have burst as well in the cellar'] },
  ])

  const made = await owner.classifications.create({ text: TEXT, labels: LABELS, model: 'writer', multi_label: true })

  assert.deepEqual(
    [made.status, made.method, made.model?.id, made.label],
    ['succeeded', 'generative', 'writer', 'repairs'],
  )
  assert.deepEqual(
    made.results.map(({ label, score, citations }) => [label, score, citations.map(({ quote }) => quote)]),
    [
      ['repairs', 1, ['The heating is broken']],
      ['billing', 0.4, ['the invoice for the last repair']],
      ['shipping', 0, []],
    ],
  )
  assert.deepEqual(made.warnings, ['1 quote was dropped: not found on the pages.'])
  assert.ok(made.usage!.input_tokens > 0 && made.usage!.output_tokens > 0)
  assert.match(
    promptOf(provider.asked.at(-1)!.body),
    /"label":"billing","description":"Invoices and payments","examples":\["The invoice is wrong\."\]/,
  )
})

test('single-label scores are shares that sum to one', async () => {
  say([
    { label: 'repairs', score: 0.9, quotes: [] },
    { label: 'billing', score: 0.9, quotes: [] },
    { label: 'repairs', score: -3, quotes: [] },
  ])

  const made = await owner.classifications.create({ text: TEXT, labels: LABELS, model: 'writer' })

  assert.deepEqual(
    made.results.map(({ score }) => score),
    [0.5, 0.5, 0],
  )
})

test('an empty model result gives no label, and an invented label is invalid output', async () => {
  say([])
  const none = await owner.classifications.create({ text: `${TEXT} `, labels: LABELS, model: 'writer' })
  say([{ label: 'gardening', score: 1, quotes: [] }])
  const invented = await owner.classifications.create({ text: `${TEXT}  `, labels: LABELS, model: 'writer' })

  assert.deepEqual([none.status, none.label, none.results.map(({ score }) => score)], ['succeeded', null, [0, 0, 0]])
  assert.deepEqual([invented.status, invented.error?.code], ['failed', 'model_output_invalid'])
})

test('reads a long document in parts and skips none', async () => {
  const page = (n: number): string =>
    `Page ${n} begins. ${'The parcel was late again and nobody knows why. '.repeat(120)} Page ${n} ends.`
  const pages = Array.from({ length: 6 }, (_, i) => ({
    text: i === 4 ? `The boiler is broken. ${page(i + 1)}` : page(i + 1),
  }))
  const document = await owner.documents.createAndWait({ title: 'Log', source: { type: 'pages', pages } })
  const before = provider.calls('writer')
  const seen: string[] = []
  provider.say('writer', ({ body }) => {
    seen.push(promptOf(body))
    const isBroken = promptOf(body).includes('The boiler is broken')
    const quotes = isBroken ? ['The boiler is broken'] : ['The parcel was late again']
    return JSON.stringify({ results: [{ label: isBroken ? 'repairs' : 'shipping', score: 0.8, quotes }] })
  })

  const made = await owner.classifications.create({
    document_id: document.id,
    labels: LABELS,
    model: 'writer',
    multi_label: true,
  })

  assert.equal(made.status, 'succeeded')
  assert.ok(provider.calls('writer') - before > 1)
  for (const n of [1, 2, 3, 4, 5, 6]) assert.ok(seen.some((prompt) => prompt.includes(`Page ${n} ends.`)))
  const repairs = made.results.find(({ label }) => label === 'repairs')!
  assert.deepEqual([repairs.score, repairs.citations[0]?.page_number], [0.8, 5])
  assert.equal(made.results.find(({ label }) => label === 'shipping')!.score, 0.8)
})

test("refuses descriptions that exceed the model's context and warns about dropped examples", async () => {
  const long = Array.from({ length: 100 }, (_, i) => ({
    name: `label ${i}`,
    description: `${i} and more words. `.repeat(50),
  }))
  const many = LABELS.map(({ name }) => ({
    name,
    examples: Array.from({ length: 10 }, (_, i) => `${name} ${i} example `.repeat(200)),
  }))
  say([])

  const refused = await failed(owner.classifications.create({ text: TEXT, labels: long, model: 'writer' }))
  const told = await owner.classifications.create({ text: TEXT, labels: many, model: 'writer' })

  assert.deepEqual([refused.status, refused.details[0]?.field, refused.details[0]?.code], [422, 'labels', 'too_long'])
  assert.equal(told.status, 'succeeded')
  assert.match(told.warnings.join(), /examples of labels were skipped/)
})

test('a local-only project refuses a remote model and accepts a local one', async () => {
  const project = await owner.projects.create({ name: 'Private', privacy: 'local_only' })
  const document = await owner.documents.createAndWait({
    title: 'Letter',
    project_id: project.id,
    source: { type: 'pages', pages: [{ text: TEXT }] },
  })
  const before = provider.calls()

  const refused = await failed(
    owner.classifications.create({ document_id: document.id, labels: LABELS, model: 'writer' }),
  )
  const made = await owner.classifications.create({ document_id: document.id, labels: LABELS })

  assert.deepEqual(
    [refused.status, refused.details[0]?.field, refused.details[0]?.code],
    [422, 'model', 'not_allowed_value'],
  )
  assert.deepEqual([made.status, made.model?.locality, provider.calls() - before], ['succeeded', 'local', 0])
})

test('a server without weights classifies with its generative model', async (t) => {
  const bare = await startApi(t, chat)
  say([{ label: 'repairs', score: 0.9, quotes: ['The heating is broken'] }])

  const made = await bare.owner.classifications.create({ text: TEXT, labels: LABELS })

  assert.deepEqual([made.label, made.method, made.model?.id], ['repairs', 'generative', 'writer'])
})

test('cancelling or deleting a classification stops it', async () => {
  provider.behave('writer', 'hangs')
  const wanted = { labels: LABELS, model: 'writer', cache: 'bypass' } as const
  const [one, two] = [
    await owner.classifications.create({ ...wanted, text: TEXT }, { wait_seconds: 0 }),
    await owner.classifications.create({ ...wanted, text: TEXT }, { wait_seconds: 0 }),
  ]

  await owner.jobs.update(one.job_id!, { status: 'cancelled' })
  await owner.classifications.remove(two.id)

  assert.equal((await owner.classifications.get(one.id, {}, { wait_seconds: 20 })).status, 'cancelled')
  assert.equal((await owner.jobs.get(two.job_id!, {}, { wait_seconds: 20 })).status, 'cancelled')
  await assert.rejects(owner.classifications.get(two.id), { code: 'not_found' })
  provider.behave('writer', 'well')
})
