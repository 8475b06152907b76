// A request that has been committed is answered with what it created, whatever happens while its caller waits.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { operations } from '@octavo/contract'
import { startApi } from '../../testing/api.ts'
import { ask, errorOf, type TestAnswer } from '../../testing/ask.ts'
import { change, textSource } from '../../testing/jobs.ts'
import { weightsDir } from '../../testing/weights.ts'

// Without a worker no job ends, so every caller waits.
const lines: string[] = []
const api = await startApi(
  { after },
  { LOG_LEVEL: 'warn', OCTAVO_MODELS_DIR: weightsDir() },
  (line) => lines.push(line),
  false,
)
const { app, owner, owner_tenant } = api
const source = textSource('The rent is due on the third.')
const document = await owner.documents.create({ title: 'Lease', source })

/** Calls `onCommit` when a request has committed and begins to wait. */
async function postAndWait(path: string, body: object, onCommit: () => void, key = api.owner_key): Promise<TestAnswer> {
  const watch = app.changes.watch.bind(app.changes)
  app.changes.watch = (job) => {
    onCommit()
    return watch(job)
  }
  try {
    return await ask(api, path, { method: 'POST', body: JSON.stringify(body), headers: { prefer: 'wait=1' }, key })
  } finally {
    app.changes.watch = watch
  }
}

const idOf = ({ text }: TestAnswer): string => (JSON.parse(text) as { id: string }).id
const countJobs = async (): Promise<number> =>
  (
    await change<{ count: number }>(app, owner_tenant, 'select count(*)::int as count from jobs where tenant_id = $1')
  )[0]!.count

test('a POST returns the created resource if the database is lost while it waits', async () => {
  const bodies: Record<string, object> = {
    '/documents': { title: 'Lease', source },
    '/jobs': { type: 'documents', inputs: [{ title: 'Lease', source }] },
    '/documents/{document_id}/analysis': { features: ['language'] },
    '/documents/{document_id}/analyse': { features: ['language'] },
    '/summaries': { document_ids: [document.id] },
    '/classifications': { document_id: document.id, labels: [{ name: 'lease' }, { name: 'invoice' }] },
    '/embeddings': { document_id: document.id },
    '/reports': { type: 'documents', format: 'csv' },
  }
  const waiting = operations.filter(({ endpoint }) => endpoint.method === 'POST' && endpoint.waits)
  // An answer is a job only where a generative model is configured.
  const paths = waiting.map(({ endpoint }) => endpoint.path).filter((path) => path !== '/answers')
  assert.deepEqual(paths.toSorted(), Object.keys(bodies).toSorted())

  const open = app.db.for.bind(app.db)
  for (const path of paths) {
    const before = await countJobs()
    const answer = await postAndWait(`/api/v1${path.replace('{document_id}', document.id)}`, bodies[path]!, () => {
      app.db.for = () => {
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      }
    })
    app.db.for = open
    assert.equal(answer.status, 201, path)
    assert.ok(answer.headers.location?.endsWith(idOf(answer)), path)
    assert.ok((await countJobs()) > before, path)
  }
  assert.ok(lines.some((line) => line.includes('waiting for a created resource failed')))
})

test('a POST returns the created resource if its deadline passes before it waits', async () => {
  const now = Date.now
  const { status } = await postAndWait('/api/v1/documents', { title: 'Late', source }, () => {
    Date.now = () => now() + 120_000
  })
  Date.now = now

  assert.equal(status, 201)
})

test('a POST returns the created resource if its key is revoked while it waits', async () => {
  const { id, secret } = await api.newKey(owner_tenant)
  const revoked: Promise<unknown>[] = []
  const { status } = await postAndWait(
    '/api/v1/documents',
    { title: 'Revoked', source },
    () => revoked.push(owner.apiKeys.remove(id)),
    secret,
  )
  await Promise.all(revoked)

  assert.equal(status, 201)
})

test('a POST returns the created resource if it is deleted while it waits', async () => {
  const deleted: Promise<unknown>[] = []
  const { status, text } = await postAndWait('/api/v1/documents', { title: 'Deleted', source }, () => {
    deleted.push(change(app, owner_tenant, `delete from documents where tenant_id = $1 and title = 'Deleted'`))
  })
  await Promise.all(deleted)

  assert.deepEqual([status, (JSON.parse(text) as { status: string }).status], [201, 'processing'])
})

test('a POST returns the created resource if the process stops while it waits', async () => {
  const begun = Date.now()
  const { status } = await postAndWait('/api/v1/documents', { title: 'Stopped', source }, () => app.changes.release())
  app.changes.isReleased = false

  assert.equal(status, 201)
  assert.ok(Date.now() - begun < 900)
})

test('creates nothing if the response of a POST cannot be streamed', async () => {
  const { client, secret } = await api.newTenant('free')
  const { latest_job_id } = await client.documents.create({ title: 'Lease', source })
  const headers = { authorization: `Bearer ${secret}`, accept: 'text/event-stream' }
  const leaving = new AbortController()
  const { signal } = leaving
  const events = `${api.url}/api/v1/jobs/${latest_job_id}/events`
  for (const _ of [1, 2]) assert.equal((await fetch(events, { headers, signal })).status, 200)

  const body = JSON.stringify({ question: 'When is the rent due?' })
  const refused = await ask(api, '/api/v1/answers', { method: 'POST', key: secret, body, headers })
  leaving.abort()

  assert.deepEqual([refused.status, errorOf(refused).details[0]?.field], [429, 'streams'])
  assert.deepEqual((await client.answers.list()).data, [])
})
