import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeNames } from '@octavo/contract'
import { openDatabase, openPool } from '../db/database.ts'
import { operator } from '../lib/caller.ts'
import { uuidOf } from '../lib/ids.ts'
import { createKey } from '../resources/api-keys/api-keys.service.ts'
import { createDatabase } from '../testing/database.ts'
import { beginFirstTenant } from './tenants.service.ts'

test('a first tenant without a key gets one at the next start, but never a second one', async (t) => {
  const database = await createDatabase()
  const [system, db] = [openPool(database.system_url, 4), openDatabase(database.app_url, 2)]
  t.after(async () => {
    await Promise.all([system.end(), db.close()])
    await database.drop()
  })
  const begin = async (id: string): Promise<string> => {
    await db.transaction(operator(uuidOf('ten', id), scopeNames), (tx) =>
      createKey(tx, { name: 'First', scopes: scopeNames }),
    )
    return id
  }
  let left = ''
  const killed = beginFirstTenant(system, 'Mine', async (id) => {
    left = id
    throw new Error('killed')
  })
  await assert.rejects(killed, /killed/)

  const both = await Promise.all([beginFirstTenant(system, 'Mine', begin), beginFirstTenant(system, 'Mine', begin)])

  assert.deepEqual(both.filter(Boolean), [left])
})
