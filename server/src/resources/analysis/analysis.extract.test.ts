import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Analysis, NewAnalysis } from '@octavo/contract'
import { startApi } from '../../testing/api.ts'
import { ask, failed, summaryOf } from '../../testing/ask.ts'
import { examplesOf } from '../../testing/examples.ts'
import { until } from '../../testing/jobs.ts'
import { startProvider } from '../../testing/provider.ts'
import { promptOf } from '../../testing/provider-answers.ts'

const provider = await startProvider()
after(() => provider.close())
const api = await startApi({ after }, { CHAT_BASE_URL: provider.url, CHAT_MODEL: 'writer', CHAT_LOCALITY: 'remote' })
const { owner } = api

const INVOICE = [
  'Invoice No. 2026-118 of Byron Mills Ltd. Date: May 8, 2026. Billed to the City of Lyndon. 🧾',
  'Flour, 40 sacks, 25.50 each. Yeast, 3 boxes, 12.00 each. The total is €1,056.00. It is due within 30 days.',
]
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['number'],
  properties: {
    number: { type: 'string' },
    date: { type: ['string', 'null'], format: 'date' },
    total: { type: ['number', 'null'] },
    is_paid: { type: ['boolean', 'null'] },
    items: { type: 'array', items: { $ref: '#/$defs/item' } },
  },
  $defs: {
    item: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, price: { type: 'number' } } },
  },
}
const newDocument = (pages: readonly string[] = INVOICE, more: { project_id?: string } = {}) =>
  owner.documents.createAndWait({
    title: 'Invoice',
    source: { type: 'pages', pages: pages.map((text) => ({ text })) },
    ...more,
  })
const body = (more: Partial<NewAnalysis> = {}): NewAnalysis => ({ features: ['extraction'], schema: SCHEMA, ...more })
const say = (data: unknown, evidence: { path: string; quote: string }[] = []): void =>
  provider.say('writer', () => JSON.stringify({ data, evidence }))
const sliceOf = (text: string, start: number, end: number): string => [...text].slice(start, end).join('')

test('extracts values by the schema and cites where each one appears', async () => {
  const document = await newDocument()
  const data = {
    number: '2026-118',
    date: '2026-05-08',
    total: 1056,
    is_paid: null,
    items: [
      { name: 'Flour', price: 25.5 },
      { name: 'Yeast', price: 12 },
    ],
  }
  say(data, [
    { path: '/number', quote: 'Invoice No. 2026-118' },
    { path: '$.date', quote: 'Date: May 8, 2026' },
    { path: 'data.total', quote: 'The total is €1,056.00' },
    { path: '/items/0', quote: 'Flour, 40 sacks, 25.50 each' },
  ])

  const made = await owner.analysis.create(document.id, body({ instructions: 'Prices without tax.' }))

  assert.deepEqual([made.status, made.method, made.model?.id, made.warnings], ['succeeded', 'generative', 'writer', []])
  assert.deepEqual(made.extraction?.data, data)
  const fields = made.extraction.fields.map(({ path, value, confidence, citations }) => [
    path,
    value,
    confidence,
    citations[0]?.quote,
  ])
  assert.deepEqual(fields, [
    ['/number', '2026-118', 0.95, 'Invoice No. 2026-118'],
    ['/date', '2026-05-08', 0.95, 'Date: May 8, 2026'],
    ['/total', 1056, 0.95, 'The total is €1,056.00'],
    ['/is_paid', null, 0.5, undefined],
    ['/items/0/name', 'Flour', 0.95, 'Flour, 40 sacks, 25.50 each'],
    ['/items/0/price', 25.5, 0.95, 'Flour, 40 sacks, 25.50 each'],
    ['/items/1/name', 'Yeast', 0.8, 'Yeast'],
    ['/items/1/price', 12, 0.8, '12.00'],
  ])
  for (const { page_number, start, end, quote } of made.extraction.fields.flatMap(({ citations }) => citations))
    assert.equal(sliceOf(INVOICE[page_number! - 1]!, start, end), quote)
  const asked = provider.asked.at(-1)!.body
  assert.match(promptOf(asked), /Further instructions: Prices without tax\./)
  const { schema } = asked.response_format!.json_schema as { schema: { properties: object; $defs: object } }
  assert.deepEqual(Object.keys(schema.properties), ['data', 'evidence'])
  assert.deepEqual(Object.keys(schema.$defs), ['item'])
})

