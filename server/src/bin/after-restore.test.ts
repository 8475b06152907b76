// After a restore, processes refuse to start until after-restore has repaired the database.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { scopeNames } from '@octavo/contract'
import { type App, openApp } from '../app.ts'
import { readConfig } from '../config/config.ts'
import { operator } from '../lib/caller.ts'
import { uuidOf } from '../lib/ids.ts'
import { createKey, removeKey } from '../resources/api-keys/api-keys.service.ts'
import { createTenant } from '../tenants/tenants.service.ts'
import { suspend } from '../tenants/tenants.suspend.ts'
import { TEST_SECRETS } from '../testing/api.ts'
import { createDatabase } from '../testing/database.ts'
import { s3Env } from '../testing/files.ts'
import { change } from '../testing/jobs.ts'
import { freePort } from '../testing/port.ts'
import { run, start } from '../testing/processes.ts'
import { insertFile } from '../testing/stored.ts'
import { openTcpProxy } from '../testing/tcp-proxy.ts'

interface AfterRestoreScene {
  env: Record<string, string>
  tenant: string
  /** Opens connections for `work` and closes them again: the command refuses to run beside other sessions. */
  as: <T>(work: (app: App) => Promise<T>) => Promise<T>
}

async function openScene(t: TestContext, more: Record<string, string> = {}): Promise<AfterRestoreScene> {
  const database = await createDatabase()
  const FILES_DIR = mkdtempSync(join(tmpdir(), 'octavo-restore-'))
  t.after(async () => {
    await database.drop()
    rmSync(FILES_DIR, { recursive: true, force: true })
  })
  const env = {
    PATH: process.env.PATH!,
    BASE_URL: 'http://localhost',
    DATABASE_URL: database.app_url,
    DATABASE_SYSTEM_URL: database.system_url,
    OCTAVO_SECRETS: TEST_SECRETS,
    FILES_DIR,
    DRAIN_MS: '0',
    PORT: '0',
    MANAGEMENT_PORT: '0',
    LOG_LEVEL: 'silent',
    ...more,
  }
  const as: AfterRestoreScene['as'] = async (work) => {
    const app = openApp(readConfig(env))
    try {
      return await work(app)
    } finally {
      await app.close()
    }
  }
  const { id: tenant } = await as((app) => createTenant(app.system, 'Restored', 'free'))
  return { env, tenant, as }
}

/** The way to the store, closed at first. */
async function openWay(t: TestContext, target: string) {
  const { hostname, port } = new URL(target)
  const way = openTcpProxy(hostname, Number(port))
  t.after(() => way.close())
  const own_port = await freePort()
  return { url: `http://127.0.0.1:${own_port}`, open: () => way.listen(own_port, '127.0.0.1') }
}

const newKey = (app: App, tenant: string) =>
  app.db.transaction(operator(uuidOf('ten', tenant), scopeNames), (tx) =>
    createKey(tx, { name: 'Key', scopes: scopeNames }),
  )

/** A database that has forgotten what happened last. */
async function forget(app: App, tenant: string, key: string): Promise<void> {
  await change(
    app,
    tenant,
    `insert into api_keys (tenant_id, id, name, scopes, key_preview, created_at, updated_at) values ($1, $3, 'Key', '{}', '', now(), now())`,
    [uuidOf('key', key)],
  )
  await app.system.query('update tenants set suspended_at = null')
}

test('programs refuse a restored database until after-restore ran; revoked keys stay revoked', async (t) => {
  const { env, tenant, as } = await openScene(t)
  const { key, lost } = await as(async (app) => {
    const { id: key } = await newKey(app, tenant)
    await app.db.transaction(operator(uuidOf('ten', tenant), scopeNames), (tx) => removeKey(app, tx, key))
    await suspend(app, tenant)
    await forget(app, tenant, key)
    await insertFile(app, tenant, 'bytes')
    return { key, lost: await insertFile(app, tenant, null) }
  })

  const refused = await Promise.all(['api', 'worker'].map((door) => run(door, env)))
  const done = await run('admin', env, 'after-restore')

  for (const { code, error } of refused) {
    assert.equal(code, 1)
    assert.match(
      error,
      /older than its storage\. 1 revoked keys, 0 keys .* 1 suspended tenants .* run: npm run admin -- after-restore\n$/,
    )
  }
  assert.deepEqual([done.code, done.error], [0, ''])
  assert.match(done.out, /^1 revoked keys were revoked again$/m)
  assert.match(done.out, /^1 suspended tenants were suspended again$/m)
  assert.match(done.out, /^2 files: 1 have no bytes and are marked, 0 have their bytes again$/m)
  assert.match(done.out, new RegExp(`^  ${tenant}  ${lost}$`, 'm'))
  await as(async (app) => {
    const keys = await change(app, tenant, 'select id from api_keys where tenant_id = $1 and id = $3', [
      uuidOf('key', key),
    ])
    const { rows } = await app.system.query<{ position: string }>('select position from tenant_positions')
    assert.deepEqual(keys, [])
    assert.deepEqual(rows, [{ position: '1000000000' }])
  })
})

test('after-restore requires all other sessions to stop first', async (t) => {
  const { env, as } = await openScene(t)

  const { code, out, error } = await as(async (app) => {
    await app.system.query('select 1')
    return run('admin', env, 'after-restore')
  })

  assert.deepEqual([code, out], [1, ''])
  assert.match(error, /^1 other sessions use this database\. Stop every API, worker and pooler first/)
})

test('after-restore with --revoke-all-keys needs --accept-missing if the storage is lost', async (t) => {
  const { env, tenant, as } = await openScene(t)
  await as(async (app) => {
    await newKey(app, tenant)
    await newKey(app, tenant)
    for (let i = 0; i < 12; i++) await insertFile(app, tenant, 'bytes')
  })
  await rm(env.FILES_DIR!, { recursive: true })

  const stopped = await run('admin', env, 'after-restore', '--revoke-all-keys')
  const done = await run('admin', env, 'after-restore', '--revoke-all-keys', '--accept-missing')

  assert.equal(stopped.code, 1)
  assert.match(stopped.out, /^2 keys were revoked: all keys\./m)
  assert.match(
    stopped.error,
    /too many files have no bytes, .*\. If they are lost, run this with --accept-missing\.\n$/,
  )
  assert.equal(done.code, 0)
  assert.match(done.out, /^12 files: 12 have no bytes and are marked/m)
})

test('a process started without its storage exits once the storage shows a restored revoked key', async (t) => {
  const { env, tenant, as } = await openScene(t, s3Env())
  await as(async (app) => {
    const { id } = await newKey(app, tenant)
    await app.db.transaction(operator(uuidOf('ten', tenant), scopeNames), (tx) => removeKey(app, tx, id))
    await forget(app, tenant, id)
  })
  const way = await openWay(t, env.S3_ENDPOINT!)

  const { child, said, ended } = start('api', {
    ...env,
    S3_ENDPOINT: way.url,
    PORT: String(await freePort()),
    LOG_LEVEL: 'warn',
  })
  while (!said.out.includes('"comparing revocations failed"') && child.exitCode === null)
    await once(child.stdout, 'data')
  way.open()
  const { code, error } = await ended

  assert.match(said.out, /"comparing revocations failed"/)
  assert.deepEqual([code, /older than its storage\. 1 revoked keys/.test(error)], [1, true], error)
})
