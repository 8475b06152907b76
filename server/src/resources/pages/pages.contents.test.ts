import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { failed } from '../../testing/ask.ts'

const { owner, otherTenant } = await startApi({ after })

const PAGES = ['One\n\nfirst', '', 'Three é']
const created = await owner.documents.create({
  title: 'Lease',
  source: { type: 'pages', pages: PAGES.map((text) => ({ text })) },
})

test('the text of a document is its pages, separated by form feeds', async () => {
  const response = await owner.documents.contents(created.id, { format: 'text' })

  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.equal(await response.text(), PAGES.join('\f'))
})

test('without a format the text is Markdown, with an empty line between pages', async () => {
  const response = await owner.documents.contents(created.id)

  assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8')
  assert.equal(await response.text(), 'One\n\nfirst\n\nThree é')
})

test('returns all pages of a document that is read in several batches', async () => {
  const pages = Array.from({ length: 50 }, (_, i) => ({ text: `Page ${i + 1}` }))
  const document = await owner.documents.create({ title: 'Long', source: { type: 'pages', pages } })

  const text = await (await owner.documents.contents(document.id, { format: 'text' })).text()

  assert.deepEqual(
    text.split('\f'),
    pages.map((page) => page.text),
  )
})

test('Accept selects the type and must allow the format', async () => {
  const typeFor = async (accept: string, query = {}) =>
    (await owner.documents.contents(created.id, query, { headers: { accept } })).headers.get('content-type')

  assert.equal(await typeFor('text/plain'), 'text/plain; charset=utf-8')
  assert.equal(await typeFor('text/markdown;q=0.5, text/plain'), 'text/plain; charset=utf-8')
  assert.equal(await typeFor('text/*'), 'text/markdown; charset=utf-8')
  assert.equal(await typeFor('*/*', { format: 'text' }), 'text/plain; charset=utf-8')
  const refusal = { status: 406, code: 'not_acceptable' }
  await assert.rejects(typeFor('application/json'), refusal)
  await assert.rejects(typeFor('text/plain', { format: 'markdown' }), refusal)
  await assert.rejects(typeFor('text/markdown, text/plain;q=0', { format: 'text' }), refusal)
})

test('the ETag changes with the text and differs between formats', async () => {
  const document = await owner.documents.create({ title: 'Notes', source: { type: 'text', text: 'Before' } })
  const tagOf = async (format: 'text' | 'markdown') =>
    (await owner.documents.contents(document.id, { format })).headers.get('etag') ?? ''
  const before = await tagOf('text')
  const unchanged = await failed(
    owner.documents.contents(document.id, { format: 'text' }, { headers: { 'if-none-match': before } }),
  )
  const [page] = (await owner.pages.list(document.id)).data

  await owner.pages.update(document.id, page?.id ?? '', { text: 'After' })

  assert.equal(unchanged.status, 304)
  assert.notEqual(await tagOf('markdown'), before)
  assert.notEqual(await tagOf('text'), before)
})

test('a document that does not exist or belongs to another tenant has no text', async () => {
  await assert.rejects(otherTenant.documents.contents(created.id), { code: 'not_found' })
  await assert.rejects(owner.documents.contents('doc_01h455vb4pex5vsknk084sn02q'), { code: 'not_found' })
})

test('an empty document has an empty text', async () => {
  const { id } = await owner.documents.create({ title: 'Empty' })

  assert.equal(await (await owner.documents.contents(id)).text(), '')
})

const BROKEN = {
  type: 'base64',
  media_type: 'application/pdf',
  data: Buffer.from('%PDF-1.7 nothing').toString('base64'),
} as const

test('a document that could not be read returns the reason', async () => {
  const { id } = await owner.documents.create({ title: 'Broken', source: BROKEN })

  const error = await failed(owner.documents.contents(id))

  assert.deepEqual([error.status, error.code], [409, 'invalid_state'])
  assert.match(error.message, /has no text\. The PDF is damaged/)
})

test('a document that is being processed returns its job', async (t) => {
  const api = await startApi(t, {}, undefined, false)
  const { id, latest_job_id } = await api.owner.documents.create({ title: 'New', source: BROKEN }, { wait_seconds: 0 })

  const error = await failed(api.owner.documents.contents(id))

  assert.deepEqual([error.status, error.code], [409, 'invalid_state'])
  assert.match(error.message, new RegExp(`still being processed. Wait for job '${latest_job_id}'`))
})
