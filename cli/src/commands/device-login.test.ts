// A user logs in on the command line with a browser. The browser's half is real: sign-in, code, consent.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Authorization, User } from '@octavo/sdk'
import { startApi } from '../../../server/src/testing/api.ts'
import { answerConsent, enterDeviceCode, signInBrowser } from '../../../server/src/testing/oauth.ts'
import { createTestUser } from '../../../server/src/testing/users.ts'
import { jsonLines, Person } from '../testing/run.ts'

const api = await startApi({ after }, { RATE_LIMITS: 'off' }, undefined, false)
const FILE = '.config/octavo/login.json'
/** The same server under another name. */
const localUrl = api.url.replace('127.0.0.1', 'localhost')
await createTestUser(api, 'ada@example.com')
const browser = await signInBrowser(api, 'ada@example.com')

function newPerson(env: Record<string, string> = {}): Person {
  const person = new Person(env)
  after(() => person.leave())
  return person
}

interface SavedLogin {
  url: string
  tokens: { access_token: string; refresh_token: string; expires_at: string }
}
const savedOf = (person: Person): SavedLogin => JSON.parse(person.read(FILE)) as SavedLogin
const listAuthorizations = async (): Promise<Authorization[]> => (await api.owner.authorizations.list()).data

/** Answers on the pages what the terminal shows. */
async function logIn(person: Person, answer: 'allow' | 'deny' = 'allow', args: readonly string[] = []) {
  const started = person.start(['login', api.url, ...args])
  const [, code = ''] = await started.said(/enter the code ([A-Z]{4}-[A-Z]{4})/)
  await answerConsent(browser, await enterDeviceCode(browser, code), answer)
  return started.ended
}

/** As if the access token had been issued 15 minutes ago. */
function expire(person: Person): void {
  const { url, tokens } = savedOf(person)
  person.file(FILE, JSON.stringify({ url, tokens: { ...tokens, expires_at: new Date().toISOString() } }))
}

test('a user logs in with the browser, works, and logs out everywhere', async () => {
  const person = newPerson()

  const { exit, out, err } = await logIn(person)
  const saved = savedOf(person)
  const listed = await person.run(['documents', 'list'])
  const who = await person.run(['whoami'])
  const json = await person.run(['whoami', '--json'])
  const [given] = await listAuthorizations()
  const left = await person.run(['logout'])

  assert.equal(exit, 0, err)
  assert.match(err, new RegExp(`^Open ${api.url}/oauth/device in a browser and enter the code `))
  assert.match(out, /Logged in to .*\nYou are Ada Lovelace, ada@example\.com, with the role editor\.\n/)
  assert.deepEqual([saved.url, Object.keys(saved.tokens).length], [api.url, 3])
  assert.deepEqual([listed.exit, who.exit, left.exit], [0, 0, 0], listed.err + who.err + left.err)
  assert.match(who.out, /^user\tAda Lovelace, ada@example\.com$/m)
  assert.match(who.out, /^role\teditor$/m)
  assert.match(who.out, /^scopes\tall that the role allows$/m)
  assert.match(who.out, new RegExp(`^tenant\t${api.owner_tenant}$`, 'm'))
  assert.match(who.out, new RegExp(`^until\t${given?.expires_at}$`, 'm'))
  const [facts] = jsonLines<{ user: User; key: null; tenant_id: string; scopes: string[] }>(json.out)
  assert.deepEqual([facts?.user.email, facts?.key, facts?.tenant_id], ['ada@example.com', null, api.owner_tenant])
  assert.ok(facts?.scopes.includes('documents:read'))
  assert.deepEqual([left.out, existsSync(join(person.home, FILE))], ['Logged out.\n', false])
  assert.deepEqual(await listAuthorizations(), [])
})

test('only the user can read the tokens, and a new login ends the earlier one', async () => {
  const person = newPerson()
  await logIn(person)
  const [earlier] = await listAuthorizations()

  const again = await logIn(person)
  const left = await listAuthorizations()

  assert.equal(again.exit, 0, again.err)
  assert.equal(statSync(join(person.home, FILE)).mode & 0o777, 0o600)
  assert.equal(left.length, 1)
  assert.notEqual(left[0]?.id, earlier?.id)
  await person.run(['logout'])
})

test('a new login ends the earlier one at the server of the earlier one', async () => {
  const person = newPerson()
  await logIn(person)
  const { tokens } = savedOf(person)
  person.file(FILE, JSON.stringify({ url: localUrl, tokens }))
  const [earlier] = await listAuthorizations()

  const user = await logIn(person)
  const [later, ...more] = await listAuthorizations()
  const key = await person.run(['login', localUrl, api.owner_key])

  assert.deepEqual([user.exit, key.exit], [0, 0], user.err + key.err)
  assert.deepEqual([later?.id === earlier?.id, more], [false, []])
  assert.deepEqual(await listAuthorizations(), [])
  for (const { err } of [user, key]) assert.doesNotMatch(err, /not revoked/)
})

