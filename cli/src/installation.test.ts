import assert from 'node:assert/strict'
import { accessSync, chmodSync, constants } from 'node:fs'
import { after, test } from 'node:test'
import { startApi, TEST_SECRETS } from '../../server/src/testing/api.ts'
import { createDatabase } from '../../server/src/testing/database.ts'
import type { CliFinding } from './finding.ts'
import { Person } from './testing/run.ts'

const [api, database] = await Promise.all([startApi({ after }), createDatabase()])
const person = new Person()
after(async () => {
  person.leave()
  await database.drop()
})
const client = { OCTAVO_URL: api.url, OCTAVO_API_KEY: api.owner_key }
const server = {
  BASE_URL: 'http://127.0.0.1:3999',
  PORT: '0',
  MANAGEMENT_PORT: '0',
  DATABASE_URL: database.app_url,
  DATABASE_SYSTEM_URL: database.system_url,
  OCTAVO_SECRETS: TEST_SECRETS,
}

async function examine(
  env: Record<string, string>,
): Promise<{ exit: number | null; checks: CliFinding[]; is_healthy: boolean }> {
  const { exit, out } = await person.run(['doctor', '--json'], { env })
  return { exit, ...(JSON.parse(out) as { checks: CliFinding[]; is_healthy: boolean }) }
}
const statusOf = (checks: readonly CliFinding[], name: string) => checks.find((one) => one.name === name)?.status

test('lists client and server checks together if the server settings are present', async () => {
  const { exit, checks, is_healthy } = await examine({ ...client, ...server })

  assert.deepEqual([exit, is_healthy], [0, true], JSON.stringify(checks.filter(({ status }) => status === 'failed')))
  assert.deepEqual(
    ['login', 'key', 'configuration', 'database', 'role', 'schema'].map((name) => statusOf(checks, name)),
    Array(6).fill('ok'),
  )
})

test('a failed server check makes the whole result unhealthy', async () => {
  const { exit, checks, is_healthy } = await examine({ ...client, ...server, VALKEY_URL: 'http://wrong' })

  assert.deepEqual(
    [exit, is_healthy, statusOf(checks, 'configuration'), statusOf(checks, 'key')],
    [1, false, 'failed', 'ok'],
  )
})

test('does not require a login next to the server settings', async () => {
  const { exit, checks } = await examine(server)

  assert.deepEqual([exit, statusOf(checks, 'login'), statusOf(checks, 'database')], [0, 'skipped', 'ok'])
})

test('suggests commands to examine a local server, but not a remote one', async () => {
  const [near, far] = await Promise.all([examine(client), examine({ ...client, OCTAVO_URL: 'http://octavo.invalid' })])

  assert.deepEqual(near.checks.find(({ name }) => name === 'installation')?.commands, [
    'docker compose run --rm --no-deps octavo doctor',
    'npm run doctor',
  ])
  assert.equal(statusOf(far.checks, 'installation'), undefined)
})

test('skips the installation checks inside a container', async () => {
  const { checks } = await examine({ ...server, OCTAVO_IN_CONTAINER: '1' })

  assert.deepEqual([statusOf(checks, 'installation'), statusOf(checks, 'database')], [undefined, undefined])
})

test('skips the installation check if a secret belongs to another user', async (t) => {
  const file = person.file('secrets', TEST_SECRETS)
  chmodSync(file, 0)
  if (isReadable(file)) return t.skip('this user may read everything')
  const { checks } = await examine({ ...client, DATABASE_OWNER_URL: database.owner_url, OCTAVO_DATA_DIR: person.home })

  assert.equal(statusOf(checks, 'installation'), 'skipped')
})

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}
