import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Analysis, Citation, NewAnalysis } from '@octavo/contract'
import { uuidOf } from '../../lib/ids.ts'
import { startApi } from '../../testing/api.ts'
import { ask, failed, summaryOf } from '../../testing/ask.ts'
import { examplesOf } from '../../testing/examples.ts'
import { change } from '../../testing/jobs.ts'
import { weightsDir } from '../../testing/weights.ts'

const api = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir() })
const { owner, otherTenant, owner_tenant, owner_key, newKey, url } = api

const PAGES = [
  'The lease of the house in Elm Street 🏠 begins on 1 March 2026. The tenant is Ada Byron and the landlord is the City of Lyndon. ' +
    'Ada Byron can be reached at ada.byron@example.com or by phone at +44 20 7946 0958.',
  'The rent is $1,200 a month. It is due on the third day of each month. Late rent bears interest of five percent. ' +
    'Rent is paid to the account GB29 NWBK 6016 1331 9268 19. Questions go to ada.byron@example.com as well.',
  'The house is wonderful and the garden is a delight. Everybody who visited it loved the bright rooms and the lovely view.',
]
const newDocument = (pages: readonly string[] = PAGES, client = owner) =>
  client.documents.createAndWait({ title: 'Lease', source: { type: 'pages', pages: pages.map((text) => ({ text })) } })
/** Without weights: long documents are read quickly. */
const plain = await startApi({ after })
const { owner: bare } = plain
const sliceOf = (text: string, start: number, end: number): string => [...text].slice(start, end).join('')

function citationsIn(value: unknown): Citation[] {
  if (value === null || typeof value !== 'object') return []
  if (Array.isArray(value)) return value.flatMap(citationsIn)
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'citations' ? (member as Citation[]) : citationsIn(member),
  )
}

test('returns names of people only on request', async () => {
  const document = await newDocument()

  const made = await owner.analysis.create(document.id, { features: ['entities'], entity_types: ['person'] })

  assert.deepEqual(new Set(made.entities!.map(({ type }) => type)), new Set(['person']))
  assert.ok(made.entities!.some(({ text }) => text === 'Ada Byron'))
  await assert.rejects(owner.analysis.create(document.id, { features: ['pii'], entity_types: ['person'] }), {
    code: 'validation_error',
  })
})

test('returns all features except extraction by default, each with citations', async () => {
  const document = await newDocument()

  const made = await owner.analysis.create(document.id)

  assert.deepEqual(
    [made.status, made.method, made.model?.id, made.usage?.pages],
    ['succeeded', 'embedding', 'built_in_text', 3],
  )
  assert.deepEqual(made.features, ['language', 'statistics', 'key_phrases', 'entities', 'pii', 'sentiment', 'topics'])
  assert.deepEqual(
    [made.language?.language, made.language?.languages.length, made.extraction, made.warnings],
    ['en', 1, null, []],
  )
  assert.equal(made.statistics?.pages, 3)
  assert.equal(
    made.statistics?.characters,
    PAGES.reduce((sum, text) => sum + [...text].length, 0),
  )
  assert.ok(made.key_phrases!.length > 3 && made.key_phrases!.length <= 20)
  assert.ok(made.entities!.every(({ type }) => ['date', 'time', 'money', 'percentage'].includes(type)))
  assert.ok(made.entities!.some(({ type, text }) => type === 'money' && text.includes('1,200')))
  assert.deepEqual(
    made
      .pii!.map(({ type, text, citations }) => [type, text, citations.map(({ page_number }) => page_number)])
      .toSorted((a, b) => (a[0]! < b[0]! ? -1 : 1)),
    [
      ['email', 'ada.byron@example.com', [1, 2]],
      ['iban', 'GB29 NWBK 6016 1331 9268 19', [2]],
      ['phone', '+44 20 7946 0958', [1]],
    ],
  )
  assert.ok(made.topics!.length > 0)
  assert.ok(made.sentiment!.citations.length > 0)

  const cited = citationsIn(made)
  assert.ok(cited.length > 20)
  for (const { page_number, start, end, quote } of cited)
    assert.equal(sliceOf(PAGES[page_number! - 1]!, start, end), quote)
})

test('runs only the requested features on the requested pages', async () => {
  const document = await newDocument()

  const made = await owner.analysis.create(document.id, {
    features: ['pii', 'statistics'],
    page_range: { first: 2, last: 9 },
  })

  assert.deepEqual(
    [made.status, made.method, made.features, made.page_range],
    ['succeeded', 'rules', ['pii', 'statistics'], { first: 2, last: 9 }],
  )
  assert.deepEqual([made.statistics?.pages, made.usage?.pages, made.pii!.length], [2, 2, 2])
  assert.deepEqual(
    [made.language, made.key_phrases, made.entities, made.sentiment, made.topics],
    [null, null, null, null, null],
  )
})

