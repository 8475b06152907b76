import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'
import { weightsDir } from '../../testing/weights.ts'

const api = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir() })
const { owner, otherTenant } = api

const PAGES = [
  'The lease of the house in Elm Street begins on the first of March. The tenant is Ada Byron and the landlord is the City of Lyndon.',
  'Rent is 1,200 a month. Rent is due on the third day of each month, in advance and without deduction. Late rent bears interest of five percent.',
  'The landlord keeps the roof, the walls and the heating in repair. The tenant keeps the garden. Nobody may keep a horse in the kitchen.',
]
const lease = await owner.documents.createAndWait({
  title: 'Lease',
  source: { type: 'pages', pages: PAGES.map((text) => ({ text })) },
})
await owner.documents.createAndWait({
  title: 'Bees',
  source: { type: 'text', text: 'Bees make honey from nectar. A hive has one queen.' },
})

test('answers a question at once with page sentences, each with its place', async () => {
  const answer = await owner.answers.create({ question: 'When is the rent due?' })

  assert.deepEqual(
    [answer.status, answer.is_answered, answer.method, answer.job_id],
    ['succeeded', true, 'extractive', null],
  )
  assert.match(answer.text!, /third day of each month/)
  const [citation] = answer.sentences[0]!.citations
  assert.deepEqual([citation?.document_id, citation?.page_number], [lease.id, 2])
  assert.equal([...PAGES[1]!].slice(citation!.start, citation!.end).join(''), citation!.quote)
  assert.ok(answer.passages.length > 0)
  assert.deepEqual(await owner.answers.get(answer.id), answer)
})

test('a citation of a document without pages says below which headings it is', async () => {
  const text =
    '# Handbook\n\n## Travel\n\nThe mileage allowance is 42 cents.\n\n## Meals\n\nDinner in Oslo costs at most 55 euros.\n'
  const content = {
    type: 'base64',
    media_type: 'text/markdown',
    file_name: 'handbook.md',
    data: Buffer.from(text).toString('base64'),
  } as const
  await owner.documents.createAndWait({ title: 'Handbook', source: content })

  const { sentences } = await owner.answers.create({ question: 'How much may dinner in Oslo cost?' })

  assert.deepEqual(sentences[0]?.citations[0]?.heading_path, ['Handbook', 'Meals'])
})

test('does not answer a question that the documents do not cover', async () => {
  const answer = await owner.answers.create({ question: 'Who won the football championship in 1974?' })

  assert.deepEqual([answer.status, answer.is_answered, answer.text, answer.sentences], ['succeeded', false, null, []])
})

test('an unanswered question returns the nearest sentence with its place', async () => {
  const refused = await owner.answers.create({ question: 'How does the tenant ride the horse?' })
  const answered = await owner.answers.create({ question: 'When is the rent due?' })

  assert.deepEqual([refused.is_answered, refused.text, refused.sentences], [false, null, []])
  assert.equal(refused.nearest?.text, 'Nobody may keep a horse in the kitchen.')
  assert.deepEqual(
    refused.nearest.citations.map(({ document_id, page_number, quote }) => [document_id, page_number, quote]),
    [[lease.id, 3, 'Nobody may keep a horse in the kitchen.']],
  )
  assert.equal(answered.nearest, null)
})

test('refuses a query or question without words', async () => {
  assert.deepEqual(summaryOf(await failed(owner.searches.create({ query: ' \n' }))), [422, 'query too_short'])
  assert.deepEqual(summaryOf(await failed(owner.answers.create({ question: '\t' }))), [422, 'question too_short'])
})

test('searches by keywords, by meaning and by both', async () => {
  for (const mode of ['keyword', 'semantic', 'hybrid'] as const) {
    const search = await owner.searches.create({ query: 'When must the rent be paid?', mode, limit: 3 })
    assert.deepEqual(
      [search.status, search.results[0]?.document_id, search.results[0]?.page_number],
      ['succeeded', lease.id, 2],
      mode,
    )
  }
})

test('other tenants do not find a document, and deleting it removes it from search', async () => {
  const { client } = await api.newTenant()
  const document = await client.documents.createAndWait({
    title: 'Secret',
    source: { type: 'text', text: 'The treasure lies under the old oak.' },
  })
  const search = await client.searches.create({ query: 'treasure oak' })
  const answer = await client.answers.create({ question: 'Where does the treasure lie?' })
  assert.deepEqual([search.results.length, answer.is_answered], [1, true])

  assert.deepEqual((await otherTenant.searches.create({ query: 'treasure oak' })).results, [])
  await assert.rejects(otherTenant.searches.get(search.id), { code: 'not_found' })
  await client.documents.remove(document.id)

  assert.deepEqual((await client.searches.create({ query: 'treasure oak' })).results, [])
  await assert.rejects(client.searches.get(search.id), { code: 'not_found' })
  await assert.rejects(client.answers.get(answer.id), { code: 'not_found' })
})

/** Processes that run models, started by this one. */
const enginePids = (): number[] =>
  globSync('/proc/[0-9]*/cmdline').flatMap((file) => {
    try {
      const isEngine = readFileSync(file, 'utf8').includes('ai/engine/child')
      const parent = / \w (\d+) /.exec(readFileSync(file.replace('cmdline', 'stat'), 'utf8'))?.[1]
      return isEngine && Number(parent) === process.pid ? [Number(file.split('/')[2])] : []
    } catch {
      return []
    }
  })

test('answers by keywords with a warning while the embedder is slow', async () => {
  await owner.answers.create({ question: 'Who is the tenant?' })
  const pids = enginePids()
  assert.ok(pids.length > 0, 'an engine runs')
  for (const pid of pids) process.kill(pid, 'SIGSTOP')

  const answer = await owner.answers
    .create({ question: 'When is the rent due each month?' })
    .finally(() => pids.forEach((pid) => process.kill(pid, 'SIGCONT')))

  assert.match(answer.text!, /third day of each month/)
  assert.match(answer.warnings.join(' '), /did not respond in time, so the answer was chosen by keywords/)
})
