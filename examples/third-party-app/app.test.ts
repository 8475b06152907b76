// The application as a process, a user with a browser, and the real server.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../../server/src/testing/api.ts'
import { answerConsent, signInBrowser } from '../../server/src/testing/oauth.ts'
import { PageBrowser } from '../../server/src/testing/page-browser.ts'
import { createTestUser } from '../../server/src/testing/users.ts'
import { startThirdPartyApp } from './testing.ts'

const api = await startApi({ after }, { RATE_LIMITS: 'off' })
await createTestUser(api, 'ada@example.com')
const app = await startThirdPartyApp({ after }, api.owner, api.url)
const newVisitor = (url: string): PageBrowser => new PageBrowser({ ...api, url }, {}, api.url)

/** The path at Octavo that the application sends the browser to. */
async function goToOctavo(visitor: PageBrowser): Promise<string> {
  const { answer } = await visitor.open('/sign-in')
  const { pathname, search } = new URL(answer.headers.location ?? '')
  return `${pathname}${search}`
}

test('a user signs in, the application reads a document, and stops when the user revokes it', async () => {
  await api.owner.documents.createAndWait({
    title: 'Lease of Elm Street',
    source: { type: 'pages', pages: [{ text: 'Rent is due on the third day.' }] },
  })
  const visitor = newVisitor(app.url)
  const browser = await signInBrowser(api, 'ada@example.com')

  const consent = await browser.open(await goToOctavo(visitor))
  const back = new URL((await answerConsent(browser, consent, 'allow')).path)
  const list = await visitor.open(`${back.pathname}${back.search}`)
  const [, path = ''] = /href="(\/documents\/\w+)"/.exec(list.answer.text) ?? []
  const document = await visitor.open(path)
  const account = await browser.open('/sign-in/account')
  const [, authorization = ''] = /name="authorization" value="(grt_\w+)"/.exec(account.answer.text) ?? []
  await browser.submit('/sign-in/account/authorizations', { authorization })
  const refused = await visitor.open(path)
  const later = await visitor.open('/')

  assert.equal(back.origin, app.url)
  assert.match(list.text, /Your documents Lease of Elm Street/)
  assert.match(document.text, /Rent is due on the third day/)
  assert.equal(refused.answer.status, 401)
  assert.match(refused.text, /Octavo no longer gives access\. Sign in again/)
  assert.match(later.text, /Sign in with Octavo/)
})

test('the application refreshes its token and goes on', async () => {
  // Every token is about to expire.
  const refreshing = await startThirdPartyApp({ after }, api.owner, api.url, { REFRESH_EARLY_SECONDS: '3600' })
  const visitor = newVisitor(refreshing.url)
  const browser = await signInBrowser(api, 'ada@example.com')
  const consent = await browser.open(await goToOctavo(visitor))
  const back = new URL((await answerConsent(browser, consent, 'allow')).path)

  const first = await visitor.open(`${back.pathname}${back.search}`)
  const second = await visitor.open('/')

  for (const { text } of [first, second]) assert.match(text, /Your documents/)
})

test('a user who refuses, or an answer that belongs to another browser, gets no access', async () => {
  const visitor = newVisitor(app.url)
  const browser = await signInBrowser(api, 'ada@example.com')

  const consent = await browser.open(await goToOctavo(visitor))
  const back = new URL((await answerConsent(browser, consent, 'deny')).path)
  const foreign = await newVisitor(app.url).open(`${back.pathname}${back.search}`)
  const refused = await visitor.open(`${back.pathname}${back.search}`)

  assert.deepEqual([foreign.answer.status, refused.answer.status], [400, 400])
  assert.match(refused.text, /It did not work: access_denied/)
})