test('English-only features warn about pages in other languages', async () => {
  const german =
    'Der Mieter zahlt die Miete am dritten Tag des Monats im Voraus. Der Vermieter hält das Dach und die Heizung instand.'
  const document = await newDocument([german, german.replace('Mieter', 'Pächter')])

  const made = await owner.analysis.create(document.id, {
    features: ['language', 'sentiment', 'entities', 'key_phrases'],
  })

  assert.deepEqual([made.status, made.language?.language, made.language?.confidence], ['succeeded', 'de', 1])
  assert.deepEqual([made.sentiment, made.entities], [null, []])
  assert.ok(made.key_phrases!.length > 0)
  assert.deepEqual(made.warnings, [
    '2 pages are not in English and were not searched for entities.',
    '2 pages are not in English and do not count for the sentiment.',
  ])
})

test('merges a phrase that appears on many pages of a long document', async () => {
  const page = (number: number): string =>
    `Page ${number} of the survey. The tidal turbine works at the harbour wall. Write to office${number % 3}@example.com for the ${number}. report.`
  const document = await newDocument(
    Array.from({ length: 120 }, (_, i) => page(i + 1)),
    bare,
  )

  const made = await bare.analysis.create(
    document.id,
    { features: ['statistics', 'key_phrases', 'pii'] },
    { wait_seconds: 40 },
  )
  const job = await bare.jobs.get(made.job_id!)

  assert.deepEqual([made.status, made.statistics?.pages, made.pii!.length], ['succeeded', 120, 3])
  assert.ok(made.pii!.every(({ citations }) => citations.length === 10))
  assert.equal(made.key_phrases!.filter(({ text }) => text === 'tidal turbine').length, 1)
  assert.deepEqual([job.progress?.unit, job.progress?.completed, job.progress?.total], ['pages', 120, 120])
  assert.equal(job.timeout_seconds, 720)
  const steps = await change<{ name: string }>(
    plain.app,
    plain.owner_tenant,
    'select name from job_steps where tenant_id = $1 and job_id = $3 order by name',
    [uuidOf('job', made.job_id!)],
  )
  // Step results contain text of the document and are no longer needed.
  assert.deepEqual(steps, [])
})

test('splits a very long page internally and keeps the offsets of the whole page', async () => {
  const line = `${'🙂 the river rises in spring and falls in autumn, '.repeat(20)}\n`
  const text = `${line.repeat(60)}Call ada@example.com. ${line.repeat(10)}`
  const document = await newDocument([text], bare)

  const made = await bare.analysis.create(document.id, { features: ['pii', 'statistics'] })

  const [citation] = made.pii![0]!.citations
  assert.equal(sliceOf(text, citation!.start, citation!.end), 'ada@example.com')
  assert.equal(made.statistics?.characters, [...text].length)
})

test('returns the stored result for the same request unless the cache is bypassed', async () => {
  const document = await newDocument()
  const body: NewAnalysis = { features: ['statistics'] }

  const first = await owner.analysis.create(document.id, body)
  const second = await owner.analysis.create(document.id, body)
  const anew = await owner.analysis.create(document.id, { ...body, cache: 'bypass' })
  const other = await owner.analysis.create(document.id, { ...body, page_range: { first: 1, last: 1 } })

  assert.deepEqual([first.cache, second.cache, anew.cache, other.cache], ['miss', 'hit', 'bypass', 'miss'])
  assert.deepEqual([second.job_id, second.statistics, second.usage?.pages], [null, first.statistics, 0])
  assert.equal(first.fingerprint, second.fingerprint)
})

test('refuses incompatible options and names the field', async () => {
  const { id } = await newDocument()
  const schema = { type: 'object', properties: { total: { type: 'number' } } }
  const refused: [NewAnalysis, string, string][] = [
    [{ features: ['extraction'] }, 'schema', 'required'],
    [{ schema }, 'schema', 'inconsistent'],
    [{ instructions: 'Look twice.' }, 'instructions', 'inconsistent'],
    [{ features: ['extraction'], schema }, 'features', 'capability_missing'],
    [{ features: ['extraction'], schema, model: 'built_in_text' }, 'model', 'capability_missing'],
    [{ model: 'all-minilm-l6-v2' }, 'model', 'capability_missing'],
    [{ model: 'nobody' }, 'model', 'reference_not_found'],
    [{ page_range: { first: 3, last: 2 } }, 'page_range.last', 'inconsistent'],
  ]

  for (const [body, field, code] of refused) {
    const error = await failed(owner.analysis.create(id, body))
    assert.deepEqual(summaryOf(error), [422, `${field} ${code}`], JSON.stringify(body))
  }
})

