import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api, type DetailCode } from '@octavo/contract'
import type { Failure } from '../../lib/failure.ts'
import { compileQuery } from './query.ts'

const read = compileQuery(api.documents.list)

test('parses a query into numbers, text and lists', () => {
  assert.deepEqual(read(''), {})
  assert.deepEqual(read('limit=5&status=ready,failed&external_id=a%2Cb%20c&sort=-created_at'), {
    limit: 5,
    status: ['ready', 'failed'],
    external_id: 'a,b c',
    sort: '-created_at',
  })
  assert.deepEqual(read('external_id=a%2Bb&created_after=2026-01-02T03:04:05%2B02:00'), {
    external_id: 'a+b',
    created_after: '2026-01-02T03:04:05+02:00',
  })
})

const WRONG: [search: string, code: DetailCode, field: string][] = [
  ['statsu=ready', 'unknown_field', 'statsu'],
  ['constructor=1', 'unknown_field', 'constructor'],
  ['expand=project', 'unknown_field', 'expand'],
  ['limit=1&limit=2', 'repeated', 'limit'],
  ['external_id=%ff', 'invalid_format', ''],
  ['external_id=a%C3&limit=1', 'invalid_format', ''],
  ['external_id=%ed%a0%80', 'invalid_format', ''],
  ['status=ready&status=failed', 'repeated', 'status'],
  ['limit=0', 'too_small', 'limit'],
  ['limit=101', 'too_large', 'limit'],
  ['limit=', 'invalid_type', 'limit'],
  ['limit=1e1', 'invalid_type', 'limit'],
  ['limit=%205', 'invalid_type', 'limit'],
  ['limit=0x10', 'invalid_type', 'limit'],
  ['limit=5.0', 'invalid_type', 'limit'],
  ['limit=99999999999999999999', 'invalid_type', 'limit'],
  ['status=', 'not_allowed_value', 'status'],
  ['status=ready,gone', 'not_allowed_value', 'status'],
  ['sort=title', 'not_allowed_value', 'sort'],
  ['external_id=', 'too_short', 'external_id'],
  [`external_id=${'x'.repeat(201)}`, 'too_long', 'external_id'],
  ['external_id=a%00b', 'invalid_format', 'external_id'],
  ['created_after=yesterday', 'invalid_format', 'created_after'],
  [`${'a=1&'.repeat(30)}limit=1`, 'too_many_items', ''],
]
for (const [search, code, field] of WRONG) {
  test(`refuses the query '${search.slice(0, 40)}' with ${code}`, () => {
    assert.throws(
      () => read(search),
      (failure: Failure) => {
        assert.equal(failure.code, 'invalid_parameter')
        assert.equal(failure.status, 400)
        assert.deepEqual(
          [failure.details[0]?.code, failure.details[0]?.field, failure.details[0]?.location],
          [code, field, 'query'],
        )
        assert.equal(failure.details[0]?.pointer, undefined)
        return true
      },
    )
  })
}

test('lists every error of a query', () => {
  assert.throws(
    () => read('limit=0&typo=1&sort=title'),
    (failure: Failure) => failure.details.length === 3,
  )
})