test('keeps a value that does not appear in the document, with low confidence', async () => {
  const document = await newDocument()
  say({ number: 'A-77', date: '8th of May', total: 9999 }, [
    { path: '/number', quote: 'the number of the invoice is A-77, as agreed' },
    { path: '/total', quote: 'The total is €1,056.00' },
  ])

  const made = await owner.analysis.create(document.id, body())

  assert.deepEqual(made.extraction?.fields, [
    { path: '/number', value: 'A-77', confidence: 0.2, citations: [] },
    { path: '/date', value: '8th of May', confidence: 0.2, citations: [] },
    { path: '/total', value: 9999, confidence: 0.2, citations: [] },
  ])
  assert.deepEqual(made.warnings, [
    "'/date' does not have the format that the schema requires.",
    '1 quote was dropped: not found on the pages.',
  ])
})

test('cites a quote that supports a value in other words, with lower confidence', async () => {
  const document = await newDocument()
  say({ number: 'net thirty', is_paid: false }, [
    { path: '/number', quote: 'It is due within 30 days' },
    { path: '/is_paid', quote: 'It is due within 30 days' },
  ])

  const made = await owner.analysis.create(document.id, body())

  const fields = made.extraction!.fields.map(({ path, confidence, citations }) => [path, confidence, citations.length])
  assert.deepEqual(fields, [
    ['/number', 0.5, 1],
    ['/is_paid', 0.5, 1],
  ])
})

test('reads a long document in parts, joins lists and reports contradictions', async () => {
  const filler = 'The mill stands at the river and grinds the corn of the whole valley. '.repeat(260)
  const pages = ['Flour 25.50', 'Yeast 12.00', 'Flour 25.50'].map(
    (line, i) => `${line}. Order 7${i === 2 ? 1 : 0}. ${filler}`,
  )
  const document = await newDocument(pages)
  const before = provider.calls('writer')
  provider.say('writer', ({ body: asked }) => {
    const prompt = promptOf(asked)
    const items = /Flour 25\.50/.test(prompt) ? [{ name: 'Flour', price: 25.5 }] : []
    if (/Yeast 12\.00/.test(prompt)) items.push({ name: 'Yeast', price: 12 })
    const [order] = /Order 7\d/.exec(prompt) ?? []
    return JSON.stringify({ data: { items, ...(order ? { number: order } : {}) }, evidence: [] })
  })

  const made = await owner.analysis.create(document.id, body(), { wait_seconds: 40 })

  assert.equal(made.status, 'succeeded', JSON.stringify(made.error))
  assert.ok(provider.calls('writer') - before > 1)
  const { data, fields } = made.extraction!
  assert.deepEqual(data, {
    items: [
      { name: 'Flour', price: 25.5 },
      { name: 'Yeast', price: 12 },
    ],
    number: 'Order 70',
  })
  assert.deepEqual(made.warnings, ["Parts of the document contradict each other in '/number'."])
  assert.equal(fields.find(({ path }) => path === '/number')?.confidence, 0.5)
  assert.deepEqual(
    fields.find(({ path }) => path === '/items/0/name')?.citations.map(({ page_number }) => page_number),
    [1, 3],
  )
})

test('fails with a reason if no part contains a required value', async () => {
  const filler = 'The mill stands at the river and grinds the corn of the whole valley. '.repeat(260)
  const document = await newDocument([`One. ${filler}`, `Two. ${filler}`, `Three. ${filler}`])
  say({ items: [] })

  const made = await owner.analysis.create(document.id, body(), { wait_seconds: 40 })

  assert.deepEqual([made.status, made.error?.code, made.extraction], ['failed', 'model_output_invalid', null])
  assert.match(made.error!.message, /number/)
})

test('fails if the model breaks the schema, refuses or is unavailable, and never guesses', async () => {
  for (const [behaviour, code] of [
    ['ignores_schema', 'model_output_invalid'],
    ['breaks_json', 'model_output_invalid'],
    ['refuses', 'content_refused'],
  ] as const) {
    const document = await newDocument()
    provider.behave('writer', behaviour)
    const made = await owner.analysis.create(document.id, body())
    assert.deepEqual([made.status, made.error?.code, made.extraction], ['failed', code, null], behaviour)
  }
  provider.behave('writer', 'well')
})

test('drops all quotes that a model invents', async () => {
  const document = await newDocument()
  provider.say('writer', () =>
    JSON.stringify({
      data: { number: 'none' },
      evidence: Array.from({ length: 5 }, (_, i) => ({ path: '/number', quote: `The moon has ${i} owners by now.` })),
    }),
  )

  const made = await owner.analysis.create(document.id, body())

  assert.deepEqual(made.extraction?.fields, [{ path: '/number', value: 'none', confidence: 0.2, citations: [] }])
  assert.deepEqual(made.warnings, ['5 quotes were dropped: not found on the pages.'])
})

