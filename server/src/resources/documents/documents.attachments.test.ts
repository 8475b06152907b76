import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { failed } from '../../testing/ask.ts'
import { until } from '../../testing/jobs.ts'
import { mail } from '../../testing/mail.ts'
import { filesToAttach } from './documents.rules.ts'

const { owner } = await startApi({ after })

const add = (source: string, document: object) =>
  owner.documents.createAndWait(new File([source], 'mail.eml'), { document })
/** All that were attached, once they have been read. */
async function attachedTo(id: string, count: number) {
  const list = async () => (await owner.documents.list({ parent_document_id: id })).data
  await until(
    async () => {
      const all = await list()
      return all.length === count && all.every(({ status }) => status !== 'processing')
    },
    'the attachments',
    120,
  )
  return (await list()).toSorted((a, b) => a.title.localeCompare(b.title))
}
const textOf = async (id: string) => (await owner.documents.contents(id, { format: 'text' })).text()
const DOCUMENTS = { processing: { attachments: 'documents' } }

test('attachments are listed and not read, unless you ask for documents', async () => {
  const document = await add(mail('Plain', [{ name: 'bill.txt', content: 'Rent: 1,200' }]), {})

  assert.equal(document.processing?.attachments, 'none')
  assert.deepEqual(document.warnings, ['Attachments were not read: bill.txt. Upload these files separately.'])
  assert.deepEqual((await owner.documents.list({ parent_document_id: document.id })).data, [])
})

test('each attachment becomes a document that names its email, in the same project', async () => {
  const project = await owner.projects.create({ name: 'Mails' })
  const source = mail('Two', [
    { name: 'bill.txt', content: 'Rent: 1,200' },
    { name: 'notes.md', content: '# Notes' },
  ])

  const document = await add(source, { ...DOCUMENTS, project_id: project.id })
  const [bill, notes] = await attachedTo(document.id, 2)

  assert.deepEqual([document.parent_document_id, document.warnings], [null, []])
  assert.deepEqual([bill?.title, bill?.project_id, bill?.parent_document_id], ['bill.txt', project.id, document.id])
  assert.equal(await textOf(bill?.id ?? ''), 'Rent: 1,200')
  assert.equal(await textOf(notes?.id ?? ''), 'Notes')
})

test('attachments of attached emails are read too, but none below them', async () => {
  const deepest = mail('Deepest', [{ name: 'never.txt', content: 'too deep' }])
  const inner = mail('Inner', [{ name: 'deepest.eml', content: deepest }])

  const document = await add(mail('Outer', [{ name: 'inner.eml', content: inner }]), DOCUMENTS)
  const [middle] = await attachedTo(document.id, 1)
  const [last] = await attachedTo(middle?.id ?? '', 1)

  assert.deepEqual(last?.warnings, ['Attachments were not read: never.txt. Upload these files separately.'])
  assert.deepEqual((await owner.documents.list({ parent_document_id: last?.id ?? '' })).data, [])
})

test('attachments are deleted with their email', async () => {
  const inner = mail('Inner', [{ name: 'bill.txt', content: 'Rent: 1,200' }])
  const document = await add(mail('Outer', [{ name: 'inner.eml', content: inner }]), DOCUMENTS)
  const [middle] = await attachedTo(document.id, 1)
  const [last] = await attachedTo(middle?.id ?? '', 1)

  await owner.documents.remove(document.id)

  for (const id of [middle?.id ?? '', last?.id ?? ''])
    assert.equal((await failed(owner.documents.get(id))).code, 'not_found')
})

test('an attachment can be deleted alone', async () => {
  const document = await add(mail('One', [{ name: 'bill.txt', content: 'Rent: 1,200' }]), DOCUMENTS)
  const [bill] = await attachedTo(document.id, 1)

  await owner.documents.remove(bill?.id ?? '')

  assert.equal((await owner.documents.get(document.id)).status, 'ready')
})

test('at most 100 attachments become documents, and only files that are not too large', () => {
  const all = Array.from({ length: 102 }, (_, index) => ({ file_name: `${index}.txt`, size_bytes: 10 }))
  const [first] = all
  assert.ok(first)
  const odd = [{ ...first, size_bytes: null }, { ...first, size_bytes: 0 }, { ...first, size_bytes: 11 }, first]

  assert.deepEqual(filesToAttach(all, 10), [...Array(100).keys()])
  assert.deepEqual(filesToAttach(odd, 10), [3])
})
