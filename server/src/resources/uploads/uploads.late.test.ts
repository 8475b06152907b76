import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi, type TestApi } from '../../testing/api.ts'
import { s3Env } from '../../testing/files.ts'

/** Sends a second file to an upload's URL, which works for a day, after a document was created from the first. */
async function useTwice({ owner }: TestApi): Promise<{ late: number; contents: string; status: string }> {
  const [first, second] = ['name,amount\nAnna,1', 'name,amount\nEvil,9']
  const upload = await owner.uploads.create({ file_name: 'a.csv', media_type: 'text/csv', size_bytes: first.length })
  const put = (body: string) => fetch(upload.put!.url, { method: 'PUT', headers: upload.put!.headers, body })
  assert.equal((await put(first)).status, 200)
  const document = await owner.documents.create({ title: 'Anna', source: { type: 'upload', upload_id: upload.id } })
  const late = (await put(second)).status
  const contents = await (await owner.files.download(document.file_id!)).text()
  return { late, contents, status: document.status }
}

for (const [driver, env] of [
  ['disk', {}],
  ['s3', s3Env()],
] as const) {
  const api = await startApi({ after }, env)

  test(`${driver}: the URL of a used upload cannot change its document`, async () => {
    const { contents, status } = await useTwice(api)

    assert.deepEqual([contents, status], ['name,amount\nAnna,1', 'ready'])
    for (const { key } of await api.app.files.list('', null)) await api.app.files.remove(key)
  })
}
