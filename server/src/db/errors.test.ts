import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unavailable } from './errors.ts'

test('a database without room is told apart from one that is away', () => {
  const told = ['53100', '08006'].map((code) => unavailable(Object.assign(new Error(), { code })))

  assert.deepEqual(
    told.map(({ code, message, headers }) => [code, message.split('.')[0], headers['retry-after']]),
    [
      ['service_unavailable', 'The database has no room for more at the moment', '60'],
      ['service_unavailable', 'The service cannot reach its database', '5'],
    ],
  )
})
