import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { recordOf } from '@octavo/base/unknown.ts'
import fastify from 'fastify'
import { sql } from '../db/statement.ts'
import { Context } from '../http/preflight/context.ts'
import { operator } from '../lib/caller.ts'
import { uuidOf } from '../lib/ids.ts'
import { startApi } from '../testing/api.ts'
import { ask, errorOf } from '../testing/ask.ts'
import { PageBrowser } from '../testing/page-browser.ts'
import { createTestUser, TEST_PASSWORD } from '../testing/users.ts'
import { currentSession, signInUrl } from './sessions.ts'

const api = await startApi({ after }, { TRUSTED_PROXIES: '127.0.0.1/32' }, undefined, false)
const user = await createTestUser(api, 'Ada@example.com')
const db = api.app.db.for(operator(uuidOf('ten', api.owner_tenant), []))

async function signedIn(email = 'ada@example.com', headers: Record<string, string> = {}): Promise<PageBrowser> {
  const browser = new PageBrowser(api, headers)
  await browser.open('/sign-in')
  const page = await browser.submit('/sign-in', { email, password: TEST_PASSWORD })
  assert.match(page.path, /^\/sign-in\/account/, page.text)
  return browser
}

test('signs in with email and password, shows the account, and signs out', async () => {
  const browser = await signedIn()
  const account = await browser.open('/sign-in/account')

  assert.match(account.text, /Ada Lovelace Ada@example.com · editor at Test/)
  assert.match(account.text, /\(this one\)/)
  const cookie = browser.cookies.get('octavo_session') ?? ''
  const out = await browser.submit('/sign-in/sign-out', {})
  assert.equal(out.path, '/sign-in')
  const stolen = new PageBrowser(api)
  stolen.cookies.set('octavo_session', cookie)
  assert.match((await stolen.open('/sign-in/account')).path, /^\/sign-in\?/)
})

test('a wrong password and an unknown address get the same answer', async () => {
  const browser = new PageBrowser(api)
  const answers = []
  for (const email of ['ada@example.com', 'unknown@example.com']) {
    await browser.open('/sign-in')
    const page = await browser.submit('/sign-in', { email, password: 'not the password' })
    answers.push([page.answer.status, page.text.replace(email, '')])
  }

  assert.equal(answers[0]?.[0], 422)
  assert.match(String(answers[0]?.[1]), /The email address or the password is wrong/)
  assert.deepEqual(answers[0], answers[1])
})

test('the database holds a hash of the session secret, and each sign-in has a new secret', async () => {
  const browser = await signedIn()
  const first = browser.cookies.get('octavo_session') ?? ''
  await browser.open('/sign-in?again=true')
  await browser.submit('/sign-in', { email: 'ada@example.com', password: TEST_PASSWORD })
  const second = browser.cookies.get('octavo_session') ?? ''

  assert.match(second, /^[\w-]{43}$/)
  assert.notEqual(first, second)
  const rows = await db.rows<{ row: string }>(sql('select sessions::text as row from sessions where tenant_id = $1'))
  assert.ok(rows.length > 0)
  assert.ok(!JSON.stringify(rows).includes(second))
  const old = new PageBrowser(api)
  old.cookies.set('octavo_session', first)
  assert.match((await old.open('/sign-in/account')).path, /^\/sign-in\?/)
})

test('the API does not accept a session cookie', async () => {
  const browser = await signedIn()
  const answer = await ask(api, '/api/v1/documents', { key: null, headers: { cookie: browser.cookieHeader } })

  assert.deepEqual([answer.status, errorOf(answer).code], [401, 'unauthenticated'])
})

test('refuses a form without its token, from another browser or from another site', async () => {
  const fields = { email: 'ada@example.com', password: TEST_PASSWORD }
  const [browser, other] = [new PageBrowser(api), new PageBrowser(api)]
  await browser.open('/sign-in')
  const { hidden } = await other.open('/sign-in')

  assert.equal((await browser.submit('/sign-in', { ...fields, form_token: '' })).answer.status, 403)
  await browser.open('/sign-in')
  assert.equal(
    (await browser.submit('/sign-in', { ...fields, form_token: hidden['form_token'] ?? '' })).answer.status,
    403,
  )
  for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
    await browser.open('/sign-in')
    assert.equal((await browser.submit('/sign-in', fields, headers)).answer.status, 403, JSON.stringify(headers))
  }
  await browser.open('/sign-in')
  const json = await browser.submit('/sign-in', fields, { 'content-type': 'application/json' })
  assert.equal(json.answer.status, 415)
  assert.equal(browser.cookies.has('octavo_session'), false)
})

