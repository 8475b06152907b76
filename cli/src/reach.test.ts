import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reachable, reachingFetch } from './reach.ts'

const LOCAL = 'http://octavo:3000'

test('in a container, localhost maps to the service name', () => {
  for (const [url, connected] of [
    ['http://localhost:3000', LOCAL],
    ['http://127.0.0.1:8080/', LOCAL],
    ['https://[::1]:3000/base/api/v1/documents?limit=1', `${LOCAL}/base/api/v1/documents?limit=1`],
    ['https://octavo.example.com', 'https://octavo.example.com'],
    ['http://localhost.example.com:3000', 'http://localhost.example.com:3000'],
    ['http://10.0.0.1:3000', 'http://10.0.0.1:3000'],
  ] as const)
    assert.equal(reachable(url, LOCAL), connected)
  assert.equal(reachable('http://localhost:3000', ''), 'http://localhost:3000')
})

test('maps links to files, but not another server on this machine', async () => {
  const asked: unknown[] = []
  process.env['OCTAVO_LOCAL_URL'] = LOCAL
  const send = reachingFetch('http://127.0.0.1:3000', async (input) => {
    asked.push(input)
    return new Response()
  })

  for (const url of [
    'http://localhost:3000/files/1?sig=2',
    'http://localhost:9000/bucket',
    'https://store.example.com/1',
  ])
    await send(url)

  assert.deepEqual(asked, [`${LOCAL}/files/1?sig=2`, 'http://localhost:9000/bucket', 'https://store.example.com/1'])
})
