import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTables, readTables } from './db-types.ts'

test('the generated columns are those of the migrations', async () => {
  assert.equal(readTables(), await describeTables(), 'Run: npm run db-types')
})
