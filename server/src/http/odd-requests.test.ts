// Requests that are rare but right, on the wire.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../testing/api.ts'
import { exchange } from '../testing/raw.ts'

const api = await startApi({ after })
const headers = `Authorization: Bearer ${api.owner_key}\r\nConnection: close\r\n`

test('accepts an absolute-form request target', async () => {
  const answer = await exchange(api.url, `GET http://x/api/v1/projects?limit=1 HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)

  assert.equal(answer.status, 200)
})

test('an absolute-form request target requires a credential', async () => {
  const answer = await exchange(
    api.url,
    'GET http://x/api/v1/projects HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  )

  assert.equal(answer.status, 401)
})

test('HTTP/1.0 requires no Host header', async () => {
  const answer = await exchange(api.url, `GET /api/v1/projects HTTP/1.0\r\n${headers}\r\n`)

  assert.equal(answer.status, 200)
})

test('ignores an unknown Expect header', async () => {
  const type = 'Content-Type: application/json\r\nContent-Length: 12\r\nExpect: miracles\r\n'
  const answer = await exchange(
    api.url,
    `POST /api/v1/projects HTTP/1.1\r\nHost: x\r\n${headers}${type}\r\n{"name":"x"}`,
  )

  assert.equal(answer.status, 201)
  assert.match(answer.headers['request-id'] as string, /^req_/)
})
