import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'

const { owner } = await startApi({ after })

test('returns large pages a few at a time without missing any', async () => {
  const text = 'x'.repeat(900_000)
  const document = await owner.documents.create({ title: 'Large' })
  for (let i = 0; i < 14; i++) await owner.pages.create(document.id, { text: `${i} ${text}` })

  const first = await owner.pages.list(document.id, { limit: 100 })
  const numbers: number[] = []
  for await (const page of owner.pages.list(document.id, { limit: 100 })) numbers.push(page.number)

  assert.ok(first.data.length < 14 && first.data.length > 1, String(first.data.length))
  assert.equal(first.has_next_page, true)
  assert.deepEqual(
    numbers,
    Array.from({ length: 14 }, (_, i) => i + 1),
  )
  await assert.rejects(
    async () => owner.pages.list(document.id, { per_page: 100 }),
    (error: { status: number; message: string }) => error.status === 400 && /Request at most \d+/.test(error.message),
  )
})