test('pages allow no script of others, no frame and no cache', async () => {
  const { answer } = await new PageBrowser(api).open('/sign-in')
  const policy = String(answer.headers['content-security-policy'])

  for (const part of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'"])
    assert.ok(policy.includes(part), part)
  assert.ok(!policy.includes('unsafe'))
  assert.ok(!/<script(?![^>]*src=)|\son\w+=|style=/.test(answer.text))
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.match(String(answer.headers['set-cookie']), /^octavo_visit=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
})

test('with an https base URL, cookies have the __Host- prefix and are Secure', async (t) => {
  const secure = await startApi(t, { BASE_URL: 'https://docs.example.com/octavo' }, undefined, false)
  await createTestUser(secure, 'ada@example.com')
  const browser = new PageBrowser(secure)
  const page = await browser.open('/octavo/sign-in')
  const account = await browser.submit('/sign-in', { email: 'ada@example.com', password: TEST_PASSWORD })

  assert.match(
    String(page.answer.headers['set-cookie']),
    /^__Host-octavo_visit=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  )
  assert.match(page.answer.text, /action="\/octavo\/sign-in"/)
  assert.equal(account.path, '/octavo/sign-in/account')
  assert.ok(browser.cookies.has('__Host-octavo_session'))
})

test('returns to a path of this server and to no other site', async () => {
  const browser = new PageBrowser(api)
  const fields = { email: 'ada@example.com', password: TEST_PASSWORD }
  await browser.open('/sign-in?return_to=%2Foauth%2Fauthorization%3Fclient_id%3Da')
  const page = await browser.submit('/sign-in', fields)

  assert.match(page.answer.text, /<meta http-equiv="refresh" content="0;url=\/oauth\/authorization\?client_id=a">/)
  const other = new PageBrowser(api)
  await other.open('/sign-in?return_to=https%3A%2F%2Fevil.example%2Fsign-in')
  const evil = await other.submit('/sign-in', { ...fields, return_to: '//evil.example/sign-in' })
  assert.equal(evil.path, '/sign-in/account')
})

test('other pages of the server find the session and the way to sign in', async () => {
  const pages = fastify()
  pages.addHook('onRequest', (request, _reply, done) => {
    request.context = new Context(10_000)
    done()
  })
  pages.get('/', async (request) => {
    const session = await currentSession(api.app, request)
    return session && { email: session.user.email, signed_in_at: session.signed_in_at }
  })
  const open = async (cookie: string) => (await pages.inject({ url: '/', headers: { cookie } })).body

  const found = await open((await signedIn()).cookieHeader)
  const { email, signed_in_at } = recordOf(JSON.parse(found))
  const age_ms = Date.now() - Date.parse(String(signed_in_at))
  assert.equal(email, 'Ada@example.com')
  assert.ok(age_ms > -1_000 && age_ms < 600_000, found)
  assert.equal(await open(`octavo_session=${'x'.repeat(43)}`), 'null')
  assert.equal(
    signInUrl(api.url, '/oauth/authorization?client_id=a', { is_repeated: true }),
    `${api.url}/sign-in?return_to=%2Foauth%2Fauthorization%3Fclient_id%3Da&again=true`,
  )
})

test('asks for the tenant when an address has several accounts with this password', async () => {
  const there = await createTestUser(api, 'two@example.com', { tenant: (await api.newTenant()).tenant })
  await createTestUser(api, 'two@example.com')
  const browser = new PageBrowser(api)
  await browser.open('/sign-in')
  const choice = await browser.submit('/sign-in', { email: 'two@example.com', password: TEST_PASSWORD })

  assert.match(choice.text, /Choose an account/)
  assert.equal(browser.cookies.has('octavo_session'), false)
  const forged = await browser.submit('/sign-in/choice', { user })
  assert.equal(forged.answer.status, 403)
  await browser.open('/sign-in')
  const again = await browser.submit('/sign-in', { email: 'two@example.com', password: TEST_PASSWORD })
  const account = await browser.submit('/sign-in/choice', { ...again.hidden, user: there })
  assert.equal(account.path, '/sign-in/account')
})

test('a suspended user cannot sign in, and its sessions stop working', async () => {
  const suspended = await createTestUser(api, 'gone@example.com')
  const browser = await signedIn('gone@example.com')
  await db.rows(sql('update users set suspended_at = now() where tenant_id = $1 and id = $3'), [suspended])

  assert.match((await browser.open('/sign-in/account')).path, /^\/sign-in\?/)
  const page = await browser.submit('/sign-in', { email: 'gone@example.com', password: TEST_PASSWORD })
  assert.equal(page.answer.status, 403)
  assert.match(page.text, /is suspended. Ask an administrator/)
})

test('a new password needs the current one and ends other sessions', async () => {
  await createTestUser(api, 'change@example.com')
  const [browser, other] = [await signedIn('change@example.com'), await signedIn('change@example.com')]
  const fields = { current_password: TEST_PASSWORD, new_password: 'a different set of words' }
  await browser.open('/sign-in/account')

  const wrong = await browser.submit('/sign-in/account/password', { ...fields, current_password: 'wrong' })
  const short = await browser.submit('/sign-in/account/password', { ...fields, new_password: 'short' })
  const saved = await browser.submit('/sign-in/account/password', fields)

  assert.match(wrong.text, /current password is wrong/)
  assert.match(short.text, /at least 12 characters/)
  assert.match(saved.text, /Your password is saved/)
  assert.match((await other.open('/sign-in/account')).path, /^\/sign-in\?/)
  await other.open('/sign-in')
  const again = await other.submit('/sign-in', { email: 'change@example.com', password: fields.new_password })
  assert.equal(again.path, '/sign-in/account')
})

test('a user ends one session or all others, and never those of another user', async () => {
  await createTestUser(api, 'many@example.com')
  const [browser, second, third] = [
    await signedIn('many@example.com'),
    await signedIn('many@example.com', { 'user-agent': 'Firefox/140.0 (Windows)' }),
    await signedIn(),
  ]
  const page = await browser.open('/sign-in/account')
  const foreign = await db.one<{ id: string }>(
    sql('select id::text as id from sessions where tenant_id = $1 and user_id = $3 order by created_at desc limit 1'),
    [user],
  )
  const [, id = ''] = /name="session" value="([0-9a-f-]{36})"/.exec(page.answer.text) ?? []

  assert.match(page.text, /Firefox on Windows/)
  await browser.submit('/sign-in/account/sessions', { session: foreign.id })
  assert.equal((await third.open('/sign-in/account')).path, '/sign-in/account')
  await browser.open('/sign-in/account')
  assert.match((await browser.submit('/sign-in/account/sessions', { session: id })).text, /The session has ended/)
  assert.match((await second.open('/sign-in/account')).path, /^\/sign-in\?/)
  assert.equal((await browser.open('/sign-in/account')).path, '/sign-in/account')
})

test('failures slow down a client, not an account', async () => {
  await createTestUser(api, 'target@example.com')
  const regular = await signedIn('target@example.com', { 'x-forwarded-for': '203.0.113.9' })
  const attacker = new PageBrowser(api, { 'x-forwarded-for': '203.0.113.9' })
  const statuses = []
  for (let i = 0; i < 11; i++) {
    await attacker.open('/sign-in')
    statuses.push((await attacker.submit('/sign-in', { email: 'target@example.com', password: 'wrong' })).answer.status)
  }

  assert.deepEqual(statuses, [422, 422, 422, 422, 422, 422, 422, 422, 422, 422, 429])
  await signedIn('target@example.com', { 'x-forwarded-for': '203.0.113.10' })
  // The same address, but a browser that has signed in before.
  await regular.open('/sign-in?again=true')
  const page = await regular.submit('/sign-in', { email: 'target@example.com', password: TEST_PASSWORD })
  assert.equal(page.path, '/sign-in/account')
})
