import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Octavo } from '@octavo/sdk'
import { sql } from '../../db/statement.ts'
import { operator } from '../../lib/caller.ts'
import { uuidOf } from '../../lib/ids.ts'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'

const { app, otherTenant, newKey, newTenant } = await startApi({ after })

type Query = Parameters<Octavo['documents']['list']>[0]
async function titles(client: Octavo, query: Query = {}): Promise<string[]> {
  const found: string[] = []
  for await (const { title } of client.documents.list({ sort: 'created_at', ...query })) found.push(title)
  return found
}

async function createInTurn(
  client: Octavo,
  names: readonly string[],
  project_id: string | null = null,
): Promise<{ created_at: string }[]> {
  const made: { created_at: string }[] = []
  for (const title of names) {
    made.push(await client.documents.create({ title, project_id }))
    await sleep(2)
  }
  return made
}

test('filters documents by one status or several', async () => {
  const { tenant, client } = await newTenant()
  const statuses = ['ready', 'processing', 'failed', 'partially_ready']
  const set = sql('update documents set status = $4 where tenant_id = $1 and id = $3')
  for (const status of statuses) {
    const { id } = await client.documents.create({ title: status })
    await app.db.for(operator(uuidOf('ten', tenant), [])).rows(set, [uuidOf('doc', id), status])
  }

  assert.deepEqual(await titles(client, { status: 'failed' }), ['failed'])
  assert.deepEqual(await titles(client, { status: ['ready', 'processing'] }), ['ready', 'processing'])
  assert.deepEqual(await titles(client), statuses)
  assert.deepEqual(summaryOf(await failed(client.documents.list({ status: 'done' as never }))), [
    400,
    'status not_allowed_value',
  ])
})

test('filters documents by project', async () => {
  const { client } = await newTenant()
  const [one, two] = await Promise.all([
    client.projects.create({ name: 'One' }),
    client.projects.create({ name: 'Two' }),
  ])
  await createInTurn(client, ['a', 'b'], one.id)
  await createInTurn(client, ['c'], two.id)
  await createInTurn(client, ['d'])
  const foreign = await otherTenant.projects.create({ name: 'Foreign' })
  await otherTenant.documents.create({ title: 'Secret', project_id: foreign.id })

  assert.deepEqual(await titles(client, { project_id: one.id }), ['a', 'b'])
  assert.deepEqual(await titles(client, { project_id: two.id }), ['c'])
  assert.deepEqual(await titles(client, { project_id: foreign.id }), [])
  assert.deepEqual(await titles(client, { project_id: `${one.id},${two.id}` as never }), ['a', 'b', 'c'])
  await assert.rejects(titles(client, { project_id: 'nonsense' as never }), { code: 'invalid_parameter' })
})

test('filters documents by creation time, including the first and excluding the second bound', async () => {
  const { client } = await newTenant()
  const [, second, third] = await createInTurn(client, ['a', 'b', 'c', 'd'])
  const [from, to] = [second!.created_at, third!.created_at]

  assert.deepEqual(await titles(client, { created_after: from }), ['b', 'c', 'd'])
  assert.deepEqual(await titles(client, { created_before: to }), ['a', 'b'])
  assert.deepEqual(await titles(client, { created_after: from, created_before: to }), ['b'])
  assert.deepEqual(await titles(client, { created_after: to, created_before: from }), [])
})

test('a time between two milliseconds is after the first and before the second', async () => {
  const { client } = await newTenant()
  const [, second] = await createInTurn(client, ['a', 'b', 'c'])
  const within = second!.created_at.replace('Z', '0001Z')

  assert.deepEqual(await titles(client, { created_after: within }), ['c'])
  assert.deepEqual(await titles(client, { created_before: within }), ['a', 'b'])
})

