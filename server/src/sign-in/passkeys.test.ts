import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../testing/api.ts'
import { PageBrowser } from '../testing/page-browser.ts'
import { createTestUser, TEST_PASSWORD } from '../testing/users.ts'
import { supportsPasskeys } from './passkeys.ts'

const api = await startApi({ after }, { HOST: 'localhost' }, undefined, false)
await createTestUser(api, 'ada@example.com')

test('passkeys need a host name, and TLS except on localhost', () => {
  for (const url of ['https://docs.example.com/octavo', 'http://localhost:3000']) assert.ok(supportsPasskeys(url), url)
  for (const url of ['http://docs.example.com', 'https://192.0.2.1', 'https://[2001:db8::1]', 'http://127.0.0.1:3000'])
    assert.ok(!supportsPasskeys(url), url)
})

test('refuses an answer to the challenge of another browser, and answers that are not passkeys', async () => {
  const [browser, other] = [new PageBrowser(api), new PageBrowser(api)]
  const { hidden } = await other.open('/sign-in')
  const unknown = JSON.stringify({ id: 'AAAA', response: { clientDataJSON: '', authenticatorData: '', signature: '' } })
  await browser.open('/sign-in')
  const foreign = await browser.submit('/sign-in/passkey', {
    form_token: (await browser.open('/sign-in')).hidden['form_token'] ?? '',
    challenge: hidden['challenge'] ?? '',
    credential: unknown,
  })

  assert.deepEqual([foreign.answer.status, /page has expired/.test(foreign.text)], [422, true])
  for (const [credential, problem] of [
    [unknown, /does not belong to an account/],
    ['', /did not work/],
    ['[1', /did not work/],
    ['null', /did not work/],
  ] as const) {
    await browser.open('/sign-in')
    const page = await browser.submit('/sign-in/passkey', { credential })
    assert.deepEqual([page.answer.status, problem.test(page.text)], [422, true], page.text)
  }
  assert.equal(browser.cookies.has('octavo_session'), false)
})

test('a challenge can be answered once', async () => {
  const browser = new PageBrowser(api)
  const { hidden } = await browser.open('/sign-in')
  const credential = JSON.stringify({ id: 'AAAA', response: {} })

  const first = await browser.submit('/sign-in/passkey', { credential })
  await browser.open('/sign-in')
  const second = await browser.submit('/sign-in/passkey', { credential, challenge: hidden['challenge'] ?? '' })
  await browser.open('/sign-in')
  const fresh = await browser.submit('/sign-in/passkey', { credential })

  assert.match(first.text, /does not belong to an account/)
  assert.match(second.text, /page has expired/)
  assert.match(fresh.text, /does not belong to an account/)
})

test('a new passkey needs a session, a fresh challenge and a valid answer', async () => {
  const browser = new PageBrowser(api)
  await browser.open('/sign-in')
  const signedOut = await browser.submit('/sign-in/account/passkeys', { credential: '{}' })
  assert.match(signedOut.path, /^\/sign-in\?return_to/)
  const account = await browser.submit('/sign-in', { email: 'ada@example.com', password: TEST_PASSWORD })

  assert.match(account.text, /Passkeys Sign in with your fingerprint/)
  const junk = await browser.submit('/sign-in/account/passkeys', {
    credential: JSON.stringify({ id: 'AAAA', response: { clientDataJSON: 'e30', attestationObject: 'oA' } }),
  })
  assert.deepEqual([junk.answer.status, /did not work/.test(junk.text)], [422, true], junk.text)
})
