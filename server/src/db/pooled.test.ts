// A pooled connection keeps no state of the tenant it served last, even behind a transaction pooler.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Octavo } from '@octavo/sdk'
import { operator } from '../lib/caller.ts'
import { newUuid } from '../lib/ids.ts'
import { startApi } from '../testing/api.ts'
import { createDatabase } from '../testing/database.ts'
import { openDatabase, openPool } from './database.ts'
import { NO_TENANT } from './errors.ts'
import { sql } from './statement.ts'

const SETTINGS = `select coalesce(current_setting('app.tenant', true), '') || coalesce(current_setting('app.projects', true), '')
  || coalesce(current_setting('app.key_hash', true), '') as left`
/** Runs without a tenant: only the hash is set. */
const LEFT = sql(SETTINGS, null, [17])
const WAIT = sql('select pg_sleep(0.05), tenant_id from projects where tenant_id = $1')

for (const way of ['app_url', 'pooled_url'] as const) {
  test(`a connection keeps no tenant after use (${way === 'app_url' ? 'direct' : 'behind a pooler'})`, async (t) => {
    const database = await createDatabase()
    const url = database[way]
    const db = openDatabase(url ?? database.app_url, 1)
    const raw = openPool(url ?? database.app_url, 1)
    t.after(async () => {
      await Promise.all([db.close(), raw.end()])
      await database.drop()
    })
    if (!url) return t.skip('PGBOUNCER_URL is not set')
    const caller = operator(newUuid(), [])

    await db.for(caller).rows(WAIT)
    await db.transaction(caller, (tx) => tx.rows(WAIT))
    await assert.rejects(
      db.transaction(caller, async (tx) => {
        await tx.rows(WAIT)
        throw new Error('given up')
      }),
      /given up/,
    )
    await assert.rejects(db.for(caller).rows(sql('select 1 / 0')))

    assert.deepEqual(await db.findSecret(Buffer.from('00', 'hex'), LEFT), { left: '00' })
    for (let i = 0; i < 5; i++) {
      assert.deepEqual((await raw.query(SETTINGS)).rows, [{ left: '' }])
      await assert.rejects(raw.query('select from documents'), { code: NO_TENANT })
    }
  })
}

test('two tenants on the same pooled connections see only their own data', async (t) => {
  if (!process.env.PGBOUNCER_URL) return t.skip('PGBOUNCER_URL is not set')
  const api = await startApi(t, (database) => ({
    DATABASE_URL: database.pooled_url ?? '',
    DATABASE_DIRECT_URL: database.app_url,
    DATABASE_POOL: '2',
  }))
  const parties = { owner: api.owner, stranger: api.otherTenant }

  const live = async ([name, client]: [string, Octavo]): Promise<void> => {
    for (let i = 0; i < 10; i++) {
      const project = await client.projects.create({ name: `${name} ${i}` })
      const { id } = await client.documents.create({
        title: name,
        project_id: project.id,
        source: { type: 'text', text: name },
      })
      await client.documents.update(id, { title: `${name} again` })
      await assert.rejects(client.documents.get(`doc_${project.id.slice(5)}`), { code: 'not_found' })
    }
  }
  await Promise.all(Object.entries(parties).map(live))

  for (const [name, client] of Object.entries(parties)) {
    const { data } = await client.documents.list({ limit: 100 })
    assert.equal(data.length, 10)
    assert.ok(data.every(({ title }) => title === `${name} again`))
  }
})
