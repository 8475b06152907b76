import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'

const { owner } = await startApi({ after }, { MAX_TEXT_CHARACTERS: '1000' })

const read = (text: string, media_type = 'text/plain') =>
  owner.documents.createAndWait({
    title: 'Long',
    source: { type: 'base64', media_type, data: Buffer.from(text).toString('base64') },
  })
const textsOf = async (id: string) => (await owner.pages.list(id)).data.map(({ text }) => text)

test('limits the text read from a document and reports it', async () => {
  const pages = Array.from({ length: 5 }, (_, index) => String(index).repeat(400))

  const document = await read(pages.join('\f'))

  assert.deepEqual([document.status, document.pages_ready, document.page_count], ['partially_ready', 2, 5])
  assert.equal(document.error?.code, 'document_too_large')
  assert.match(document.error?.message ?? '', /more text than the limit of 1000 characters.*2 of 5 pages were read/)
  assert.deepEqual(await textsOf(document.id), pages.slice(0, 2))
})

test('refuses a document whose first page has too much text', async () => {
  const document = await read(`${'a'.repeat(1001)}\fshort`)

  assert.deepEqual([document.status, document.error?.code, document.pages_ready], ['failed', 'document_too_large', 0])
})

test('table cells count toward the limit, however short they are', async () => {
  const document = await read(`a,b\n${'1,2\n'.repeat(60)}`, 'text/csv')

  assert.deepEqual([document.status, document.error?.code], ['failed', 'document_too_large'])
})
