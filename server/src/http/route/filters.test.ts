// Every list of the contract with a filter by id: a comma means "or", and a malformed id is refused.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { operations } from '@octavo/contract'
import { startApi } from '../../testing/api.ts'
import { ask, errorOf } from '../../testing/ask.ts'
import { until } from '../../testing/jobs.ts'
import { mail } from '../../testing/mail.ts'
import { weightsDir } from '../../testing/weights.ts'

const api = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir() })
const { owner } = api

const pages = ['The rent is due on the third.', 'The lease ends in 2028.', 'Pets are allowed.'].map((text) => ({
  text,
}))
async function fillProject(name: string) {
  const { id: project_id } = await owner.projects.create({ name })
  const source = { type: 'pages', pages } as const
  const { id: document_id } = await owner.documents.createAndWait({ title: name, project_id, source })
  const labels = [{ name: 'lease' }, { name: 'invoice' }]
  const batch = await owner.jobs.create({ type: 'documents', inputs: [{ title: name, project_id, source }] })
  await owner.summaries.create({ document_ids: [document_id] })
  await owner.classifications.create({ document_id, labels })
  await owner.embeddings.create({ document_id })
  await owner.searches.create({ query: 'rent', project_id })
  await owner.answers.create({ question: 'When is the rent due?', project_id })
  await owner.reports.create({ type: 'documents', format: 'csv', project_id })
  const email = new File([mail(name, [{ name: 'bill.txt', content: 'Rent: 1,200' }])], 'mail.eml')
  const { id: parent_document_id } = await owner.documents.createAndWait(email, {
    document: { project_id, processing: { attachments: 'documents' } },
  })
  await until(async () => (await owner.documents.list({ parent_document_id })).data.length === 1)
  await until(async () => (await owner.events.list({ project_id })).data.length > 10)
  await until(async () => (await owner.jobs.get(batch.id)).is_terminal)
  return { project_id, document_id, parent_document_id, parent_job_id: batch.id }
}

const one = await fillProject('One')
const two = await fillProject('Two')
await fillProject('Three')
const [first, second] = (await owner.pages.list(one.document_id)).data
const values: Record<string, [string, string]> = {
  project_id: [one.project_id, two.project_id],
  document_id: [one.document_id, two.document_id],
  parent_document_id: [one.parent_document_id, two.parent_document_id],
  parent_job_id: [one.parent_job_id, two.parent_job_id],
  page_id: [first!.id, second!.id],
}
const absent = (id: string): string => `${id.slice(0, id.indexOf('_'))}_01h455vb4pex5vsknk084sn02q`

const filters = operations.flatMap(({ endpoint }) =>
  (endpoint.list?.filters ?? [])
    .filter((name) => name.endsWith('_id') && name !== 'external_id')
    .map((name) => ({ name, path: endpoint.path.replace('{document_id}', one.document_id) })),
)

async function idsOf(path: string, search: string): Promise<string[]> {
  const ids: string[] = []
  for (let next: string | null = ''; next !== null; ) {
    const { status, text } = await ask(api, `/api/v1${path}?limit=100&${search}${next}`)
    assert.equal(status, 200, text)
    const page = JSON.parse(text) as { data: { id: string }[]; has_next_page: boolean; cursor?: string }
    ids.push(...page.data.map(({ id }) => id))
    next = page.has_next_page ? `&cursor=${page.cursor}` : null
  }
  return ids.toSorted()
}

test('the test covers every list with an id filter', () => {
  assert.ok(filters.length >= 14, String(filters.length))
  for (const { name } of filters) assert.ok(values[name], name)
})

for (const { name, path } of filters) {
  test(`${path.replace(one.document_id, '…')}?${name}=A,B lists the items of A and of B`, async () => {
    const [a, b] = values[name]!
    const [ofA, ofB] = [await idsOf(path, `${name}=${a}`), await idsOf(path, `${name}=${b}`)]
    const all = await idsOf(path, '')

    assert.ok(ofA.length > 0 && ofB.length > 0)
    assert.deepEqual(await idsOf(path, `${name}=${a},${b}`), [...ofA, ...ofB].toSorted())
    assert.ok(all.length > ofA.length + ofB.length)
    assert.deepEqual(await idsOf(path, `${name}=${absent(a)},${b}`), ofB)
    assert.deepEqual(await idsOf(path, `${name}=${absent(a)}`), [])
  })

  test(`${path.replace(one.document_id, '…')}?${name} refuses a malformed id`, async () => {
    const [a] = values[name]!
    for (const text of ['', 'x', `${a},`, `${a},x`, a.slice(0, -1), a.toUpperCase(), `key_${a.split('_')[1]}`]) {
      const answer = await ask(api, `/api/v1${path}?${name}=${text}`)
      assert.deepEqual([answer.status, errorOf(answer).details[0]?.field], [400, name], text)
      assert.equal(errorOf(answer).code, 'invalid_parameter')
    }
  })
}

test('a project key sees only its projects, even if the filter names others', async () => {
  const { client } = await api.newKey(api.owner_tenant, { project_ids: [two.project_id] })
  const { data } = await client.documents.list({ project_id: [one.project_id, two.project_id] })

  assert.deepEqual(new Set(data.map(({ project_id }) => project_id)), new Set([two.project_id]))
})

test('lists models of several kinds', async () => {
  const { data } = await owner.models.list({ kind: ['engine', 'embedder'] })

  assert.deepEqual(new Set(data.map(({ kind }) => kind)), new Set(['engine', 'embedder']))
})
