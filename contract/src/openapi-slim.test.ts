import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describe } from './openapi.ts'
import { slimDescription } from './openapi-slim.ts'

const FAILURE = '#/components/responses/Failure'

test('the slim description has one error response, and the same operations and schemas', () => {
  const description = describe({ version: '1.2.3' })
  const slim = slimDescription(description)
  const operations = Object.values(slim.paths).flatMap((path) => Object.values(path))
  const statuses = new Set(operations.flatMap(({ responses }) => Object.keys(responses)))

  assert.deepEqual(
    [...statuses].filter((status) => /^[45]/.test(status)),
    [],
  )
  for (const { operationId, responses } of operations) {
    const isText = ['files_contents', 'documents_contents'].includes(operationId)
    const failure = isText ? { description: 'Any error, with the body of other errors as JSON.' } : { $ref: FAILURE }
    assert.deepEqual(responses['default'], failure, operationId)
  }
  assert.deepEqual(Object.keys(slim.components.responses), ['Failure'])
  assert.deepEqual(Object.keys(slim.paths), Object.keys(description.paths))
  assert.deepEqual(slim.components.schemas, description.components.schemas)
})

test('the slim description has one media type for bytes, and an operation for the link', () => {
  const { paths } = slimDescription(describe({ version: '1.2.3' }))
  const typesOf = (path: string, status: number): string[] => {
    const { content = {} } = (paths[path]?.get?.responses[status] ?? {}) as { content?: object }
    return Object.keys(content)
  }

  assert.deepEqual(typesOf('/files/{file_id}/contents', 200), ['application/octet-stream'])
  assert.deepEqual(typesOf('/files/{file_id}/contents', 206), ['application/octet-stream'])
  assert.deepEqual(typesOf('/files/{file_id}/link', 200), ['application/json'])
})
