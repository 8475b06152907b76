import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'
import { weightsDir } from '../../testing/weights.ts'

const api = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir() })
const { owner, otherTenant } = api
const project = await owner.projects.create({ name: 'Leases' })
const elsewhere = await owner.projects.create({ name: 'Elsewhere' })
const add = (title: string, text: string, project_id = project.id) =>
  owner.documents.createAndWait({ title, project_id, source: { type: 'text', text } })
const elm = await add(
  'Elm',
  'The lease of Elm Street begins on March 1, 2026. The rent of Elm Street is 1,200 dollars a month.',
)
const oak = await add(
  'Oak',
  'The lease of Oak Avenue begins on May 5, 2027. The rent of Oak Avenue is 900 dollars a month.',
)
const scope = { project_id: project.id }
const NOT_FOUND = [422, 'previous_answer_id reference_not_found']

test('a follow-up question is about the subject of the answer before', async () => {
  const first = await owner.answers.create({ ...scope, question: 'How much is the rent of Oak Avenue?' })

  const second = await owner.answers.create({ question: 'When does the lease begin?', previous_answer_id: first.id })

  assert.equal(second.standalone_question, 'When does the lease begin? (Oak Avenue)')
  assert.deepEqual(
    [second.question, second.previous_answer_id, second.project_id],
    ['When does the lease begin?', first.id, project.id],
  )
  assert.match(second.text ?? '', /May 5, 2027/)
  assert.deepEqual(await owner.answers.get(second.id), second)
})

test('documents and filters of the answer before apply unless the request names others', async () => {
  const first = await owner.answers.create({ ...scope, document_ids: [elm.id], question: 'How much is the rent?' })
  const follow = { question: 'When does the lease begin?', previous_answer_id: first.id }

  const same = await owner.answers.create(follow)
  const other = await owner.answers.create({ ...follow, document_ids: [oak.id] })

  assert.deepEqual([same.document_ids, other.document_ids], [[elm.id], [oak.id]])
  assert.match(same.text ?? '', /March 1, 2026/)
  assert.match(other.text ?? '', /May 5, 2027/)
})

test('a question with its own names is searched for as it is', async () => {
  const first = await owner.answers.create({ ...scope, question: 'How much is the rent of Oak Avenue?' })

  const second = await owner.answers.create({
    question: 'When does the lease of Elm Street begin?',
    previous_answer_id: first.id,
  })

  assert.equal(second.standalone_question, null)
  assert.match(second.text ?? '', /March 1, 2026/)
})

test('an answer that the caller cannot see, or of another project, cannot be followed', async () => {
  const first = await owner.answers.create({ ...scope, question: 'How much is the rent of Oak Avenue?' })
  const follow = { question: 'When does it begin?', previous_answer_id: first.id }
  const { client: limited } = await api.newKey(api.owner_tenant, { project_ids: [elsewhere.id] })

  assert.deepEqual(summaryOf(await failed(otherTenant.answers.create(follow))), NOT_FOUND)
  assert.deepEqual(summaryOf(await failed(limited.answers.create(follow))), NOT_FOUND)
  assert.deepEqual(summaryOf(await failed(owner.answers.create({ ...follow, project_id: elsewhere.id }))), NOT_FOUND)
})

test('an answer that was deleted cannot be followed', async () => {
  const first = await owner.answers.create({ ...scope, question: 'How much is the rent of Oak Avenue?' })
  await owner.answers.remove(first.id)

  const follow = owner.answers.create({ question: 'When does it begin?', previous_answer_id: first.id })

  assert.deepEqual(summaryOf(await failed(follow)), NOT_FOUND)
})
