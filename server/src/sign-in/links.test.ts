import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { operator } from '../lib/caller.ts'
import { uuidOf } from '../lib/ids.ts'
import { createPasswordReset, resetByEmail } from '../resources/users/users.resets.ts'
import { startApi } from '../testing/api.ts'
import { PageBrowser, type TestPage } from '../testing/page-browser.ts'
import { createTestUser, TEST_PASSWORD } from '../testing/users.ts'

const api = await startApi({ after }, {}, undefined, false)
const caller = operator(uuidOf('ten', api.owner_tenant), [])
const NEW_PASSWORD = 'a different set of words'

async function invite(email: string): Promise<string> {
  const { url } = await api.owner.invitations.create({ email, role: 'editor' })
  return new URL(url).pathname
}

async function resetPath(user: string): Promise<string> {
  const { url } = await api.app.db.transaction(caller, async (tx) => createPasswordReset(api.app, tx, user))
  return new URL(url).pathname
}

async function signIn(email: string, password: string): Promise<TestPage> {
  const browser = new PageBrowser(api)
  await browser.open('/sign-in')
  return browser.submit('/sign-in', { email, password })
}

test('accepts an invitation with a name and a password, once', async () => {
  const path = await invite('ada@example.com')
  const [browser, late] = [new PageBrowser(api), new PageBrowser(api)]
  const page = await browser.open(path)
  await late.open(path)

  assert.match(page.text, /Join Test You are invited as ada@example.com with the role editor/)
  const unnamed = await browser.submit(path, { name: ' ', new_password: NEW_PASSWORD })
  assert.deepEqual([unnamed.answer.status, /Enter your name/.test(unnamed.text)], [422, true])
  const weak = await browser.submit(path, { name: 'Ada Lovelace', new_password: 'short' })
  assert.match(weak.text, /at least 12 characters/)
  const account = await browser.submit(path, { name: 'Ada Lovelace', new_password: NEW_PASSWORD })
  assert.match(account.text, /Ada Lovelace ada@example.com · editor at Test/)
  const second = await late.submit(path, { name: 'Eve', new_password: NEW_PASSWORD })
  assert.deepEqual([second.answer.status, /was used, has expired/.test(second.text)], [404, true])
  assert.equal((await late.open(path)).answer.status, 404)
  assert.equal((await signIn('ada@example.com', NEW_PASSWORD)).path, '/sign-in/account')
})

test('a reset link sets a new password once and ends all sessions', async () => {
  const user = await createTestUser(api, 'reset@example.com')
  const earlier = new PageBrowser(api)
  await earlier.open('/sign-in')
  await earlier.submit('/sign-in', { email: 'reset@example.com', password: TEST_PASSWORD })
  const path = await resetPath(user)
  const [browser, late] = [new PageBrowser(api), new PageBrowser(api)]
  const page = await browser.open(path)
  await late.open(path)

  assert.match(page.text, /Choose a new password For reset@example.com at Test/)
  assert.match((await browser.submit(path, { new_password: 'short' })).text, /at least 12 characters/)
  const account = await browser.submit(path, { new_password: NEW_PASSWORD })
  assert.equal(account.path, '/sign-in/account')
  assert.match((await earlier.open('/sign-in/account')).path, /^\/sign-in\?/)
  assert.equal((await late.submit(path, { new_password: 'yet another set of words' })).answer.status, 404)
  assert.equal((await signIn('reset@example.com', NEW_PASSWORD)).path, '/sign-in/account')
  assert.equal((await signIn('reset@example.com', TEST_PASSWORD)).answer.status, 422)
})

test('a new reset link leaves earlier ones usable, and the first use of one ends all', async () => {
  const user = await createTestUser(api, 'several@example.com')
  const paths = [await resetPath(user), await resetPath(user), await resetPath(user)]
  const visits = paths.map((path) => ({ path, browser: new PageBrowser(api) }))

  for (const { path, browser } of visits) assert.equal((await browser.open(path)).answer.status, 200)
  const pages = await Promise.all(
    visits.slice(1).map(({ path, browser }) => browser.submit(path, { new_password: NEW_PASSWORD })),
  )

  assert.deepEqual(
    pages.map(({ answer }) => answer.status).toSorted((a, b) => a - b),
    [200, 404],
  )
  for (const { path, browser } of visits) assert.equal((await browser.open(path)).answer.status, 404)
})

test('a password from the account page ends reset links', async () => {
  const user = await createTestUser(api, 'remembered@example.com')
  const path = await resetPath(user)
  const browser = new PageBrowser(api)
  await browser.open('/sign-in')
  await browser.submit('/sign-in', { email: 'remembered@example.com', password: TEST_PASSWORD })

  const saved = await browser.submit('/sign-in/account/password', {
    current_password: TEST_PASSWORD,
    new_password: NEW_PASSWORD,
  })

  assert.match(saved.text, /Your password is saved/)
  assert.equal((await browser.open(path)).answer.status, 404)
})

test('a link of the operator replaces earlier ones', async () => {
  const user = await createTestUser(api, 'operator@example.com')
  const earlier = await resetPath(user)
  const { url } = await api.app.db.transaction(caller, (tx) => resetByEmail(api.app, tx, 'operator@example.com'))
  const browser = new PageBrowser(api)

  assert.equal((await browser.open(earlier)).answer.status, 404)
  assert.equal((await browser.open(new URL(url).pathname)).answer.status, 200)
})

test('a link works only on its own page', async () => {
  const path = await resetPath(await createTestUser(api, 'twice@example.com'))
  const browser = new PageBrowser(api)

  assert.equal((await browser.open(path.replace('resets', 'invitations'))).answer.status, 404)
  assert.equal((await browser.open(`${path.slice(0, -1)}x`)).answer.status, 404)
  assert.equal((await browser.open(path)).answer.status, 200)
})

test('the page about forgotten passwords says what to do', async () => {
  const page = await new PageBrowser(api).open('/sign-in/reset')

  assert.match(page.text, /Ask an administrator for a link/)
})