test('an analysis belongs to its document and is deleted with it', async () => {
  const [document, another] = [await newDocument(), await newDocument()]
  const made = await owner.analysis.create(document.id, { features: ['statistics'], metadata: { by: 'me' } })

  assert.deepEqual(await owner.analysis.get(document.id, made.id), made)
  assert.deepEqual((await owner.analysis.list(document.id)).data, [made])
  assert.deepEqual((await owner.analysis.list(another.id)).data, [])
  await assert.rejects(owner.analysis.get(another.id, made.id), { code: 'not_found' })
  await assert.rejects(owner.analysis.remove(another.id, made.id), { code: 'not_found' })
  const patched = await owner.analysis.update(document.id, made.id, { metadata: { checked: 'yes' } })
  assert.deepEqual(patched.metadata, { by: 'me', checked: 'yes' })

  await owner.documents.remove(document.id)

  await assert.rejects(owner.analysis.get(document.id, made.id), { code: 'not_found' })
  await assert.rejects(owner.analysis.list(document.id), { code: 'not_found' })
  await assert.rejects(owner.analysis.create(document.id), { code: 'not_found' })
})

test('another tenant cannot analyze a document or read its analyses', async () => {
  const document = await newDocument()
  const made = await owner.analysis.create(document.id, { features: ['statistics'] })

  await assert.rejects(otherTenant.analysis.create(document.id), { code: 'not_found' })
  await assert.rejects(otherTenant.analysis.list(document.id), { code: 'not_found' })
  await assert.rejects(otherTenant.analysis.get(document.id, made.id), { code: 'not_found' })
  await assert.rejects(otherTenant.analysis.remove(document.id, made.id), { code: 'not_found' })
})

test('a key without analysis:write may list analyses but not create one', async () => {
  const document = await newDocument()
  const { client } = await newKey(owner_tenant, { scopes: ['documents:read', 'analysis:read'] })

  await assert.rejects(client.analysis.create(document.id), { code: 'insufficient_scope' })
  assert.deepEqual((await client.analysis.list(document.id)).data, [])
})

test('refuses to analyze a document without words', async () => {
  const document = await newDocument(['   ', ''])

  const made = await owner.analysis.create(document.id)

  assert.deepEqual([made.status, made.error?.code, made.statistics], ['failed', 'document_empty', null])
})

test('the deprecated path works and links to its successor', async () => {
  const document = await newDocument()
  const before = await usesOfOlderName()

  const answer = await fetch(`${url}/api/v1/documents/${document.id}/analyse`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner_key}`, 'content-type': 'application/json', prefer: 'wait=10' },
    body: JSON.stringify({ features: ['statistics'] }),
  })
  const made = (await answer.json()) as { id: string; status: string }
  const there = `${url}/api/v1/documents/${document.id}/analysis`

  assert.deepEqual(
    [answer.status, made.status, answer.headers.get('location')],
    [201, 'succeeded', `${there}/${made.id}`],
  )
  assert.equal(answer.headers.get('deprecation'), '@1767225600')
  assert.equal(answer.headers.get('link'), `<${there}>; rel="successor-version"`)
  assert.equal((await owner.analysis.get(document.id, made.id)).id, made.id)
  assert.equal(await usesOfOlderName(), before + 1)
  const newer = await fetch(there, { method: 'POST', headers: { authorization: `Bearer ${owner_key}` } })
  assert.deepEqual([newer.status, newer.headers.get('deprecation'), newer.headers.get('link')], [201, null, null])
})

async function usesOfOlderName(): Promise<number> {
  const { values } = await api.app.metrics.deprecated_requests.get()
  return values.find(({ labels }) => labels.operation === 'analysis.analyse')?.value ?? 0
}

test('a server without weights warns about missing features', async () => {
  const document = await newDocument(PAGES, bare)

  const made = await bare.analysis.create(document.id)

  assert.deepEqual([made.status, made.method, made.sentiment, made.topics], ['succeeded', 'rules', null, null])
  assert.ok(made.key_phrases!.length > 3)
  assert.deepEqual(made.warnings, [
    'The weights for sentiment are not installed.',
    'The weights for topics are not installed.',
  ])
})

test('the documented example returns the documented result', async () => {
  const [example] = examplesOf('analysis.md')
  const document = await newDocument([
    'The lease of the house in Elm Street begins on the first of March. Rent is 1,200 a month. Questions about the lease go to ada@example.com.',
  ])

  const { text, status } = await ask(api, `/api/v1${example!.path.replace('$DOCUMENT', document.id)}`, {
    method: 'POST',
    headers: { prefer: 'wait=30' },
    body: example!.body,
  })

  const made = JSON.parse(text) as Analysis
  assert.deepEqual(
    [status, made.status, made.method, made.language?.language, made.entities],
    [201, 'succeeded', 'embedding', 'en', null],
  )
  assert.deepEqual([made.statistics?.characters, made.statistics?.words, made.statistics?.sentences], [138, 28, 3])
  assert.equal(made.key_phrases?.[0]?.text, 'Elm Street')
  const [datum] = made.pii!
  assert.deepEqual(
    [datum?.text, datum?.confidence, datum?.citations[0]?.start, datum?.citations[0]?.end],
    ['ada@example.com', 0.99, 122, 137],
  )
})
