import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApi } from '../../testing/api.ts'

test('receives a small file that arrives in one piece completely', async (t) => {
  const { owner, app } = await startApi(t, {}, undefined, false)
  for (let i = 0; i < 5; i++) {
    const upload = await owner.uploads.createFromFile(new Blob([`Lease ${i}`], { type: 'text/plain' }))
    const { status } = await owner.documents.create({
      title: 'Lease',
      source: { type: 'upload', upload_id: upload.id },
    })
    assert.equal(status, 'processing')
  }
  assert.equal((await app.files.list('', null)).length, 5)
})