test('a login succeeds and says so if the earlier one cannot be revoked', async () => {
  const person = newPerson()
  await logIn(person)
  const { tokens } = savedOf(person)
  person.file(FILE, JSON.stringify({ url: 'http://127.0.0.1:9', tokens }))

  const { exit, err } = await person.run(['login', api.url, api.owner_key])

  assert.equal(exit, 0, err)
  assert.match(err, /Your earlier access was not revoked\. Revoke it at http:\/\/127\.0\.0\.1:9\/sign-in\/account\./)
  assert.deepEqual(JSON.parse(person.read(FILE)), { url: api.url, api_key: api.owner_key })
  for (const { id } of await listAuthorizations()) await api.owner.authorizations.remove(id)
})

test('a login with a key waits for a command that changes the login', async () => {
  const person = newPerson()
  const lock = join(person.home, `${FILE}.lock`)
  mkdirSync(lock, { recursive: true })

  const started = person.start(['login', api.url, api.owner_key])
  await Promise.race([started.ended, delay(3000)])
  const isSavedEarly = existsSync(join(person.home, FILE))
  if (existsSync(lock)) rmdirSync(lock)
  const { exit, err } = await started.ended

  assert.deepEqual([isSavedEarly, exit, existsSync(join(person.home, FILE))], [false, 0, true], err)
})

test('commands that run at once refresh an expired token once', async () => {
  const person = newPerson()
  await logIn(person)
  expire(person)
  const before = savedOf(person)

  const runs = await Promise.all(Array.from({ length: 4 }, () => person.run(['documents', 'list'])))
  const refreshed = savedOf(person)
  const later = await person.run(['documents', 'list'])

  assert.deepEqual(
    runs.map(({ exit }) => exit),
    [0, 0, 0, 0],
    runs.map(({ err }) => err).join(''),
  )
  assert.notEqual(refreshed.tokens.refresh_token, before.tokens.refresh_token)
  assert.deepEqual([later.exit, savedOf(person)], [0, refreshed])
  assert.equal(existsSync(join(person.home, `${FILE}.lock`)), false)
  assert.equal((await listAuthorizations()).length, 1)
  await person.run(['logout'])
})

test('a user who refuses, or whose access was revoked, gets the next step', async () => {
  const person = newPerson()

  const refused = await logIn(person, 'deny')
  await logIn(person)
  const [given] = await listAuthorizations()
  await api.owner.authorizations.remove(given?.id ?? '')
  const revoked = await person.run(['documents', 'list'])
  const checked = await person.run(['doctor'])

  assert.deepEqual([refused.exit, revoked.exit, checked.exit], [4, 4, 4])
  assert.match(refused.err, /error: The access was denied in the browser\.\n +Try again: octavo login http/)
  assert.match(revoked.err, /error: Your login has ended\..*\n +Log in again: octavo login http/)
  assert.match(checked.out, /Your login has ended/)
})

test('tokens go only to the server that issued them, and a key in the environment wins', async () => {
  const person = newPerson()
  await logIn(person)

  const other = await person.run(['documents', 'list'], { env: { OCTAVO_URL: 'http://127.0.0.1:9' } })
  const key = await person.run(['whoami'], { env: { OCTAVO_API_KEY: api.owner_key } })
  const role = await person.run(['keys', 'list'])
  const checked = await person.run(['doctor'])

  assert.deepEqual([other.exit, key.exit, role.exit], [4, 0, 4])
  assert.match(other.err, /You are not logged in/)
  assert.match(key.out, /^key\tTest, key_\w+$/m)
  assert.match(role.err, /error: Your role does not have the scope api_keys:manage\.\n +Ask an owner or an admin/)
  assert.match(checked.out, /user +accepted: ada@example\.com, editor, until\s/)
  await person.run(['logout'])
})

test('logout removes the login also if the server is gone', async () => {
  const person = newPerson()
  await logIn(person)
  const { tokens } = savedOf(person)
  person.file(FILE, JSON.stringify({ url: 'http://127.0.0.1:9', tokens }))

  const { exit, err } = await person.run(['logout'])

  assert.deepEqual([exit, existsSync(join(person.home, FILE))], [5, false])
  assert.match(err, /did not revoke your access\.\n +The access still exists\. Revoke it at http/)
})

test('login with --json prints the code first, and names the right address of a server', async () => {
  const person = newPerson()

  const started = person.start(['login', api.url, '--json'])
  const [line = ''] = await started.printed(/^\{.*\}$/m)
  const shown = JSON.parse(line) as { user_code: string; verification_uri_complete: string }
  await answerConsent(browser, await enterDeviceCode(browser, shown.user_code), 'allow')
  const { exit, out, err } = await started.ended
  const other = await person.run(['login', localUrl])

  assert.equal(exit, 0, err)
  assert.ok(shown.verification_uri_complete.includes(shown.user_code))
  assert.equal(jsonLines<{ user: User }>(out)[1]?.user.email, 'ada@example.com')
  assert.equal(other.exit, 4)
  assert.match(
    other.err,
    new RegExp(`identifies itself as ${api.url}\\.\\n +Use that address: octavo login ${api.url}\\.`),
  )
})
