// Scenarios that need a separate server, because they exhaust it, break it or remove its database.

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newSecret } from '../auth/credential.ts'
import { sql } from '../db/statement.ts'
import { operator } from '../lib/caller.ts'
import { uuidOf } from '../lib/ids.ts'
import { startApi, type TestApi } from './api.ts'
import { ask, errorOf, type TestAnswer } from './ask.ts'
import { createDatabase } from './database.ts'
import { answerConsent, connectDevice, signInBrowser, tokensOf } from './oauth.ts'
import { openRaw } from './raw.ts'
import { openTunnel } from './tunnel.ts'
import { createTestUser } from './users.ts'

const PATH = '/api/v1/projects'

function checkPolicy(policy: string, answer: TestAnswer): TestAnswer {
  const fields = errorOf(answer).details.map(({ field, location }) => [field, location])
  assert.deepEqual(fields, [[policy, 'limit']])
  assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/)
  return answer
}

async function asOwner(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The first request is slow in two statements: longer in all than a duplicate waits, no statement longer than it may. */
export async function repeatTooSoon(t: TestContext): Promise<TestAnswer> {
  const slow = await startApi(t)
  await asOwner(
    slow.database.owner_url,
    'create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(1.4); return new; end $$',
    'create trigger slow_project before insert on projects for each row execute function dawdle()',
    'create trigger slow_answer before update on idempotency_keys for each row execute function dawdle()',
  )
  const request = { method: 'POST', body: '{"name":"Leases"}', headers: { 'idempotency-key': 'one-effect' } }
  const first = ask(slow, PATH, request)
  await sleep(200)
  const duplicate = await ask(slow, PATH, request)

  const done = await first
  assert.equal(done.status, 201, done.text)
  assert.equal(duplicate.headers['retry-after'], '1')
  const repeat = await ask(slow, PATH, request)
  assert.deepEqual([repeat.status, repeat.text, repeat.headers['idempotent-replayed']], [201, done.text, 'true'])
  return duplicate
}

export async function exceedRequests(t: TestContext): Promise<TestAnswer> {
  const limited = await startApi(t, { TIER_FREE: 'requests_per_minute:10' })
  const { secret } = await limited.newTenant('free')
  for (let count = 0; count < 10; count++) assert.equal((await ask(limited, PATH, { key: secret })).status, 200)
  return checkPolicy('requests', await ask(limited, PATH, { key: secret }))
}

/** One request whose body does not come holds the only place. */
export async function exceedConcurrency(t: TestContext): Promise<TestAnswer> {
  const limited = await startApi(t, { TIER_FREE: 'concurrent_requests:1' })
  const { secret } = await limited.newTenant('free')
  const headers = `Host: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n`
  const waiting = await openRaw(limited.url, `POST ${PATH} HTTP/1.1\r\n${headers}\r\n`)
  let answer = await ask(limited, PATH, { key: secret })
  for (let tries = 0; tries < 100 && answer.status === 200; tries++) {
    await sleep(10)
    answer = await ask(limited, PATH, { key: secret })
  }
  waiting.destroy()
  return checkPolicy('concurrent', answer)
}

export async function guessKeys(t: TestContext): Promise<TestAnswer> {
  const attacked = await startApi(t)
  const guess = () => ask(attacked, PATH, { key: newSecret('key') })
  let answer = await guess()
  // The limit refills while the guesses are made: a slow machine needs more of them.
  for (let count = 1; count < 600 && answer.status === 401; count++) answer = await guess()
  assert.equal((await ask(attacked, PATH)).status, 200, 'a valid key passes, also from this address')
  return checkPolicy('failed_logins', answer)
}

export async function loseTable(t: TestContext): Promise<TestAnswer> {
  const broken = await startApi(t)
  await asOwner(broken.database.owner_url, 'alter table projects rename to projects_lost')
  const answer = await ask(broken, PATH)
  assert.doesNotMatch(answer.text, /projects|select|relation|42P01/, 'what failed stays inside')
  return answer
}

export async function loseDatabase(t: TestContext, isKeyRemembered: boolean): Promise<TestAnswer> {
  const database = await createDatabase()
  t.after(() => database.drop())
  const gateway = await openTunnel(database.app_url)
  const lonely = await startApi(t, { DATABASE_URL: gateway.url, DATABASE_SYSTEM_URL: database.system_url })
  if (isKeyRemembered) assert.equal((await ask(lonely, PATH)).status, 200)
  gateway.cut()
  const answer = await ask(lonely, PATH)
  assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/)
  return answer
}

/** A user whose sign-in is an hour old creates a key. */
export async function createKeyLate(api: TestApi): Promise<TestAnswer> {
  const email = 'late@example.com'
  const user = await createTestUser(api, email)
  const db = api.app.db.for(operator(uuidOf('ten', api.owner_tenant), []))
  await db.rows(sql(`update users set role = 'owner' where tenant_id = $1 and id = $3`), [user])
  const browser = await signInBrowser(api, email)
  await db.rows(
    sql(`update sessions set created_at = created_at - interval '1 hour' where tenant_id = $1 and user_id = $3`),
    [user],
  )
  const { poll, confirm } = await connectDevice(api, browser, 'api_keys:manage projects:read')
  await answerConsent(browser, confirm, 'allow')
  const { access_token } = tokensOf(await poll())
  const body = JSON.stringify({ name: 'Late', scopes: ['projects:read'] })
  return ask(api, '/api/v1/api-keys', { method: 'POST', key: access_token, body })
}

/** As after a failover, when a connection leads to the former primary, which is now a standby. */
export async function writeToStandby(t: TestContext): Promise<TestAnswer> {
  const demoted = await startApi(t)
  const { name, owner_url, app_url } = demoted.database
  await asOwner(owner_url, `alter database ${name} set default_transaction_read_only = on`)
  await asOwner(
    app_url,
    'select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user and datname = current_database() and pid <> pg_backend_pid()',
  )
  const answer = await ask(demoted, PATH, { method: 'POST', body: '{"name":"Late"}' })
  assert.equal(answer.headers['retry-after'], '5')
  return answer
}
