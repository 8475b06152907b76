import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api, type Endpoint } from '@octavo/contract'
import fastify from 'fastify'
import { watchAnswers } from './answers.ts'

const PROJECT = {
  id: 'proj_01h455vb4pex5vsknk084sn02q',
  object: 'project',
  name: 'Leases',
  description: null,
  retention_days: null,
  privacy: 'any',
  default_processing: {},
  document_count: 0,
  metadata: {},
  created_at: '2026-01-02T03:04:05.678Z',
  updated_at: '2026-01-02T03:04:05.678Z',
}
const FAILURE = { code: 'conflict', message: '', details: [], request_id: 'req_1', doc_url: '' }

/** The message of the failure, or null when every answer was as the contract says. */
async function verdictOf(answer: { status?: number; body: unknown; url?: string }): Promise<string | null> {
  const server = fastify()
  const assertAnswers = watchAnswers(server)
  const endpoint: Endpoint = api.projects.get
  server.get('/', { config: { endpoint, operation: 'projects.get' } }, (_request, reply) =>
    reply
      .code(answer.status ?? 200)
      .header('content-type', 'application/json')
      .send(JSON.stringify(answer.body)),
  )
  await server.inject(answer.url ?? '/')
  try {
    assertAnswers()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

test('accepts a response that matches the contract', async () => {
  assert.equal(await verdictOf({ body: PROJECT }), null)
})

test('fails the test on a missing, mistyped or undeclared field', async () => {
  const { privacy: _privacy, ...without } = PROJECT

  assert.match((await verdictOf({ body: without }))!, /must have required property 'privacy'/)
  assert.match((await verdictOf({ body: { ...PROJECT, name: 7 } }))!, /\/name must be string/)
  assert.match((await verdictOf({ body: { ...PROJECT, colour: 'red' } }))!, /additional properties colour/)
})

test('accepts a partial response with `fields`', async () => {
  const { id, object, name } = PROJECT

  assert.equal(await verdictOf({ body: { id, object, name }, url: '/?fields=name' }), null)
  assert.match((await verdictOf({ body: { id, object, name: 7 }, url: '/?fields=name' }))!, /must be string/)
})

test('a failure needs the error body and a declared code', async () => {
  assert.equal(await verdictOf({ status: 404, body: { ...FAILURE, code: 'not_found' } }), null)
  assert.match((await verdictOf({ status: 404, body: { code: 'not_found' } }))!, /required property 'message'/)
  assert.match((await verdictOf({ status: 409, body: FAILURE }))!, /'conflict' is not among the failures/)
})

test('fails the test on an undeclared status', async () => {
  assert.match((await verdictOf({ status: 201, body: PROJECT }))!, /the status is not declared/)
})
