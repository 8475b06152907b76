import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApi } from '../../testing/api.ts'

test("another tenant's document looks like one that does not exist", async (t) => {
  const { owner, stranger } = await startApi(t)
  const { id } = await owner.documents.create({ title: 'Lease' })

  await assert.rejects(stranger.documents.get(id), { code: 'not_found' })
})
