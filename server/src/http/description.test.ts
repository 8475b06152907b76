import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api, type Endpoint, operations } from '@octavo/contract'
import { describe } from '@octavo/contract/openapi'
import { mismatchOf } from '../testing/answers.ts'
import { startApi } from '../testing/api.ts'
import { ask } from '../testing/ask.ts'
import { newEmail } from '../testing/user-callers.ts'

const description = describe({ version: '1.0.0' })

test('every response with a JSON body has an example that matches the contract', () => {
  const mismatches: string[] = []
  for (const { name, endpoint } of operations) {
    if (endpoint.answer === null || endpoint.is_text) continue
    const { title = '' } = endpoint.answer as { title?: string }
    const example = description.components.examples[title]
    const mismatch = example === undefined ? 'no example' : mismatchOf(endpoint.answer, example.value)
    if (mismatch !== null) mismatches.push(`${name}: ${mismatch}`)
  }

  assert.deepEqual(mismatches, [])
})

interface Member {
  default?: unknown
}
const defaultsOf = ({ body }: Endpoint): Record<string, unknown> => {
  const { properties = {} } = (body ?? {}) as { properties?: Record<string, Member> }
  const members = Object.entries(properties).filter(([, member]) => 'default' in member)
  return Object.fromEntries(members.map(([name, member]) => [name, member.default]))
}

test('no PATCH has defaults, which a generated client would send', () => {
  const patches = operations.filter(({ endpoint }) => endpoint.method === 'PATCH')

  for (const { name, endpoint } of patches) assert.ok(!JSON.stringify(endpoint.body).includes('"default":'), name)
})

test('the server uses the defaults of the description', async (t) => {
  const server = await startApi(t)
  const text = 'The rent is due on the first day of the month. It is 900.'
  const requests: [Endpoint, object][] = [
    [api.projects.create, { name: 'Leases' }],
    [api.users.create, { email: newEmail(), name: 'Ada', role: 'viewer' }],
    [api.oauth_clients.create, { name: 'An app', grant_types: ['client_credentials'], scopes: ['documents:read'] }],
    [api.searches.create, { query: 'rent' }],
    [api.summaries.create, { text }],
    [api.jobs.create, { type: 'summaries', inputs: [{ text }] }],
  ]
  const shown: string[] = []

  for (const [endpoint, body] of requests) {
    const answer = await ask(server, `/api/v1${endpoint.path}`, { method: 'POST', body: JSON.stringify(body) })
    assert.equal(answer.status, endpoint.status, answer.text)
    const row = JSON.parse(answer.text) as Record<string, unknown>
    for (const [name, value] of Object.entries(defaultsOf(endpoint))) {
      if (!(name in row) || name === 'cache') continue
      assert.deepEqual(row[name], value, `${endpoint.path}: ${name}`)
      shown.push(name)
    }
  }

  assert.deepEqual(shown, ['privacy', 'project_access', 'is_confidential', 'mode', 'limit', 'neighbors', 'length'])
})
