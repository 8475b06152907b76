import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'

const { owner, otherTenant, url, owner_key } = await startApi({ after })

const idsOf = ({ data }: { data: readonly { id: string }[] }): string[] => data.map(({ id }) => id).toSorted()

const odd = { 'a[b]': 'x,y', kind: 'lease' }
const lease = await owner.documents.create({ title: 'Lease', metadata: odd })
const bill = await owner.documents.create({ title: 'Bill', metadata: { kind: 'bill' } })
await otherTenant.documents.create({ title: 'Foreign', metadata: { kind: 'lease' } })

test("lists documents by metadata, only of the caller's tenant", async () => {
  assert.deepEqual(idsOf(await owner.documents.list({ metadata: { kind: 'lease' } })), [lease.id])
  assert.deepEqual(idsOf(await owner.documents.list({ metadata: odd })), [lease.id])
  assert.deepEqual(idsOf(await owner.documents.list({ metadata: { kind: 'bill', 'a[b]': 'x,y' } })), [])
  assert.deepEqual(idsOf(await owner.documents.list({ metadata: {} })), [lease.id, bill.id].toSorted())
})

test('a cursor is bound to its metadata filter', async () => {
  for (const title of ['One', 'Two']) await owner.documents.create({ title, metadata: { kind: 'page' } })

  const first = await owner.documents.list({ metadata: { kind: 'page' }, limit: 1 })
  const next = await owner.documents.list({ metadata: { kind: 'page' }, limit: 1, cursor: first.cursor! })

  assert.deepEqual([first.data[0]?.title, next.data[0]?.title, next.has_next_page], ['Two', 'One', false])
  await assert.rejects(owner.documents.list({ metadata: { kind: 'bill' }, cursor: first.cursor! }), {
    code: 'invalid_cursor',
  })
})

test('the link to the next page keeps the metadata filter', async () => {
  const headers = { authorization: `Bearer ${owner_key}` }
  const response = await fetch(`${url}/api/v1/documents?metadata[kind]=page&limit=1`, { headers })
  const next = /<(.*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]

  assert.ok(next)
  const { data } = (await (await fetch(next, { headers })).json()) as { data: { title: string }[] }
  assert.deepEqual(
    data.map(({ title }) => title),
    ['One'],
  )
})

test('a metadata filter must name its key exactly once', async () => {
  for (const query of ['metadata=lease', 'metadata[a]=1&metadata[a]=2', 'external_id[a]=1', 'metadata[a=1'])
    assert.equal(
      (await fetch(`${url}/api/v1/documents?${query}`, { headers: { authorization: `Bearer ${owner_key}` } })).status,
      400,
      query,
    )
})

test('lists documents by the time of their last change', async () => {
  const { updated_at } = await owner.documents.update(lease.id, { title: 'Lease, signed' })
  const unchanged = await owner.documents.get(bill.id)

  const changed = idsOf(await owner.documents.list({ updated_after: updated_at }))

  assert.ok(changed.includes(lease.id))
  assert.equal(changed.includes(bill.id), unchanged.updated_at >= updated_at)
  assert.deepEqual(idsOf(await owner.documents.list({ updated_after: '2200-01-01T00:00:00Z' })), [])
})

test('lists outcomes by status, metadata and last change', async () => {
  const text = 'The rent is 1,200 a month. It is due on the third. The lease ends in 2028.'
  const kept = await owner.summaries.create({ text, metadata: { batch: 'seven' } })
  await owner.summaries.create({ text })

  assert.deepEqual(idsOf(await owner.summaries.list({ metadata: { batch: 'seven' } })), [kept.id])
  assert.equal((await owner.summaries.list({ status: 'succeeded' })).data.length, 2)
  assert.equal((await owner.summaries.list({ status: ['failed', 'queued'] })).data.length, 0)
  assert.equal((await owner.summaries.list({ updated_after: '2200-01-01T00:00:00Z' })).data.length, 0)
})