test('extraction works with other features, and pages count once', async () => {
  const document = await newDocument()
  say({ number: '2026-118' })

  const made = await owner.analysis.create(document.id, body({ features: ['statistics', 'extraction'] }))

  assert.deepEqual(
    [made.status, made.usage?.pages, made.statistics?.pages, made.method],
    ['succeeded', 2, 2, 'generative'],
  )
  assert.deepEqual(made.extraction?.data, { number: '2026-118' })
})

test('requests with another schema or other instructions are not duplicates', async () => {
  const document = await newDocument()
  say({ number: '2026-118' })

  const first = await owner.analysis.create(document.id, body())
  const before = provider.calls('writer')
  const again = await owner.analysis.create(document.id, body())
  const calls = provider.calls('writer') - before
  const other = await owner.analysis.create(document.id, body({ instructions: 'Look twice.' }))
  const third = await owner.analysis.create(document.id, body({ schema: { ...SCHEMA, required: ['number', 'items'] } }))

  assert.deepEqual([first.cache, again.cache, other.cache, third.cache, calls], ['miss', 'hit', 'miss', 'miss', 0])
  assert.deepEqual(again.extraction, first.extraction)
})

test('the text of a private project is not sent to a remote model', async () => {
  const project = await owner.projects.create({ name: 'Private', privacy: 'local_only' })
  const document = await newDocument(INVOICE, { project_id: project.id })
  const before = provider.calls()

  const named = await failed(owner.analysis.create(document.id, body({ model: 'writer' })))
  const unnamed = await failed(owner.analysis.create(document.id, body()))

  assert.deepEqual(summaryOf(named), [422, 'model not_allowed_value'])
  assert.deepEqual(summaryOf(unnamed), [422, 'features capability_missing'])
  assert.equal(provider.calls(), before)
})

test('refuses an unusable schema and names the place', async () => {
  const { id } = await newDocument()
  const error = await failed(
    owner.analysis.create(
      id,
      body({ schema: { type: 'object', properties: { 'a/b': { type: 'string', pattern: '(a+)+$' } } } }),
    ),
  )

  assert.deepEqual(summaryOf(error), [422, 'schema.properties.a/b.pattern not_allowed_value'])
  assert.equal(error.details[0]?.pointer, '/schema/properties/a~1b/pattern')
  assert.match(error.details[0].message, /Patterns are not supported/)
})

test('cancelling or deleting an extraction stops it', async () => {
  const document = await newDocument()
  provider.behave('writer', 'hangs')
  const [one, two] = [
    await owner.analysis.create(document.id, body({ cache: 'bypass' }), { wait_seconds: 0 }),
    await owner.analysis.create(document.id, body({ cache: 'bypass' }), { wait_seconds: 0 }),
  ]
  await until(async () => (await owner.jobs.get(one.job_id!)).status === 'running', 'the job')

  await owner.jobs.update(one.job_id!, { status: 'cancelled' })
  await owner.analysis.remove(document.id, two.id)

  await until(async () => (await owner.analysis.get(document.id, one.id)).is_terminal, 'the analysis')
  const ended = await owner.analysis.get(document.id, one.id)
  assert.deepEqual([ended.status, ended.extraction], ['cancelled', null])
  await assert.rejects(owner.analysis.get(document.id, two.id), { code: 'not_found' })
  await until(async () => (await owner.jobs.get(two.job_id!)).is_terminal, 'the job of the deleted one')
  assert.equal((await owner.jobs.get(two.job_id!)).status, 'cancelled')
  provider.behave('writer', 'well')
})

test('the documented example works', async () => {
  const [, example] = examplesOf('analysis.md')
  const document = await newDocument()
  say({ number: '2026-118', total: 1056 }, [{ path: '/total', quote: 'The total is €1,056.00' }])

  const answer = await ask(api, `/api/v1${example!.path.replace('$DOCUMENT', document.id)}`, {
    method: 'POST',
    headers: { prefer: 'wait=30' },
    body: example!.body,
  })

  const { status, extraction } = JSON.parse(answer.text) as Analysis
  assert.deepEqual(
    [answer.status, status, extraction?.fields.map(({ confidence }) => confidence)],
    [201, 'succeeded', [0.8, 0.95]],
  )
})