test('accepts a time with any offset', async () => {
  const { client } = await newTenant()
  const [, second] = await createInTurn(client, ['a', 'b', 'c'])
  const elsewhere = new Date(Date.parse(second!.created_at) + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30')

  assert.deepEqual(await titles(client, { created_after: elsewhere }), ['b', 'c'])
  assert.deepEqual(
    await titles(client, { created_after: '2016-12-31T23:59:60Z', created_before: '9999-12-31T23:59:59-23:59' }),
    ['a', 'b', 'c'],
  )
  assert.deepEqual(await titles(client, { created_before: '0000-01-01T00:00:00+23:59' }), [])
})

test('pages through a list in both orders, even if it ends with a full page', async () => {
  const { client } = await newTenant()
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  await createInTurn(client, names)

  assert.deepEqual(await titles(client, { limit: 2 }), names)
  assert.deepEqual(await titles(client, { limit: 4 }), names)
  assert.deepEqual(await titles(client, { limit: 3, sort: '-created_at' }), names.toReversed())
  assert.deepEqual(await titles(client, { limit: 6 }), names)
  assert.deepEqual(await titles(client, { per_page: 4, page: 1 }), names)
})

test('links to the next page', async () => {
  const { client, secret } = await newTenant()
  await createInTurn(client, ['a', 'b', 'c'])

  const { data: page, response } = await client.documents
    .list({ limit: 2, status: 'ready', sort: 'created_at' })
    .withResponse()
  const link = /^<http:\/\/127\.0\.0\.1:\d+(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
  const next = await client.request<typeof page>({ method: 'GET', path: link!.replace('/api/v1', '') })
  const last = await client.documents.list({ limit: 3 }).withResponse()

  assert.deepEqual(
    next.data.map(({ title }) => title),
    ['c'],
  )
  assert.equal(last.response.headers.get('link'), null)
  assert.ok(!link!.includes(secret))
})

test('a list returns only the selected fields', async () => {
  const { client } = await newTenant()
  await createInTurn(client, ['a'])

  const { data } = await client.documents.list({ fields: 'title,status' })

  assert.deepEqual(Object.keys(data[0]!).toSorted(), ['id', 'object', 'status', 'title'])
  assert.deepEqual(summaryOf(await failed(client.documents.list({ fields: 'titel' }))), [
    400,
    'fields not_allowed_value',
  ])
})

test('returns 304 for an unchanged list', async () => {
  const { client } = await newTenant()
  await createInTurn(client, ['a'])
  const { response } = await client.documents.list().withResponse()
  const tag = response.headers.get('etag')!

  assert.match(tag, /^W\//)
  assert.equal(await client.documents.list({}, { if_none_match: tag }), null)
  await createInTurn(client, ['b'])
  assert.equal((await client.documents.list({}, { if_none_match: tag }))?.data.length, 2)
})

test('a key for two projects reads their documents as one list', async () => {
  const { tenant, client } = await newTenant()
  const [one, two, three] = await Promise.all(['One', 'Two', 'Three'].map((name) => client.projects.create({ name })))
  for (const [name, project] of [
    ['a', one],
    ['b', two],
    ['c', three],
    ['d', one],
    ['e', null],
    ['f', two],
    ['g', one],
  ] as const)
    await createInTurn(client, [name], project?.id)
  const limited = (await newKey(tenant, { project_ids: [one!.id, two!.id] })).client

  assert.deepEqual(await titles(limited), ['a', 'b', 'd', 'f', 'g'])
  assert.deepEqual(await titles(limited, { limit: 2 }), ['a', 'b', 'd', 'f', 'g'])
  assert.deepEqual(await titles(limited, { limit: 2, sort: '-created_at' }), ['g', 'f', 'd', 'b', 'a'])
  assert.deepEqual(await titles(limited, { per_page: 2, page: 1 }), ['a', 'b', 'd', 'f', 'g'])
  assert.deepEqual(await titles(limited, { project_id: two!.id }), ['b', 'f'])
  assert.deepEqual(await titles(limited, { project_id: three!.id }), [])
  assert.deepEqual(await titles(limited, { status: 'ready', limit: 1 }), ['a', 'b', 'd', 'f', 'g'])
})
