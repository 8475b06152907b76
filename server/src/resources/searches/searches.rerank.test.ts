import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'
import { startProvider } from '../../testing/provider.ts'

const provider = await startProvider()
const dir = await mkdtemp(join(tmpdir(), 'octavo-models-'))
after(() => Promise.all([provider.close(), rm(dir, { recursive: true })]))
const file = join(dir, 'models.json')
const models = ['far', 'hangs'].map((id) => ({
  id,
  provider: 'stub',
  model: id,
  kind: 'reranker',
  context_tokens: 512,
}))
await writeFile(
  file,
  JSON.stringify({ providers: [{ id: 'stub', base_url: provider.url, locality: 'remote' }], models }),
)
const { owner } = await startApi({ after }, { MODELS_FILE: file })

const write = (text: string, project_id?: string) =>
  owner.documents.createAndWait({
    title: text,
    source: { type: 'text', text },
    ...(project_id ? { project_id } : {}),
  })
const closed = await owner.projects.create({ name: 'Closed', privacy: 'local_only' })
const open = await owner.projects.create({ name: 'Open' })
await write('Honey is made by bees.', open.id)
await write('Honey is sweet.', open.id)
const secret = await write('The secret honey lies in the cellar.', closed.id)

test('a reranking model determines the order', async () => {
  const search = await owner.searches.create({ query: 'honey', mode: 'keyword', rerank: 'far', project_id: open.id })

  assert.deepEqual([search.warnings, search.rerank, search.results.length], [[], 'far', 2])
  for (const { score, scores } of search.results)
    assert.deepEqual([score, scores.rerank !== null], [scores.rerank, true])
  assert.equal(provider.calls('far'), 1)
})

test('never sends local-only passages to a remote reranker, even in a tenant-wide search', async () => {
  const before = provider.calls('far')

  const wide = await owner.searches.create({ query: 'honey', mode: 'keyword', rerank: 'far' })
  const ofProject = await failed(owner.searches.create({ query: 'honey', rerank: 'far', project_id: closed.id }))
  const ofDocument = await failed(owner.searches.create({ query: 'honey', rerank: 'far', document_ids: [secret.id] }))

  assert.deepEqual([wide.results.length, wide.results.map(({ scores }) => scores.rerank)], [3, [null, null, null]])
  assert.match(
    wide.warnings.join(),
    /^The model 'far' is remote, and the text of some passages may not leave the installation/,
  )
  for (const refused of [ofProject, ofDocument]) assert.deepEqual(summaryOf(refused), [422, 'rerank not_allowed_value'])
  assert.equal(provider.calls('far') - before, 0)
})

test('keeps the order if the reranker does not respond', async () => {
  const search = await owner.searches.create({ query: 'honey', mode: 'keyword', rerank: 'hangs', project_id: open.id })

  assert.equal(search.results.length, 2)
  assert.deepEqual(search.warnings, ["The model 'hangs' did not respond in time, so the results are not reranked."])
})

test('refuses an unknown model or one that cannot rerank', async () => {
  const unknown = await failed(owner.searches.create({ query: 'honey', rerank: 'nobody' }))
  const other = await failed(owner.searches.create({ query: 'honey', rerank: 'built_in_text' }))

  assert.deepEqual(
    [summaryOf(unknown), summaryOf(other)],
    [
      [422, 'rerank reference_not_found'],
      [422, 'rerank capability_missing'],
    ],
  )
})
