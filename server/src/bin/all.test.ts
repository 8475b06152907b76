// Everything in one process, as it meets its database for the first time.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Octavo } from '@octavo/sdk'
import { createDatabase, dropDatabase } from '../testing/database.ts'
import { asOwner, portText, run, settingsFor, start } from '../testing/processes.ts'

const database = await createDatabase()
after(() => database.drop())
const settings = settingsFor(database)

/** Creates a database without migrations. */
async function createEmptyDatabase(t: { after(work: () => Promise<unknown>): void }): Promise<typeof settings> {
  const name = `octavo_test_empty_${Date.now().toString(36)}`
  const urlOf = (url: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href
  await asOwner(database.owner_url, `create database ${name}`)
  t.after(() => dropDatabase(name))
  const urls = {
    DATABASE_URL: database.app_url,
    DATABASE_SYSTEM_URL: database.system_url,
    DATABASE_OWNER_URL: database.owner_url,
  }
  return { ...settings, ...Object.fromEntries(Object.entries(urls).map(([variable, url]) => [variable, urlOf(url)])) }
}

async function isReady(port: string): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
  await answer?.text()
  return answer?.ok ?? false
}

test('the single process sets up an empty database, prints its first key once, serves and works', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'octavo-all-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  const { BASE_URL: _base, OCTAVO_SECRETS: _secrets, ...rest } = await createEmptyDatabase(t)
  const env = { ...rest, OCTAVO_DATA_DIR: data, PORT: await portText(), HEALTH_ON_MAIN: 'true' }
  const ports = [await portText(), await portText()]

  // Two that start at once: one of them makes the tenant.
  const both = ports.map((MANAGEMENT_PORT) => start('all', { ...env, MANAGEMENT_PORT }))
  const outs = (): string => both.map(({ said }) => said.out).join('')
  const whenReady = both.map(async ({ child, said }, i) => {
    while (child.exitCode === null && !(await isReady(ports[i]!))) await sleep(50)
    // Output printed earlier may still be in the pipe.
    await sleep(20)
    return said.out
  })
  for (const { said, child } of both)
    while (!said.out.includes('"working"') && child.exitCode === null) await once(child.stdout, 'data')
  while (!outs().includes('Try it')) await Promise.race(both.map(({ child }) => once(child.stdout, 'data')))
  const keys = outs().match(/^ {2}oct_key_\w+$/gm) ?? []
  const ready = await Promise.all(whenReady)
  const base_url = `http://localhost:${env.PORT}`
  const octavo = new Octavo({ base_url: base_url.replace('localhost', '127.0.0.1'), api_key: keys[0]!.trim() })
  const document = await octavo.documents.createAndWait({
    title: 'Lease',
    source: { type: 'text', text: 'Rent is 1,200 a month.' },
  })
  for (const { child } of both) child.kill('SIGTERM')
  const ended = await Promise.all(both.map((one) => one.ended))
  const again = start('all', { ...env, MANAGEMENT_PORT: ports[0]! })
  while (!again.said.out.includes('"working"')) await once(again.child.stdout, 'data')
  again.child.kill('SIGTERM')
  const { out } = await again.ended

  assert.equal(keys.length, 1)
  assert.ok(
    ready.some((out) => out.includes(keys[0])),
    'who waits until it is ready finds the key',
  )
  assert.match(outs(), new RegExp(`Octavo is ready at ${base_url}\n`))
  assert.equal(document.status, 'ready')
  assert.deepEqual(
    ended.map(({ code, error }) => [code, error]),
    [
      [0, ''],
      [0, ''],
    ],
  )
  assert.doesNotMatch(out, /oct_key_/)
})

test('a single process with another data directory does not take over an installation', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'octavo-all-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  const { OCTAVO_SECRETS: _, ...rest } = settings

  const { code, error } = await run('all', { ...rest, OCTAVO_DATA_DIR: data, PORT: await portText() })

  assert.equal(code, 1)
  assert.match(
    error,
    /^This database belongs to an existing installation, but its secret is not in '.*secrets'\. Set OCTAVO_DATA_DIR/,
  )
  assert.equal(existsSync(join(data, 'secrets')), false)
})

test("with AUTO_MIGRATE=off, migrate prepares the database and the process runs without the owner's password", async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'octavo-all-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  const { BASE_URL: _base, OCTAVO_SECRETS: _secrets, ...rest } = await createEmptyDatabase(t)
  const env = { ...rest, AUTO_MIGRATE: 'off', OCTAVO_DATA_DIR: data, PORT: await portText() }
  const wrong = Object.assign(new URL(rest.DATABASE_OWNER_URL), { username: 'no_such_role', password: 'wrong' }).href
  const serving = { ...env, DATABASE_OWNER_URL: wrong, MANAGEMENT_PORT: await portText() }

  const early = await run('all', serving)
  const migrated = await run('migrate', env)
  const all = start('all', serving)
  while (!all.said.out.includes('Try it') && all.child.exitCode === null) await once(all.child.stdout, 'data')
  all.child.kill('SIGTERM')
  await all.ended

  assert.match(early.error, /^No secret found in '.*secrets'\. Run migrate first/)
  assert.deepEqual([migrated.code, migrated.error], [0, ''])
  assert.match(all.said.out, /^ {2}oct_key_\w+$/m)
  assert.equal(existsSync(join(data, 'secrets')), true)
})
