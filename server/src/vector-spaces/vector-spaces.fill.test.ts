import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { uuidOf } from '../lib/ids.ts'
import { startApi } from '../testing/api.ts'
import { FakeEmbedder, useEmbedders } from '../testing/fake-embedder.ts'
import { change, until } from '../testing/jobs.ts'
import { changeModel } from './vector-spaces.service.ts'

/** Calls `during` while it embeds the first batch. */
class InterruptedEmbedder extends FakeEmbedder {
  during: (() => Promise<unknown>) | null = null
  override async embed(texts: readonly string[]) {
    const { during } = this
    if (during && texts.length > 1) {
      this.during = null
      await during()
    }
    return super.embed(texts)
  }
}

const first = new InterruptedEmbedder('first', 384)
const second = new FakeEmbedder('second', 8)
const { app, newTenant } = await startApi({ after })
useEmbedders(app, [first, second])
beforeEach(() => {
  first.texts = []
  first.during = null
})

const LONG = 'The zeppelin flew over the lake at noon. '.repeat(1_500)

async function startTenant() {
  const { tenant, client } = await newTenant()
  const write = () => client.documents.create({ title: 'Flight', source: { type: 'text', text: LONG } })
  const untilReady = (id: string) =>
    until(async () => (await client.documents.get(id)).status === 'ready', 'the document is ready', 60)
  return { tenant, client, write, untilReady }
}

test('an ingestion ends if another model takes over while it adds vectors', async () => {
  const { tenant, client, write, untilReady } = await startTenant()
  const isSwitched = async () => {
    const rows = await change(
      app,
      tenant,
      `select from embedding_spaces where tenant_id = $1 and model = 'second' and status = 'active'`,
    )
    return rows.length === 1
  }
  first.during = async () => {
    await changeModel(app, uuidOf('ten', tenant), 'second')
    await until(isSwitched, 'the other model has taken over', 60)
  }

  const { id } = await write()
  await untilReady(id)

  const { data } = await client.chunks.list(id, { limit: 100 })
  assert.equal(first.texts.length, data.length)
})

test('a title that changes while vectors are added reaches the search', async () => {
  const { client, write, untilReady } = await startTenant()
  let id = ''
  first.during = async () => {
    await until(async () => id !== '', 'the document has an id', 10)
    await client.documents.update(id, { title: 'Dirigible' })
  }
  id = (await write()).id
  await untilReady(id)

  const find = async (query: string) =>
    (await client.searches.create({ query, mode: 'keyword', store: false })).results.length > 0
  await until(() => find('dirigible'), 'the new title is found', 60)
  assert.equal(await find('flight'), false)
})
