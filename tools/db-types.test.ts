import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTables, readTables } from './db-types.ts'

test('the generated columns match the migrations', async () => {
  assert.equal(readTables(), await describeTables(), 'Run: npm run db-types')
})
