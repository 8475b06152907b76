// Single sign-on with a second OpenID provider, which runs in its own process.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../db/statement.ts'
import { operator } from '../lib/caller.ts'
import { uuidOf } from '../lib/ids.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import { startProvider } from '../testing/openid-provider.ts'
import { PageBrowser, type TestPage } from '../testing/page-browser.ts'
import { freePort } from '../testing/port.ts'
import { createTestUser, TEST_PASSWORD } from '../testing/users.ts'
import { roleOfGroups } from './provider-sign-in.ts'

const BASE = `http://localhost:${await freePort()}`
const provider = await startProvider({ after }, `${BASE}/sign-in/provider/callback`, {
  ada: { email: 'ada@example.com', name: 'Ada Lovelace', groups: ['staff'] },
  grace: { email: 'grace@example.com', name: 'Grace Hopper', groups: ['staff', 'admins'] },
  eve: { email: 'linked@example.com', groups: ['staff'] },
  unknown: { email: 'unknown@example.com', groups: [] },
})
/** Set when the tenant exists. */
const env: Record<string, string> = {
  BASE_URL: BASE,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: provider.client_id,
  OIDC_CLIENT_SECRET: provider.client_secret,
  OIDC_NAME: 'Example ID',
  OIDC_GROUP_ROLES: 'staff:editor,admins:admin',
}
const api = await startApi({ after }, env, undefined, false)
const tenant = uuidOf('ten', api.owner_tenant)
if (api.app.config.oidc) Object.assign(api.app.config.oidc, { tenant })

/** Signs in at the provider as a subject, and returns to the callback. */
async function passProvider(browser: PageBrowser, start: string, subject: string): Promise<TestPage> {
  const cookies = new Map<string, string>()
  const ask = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    return answer
  }
  let url = start
  for (let step = 0; step < 12; step++) {
    const answer = await ask(url)
    const location = answer.headers.get('location')
    if (location?.startsWith(BASE)) return browser.open(location.slice(BASE.length))
    if (location !== null) {
      url = new URL(location, provider.issuer).href
      continue
    }
    const page = await answer.text()
    const [, action = ''] = /action="([^"]+)"/.exec(page) ?? []
    const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page) ?? []
    const next = await ask(new URL(action, provider.issuer).href, { prompt, login: subject, password: 'any' })
    url = new URL(next.headers.get('location') ?? '', provider.issuer).href
  }
  throw new Error('The provider did not return.')
}

async function startOf(browser: PageBrowser, path: string): Promise<string> {
  const { answer } = await browser.open(path)
  return String(answer.headers.location)
}

async function signInAs(subject: string, path = '/sign-in/provider'): Promise<TestPage> {
  const browser = new PageBrowser(api, {}, provider.issuer)
  return passProvider(browser, await startOf(browser, path), subject)
}

const roleIn = async ({ app }: TestApi, email: string): Promise<string | null> =>
  (
    await app.db
      .for(operator(tenant, []))
      .find<{ role: string }>(sql('select role from users where tenant_id = $1 and email_key = $3'), [email])
  )?.role ?? null

test('the highest role of the groups applies', () => {
  const group_roles = new Map([
    ['staff', 'editor'],
    ['admins', 'admin'],
  ] as const)

  assert.equal(roleOfGroups({ group_roles }, ['staff', 'admins']), 'admin')
  assert.equal(roleOfGroups({ group_roles }, ['staff', 'others']), 'editor')
  assert.equal(roleOfGroups({ group_roles }, ['others']), null)
})

test('a new account becomes a user with the role of its groups, and is recognized later', async () => {
  const first = await signInAs('grace')
  const again = await signInAs('grace')

  assert.match(first.text, /Grace Hopper grace@example.com · admin at Test/)
  assert.match(again.text, /Grace Hopper grace@example.com · admin at Test/)
  assert.equal(await roleIn(api, 'grace@example.com'), 'admin')
})

test('groups change the role at the next sign-in', async () => {
  await signInAs('ada')
  const db = api.app.db.for(operator(tenant, []))
  await db.rows(sql(`update users set role = 'viewer' where tenant_id = $1 and email_key = 'ada@example.com'`))
  await signInAs('ada')

  assert.equal(await roleIn(api, 'ada@example.com'), 'editor')
})

test('an equal address links nothing: the user links the account after a sign-in', async () => {
  await createTestUser(api, 'linked@example.com')
  const refused = await signInAs('eve')
  assert.deepEqual([refused.answer.status, /No user here is linked/.test(refused.text)], [403, true])

  const browser = new PageBrowser(api, {}, provider.issuer)
  await browser.open('/sign-in')
  await browser.submit('/sign-in', { email: 'linked@example.com', password: TEST_PASSWORD })
  const page = await browser.submit('/sign-in/account/provider', {})
  const [, url = ''] = /content="0;url=([^"]+)"/.exec(page.answer.text) ?? []
  const linked = await passProvider(browser, url.replaceAll('&amp;', '&'), 'eve')
  assert.match(linked.text, /The account is linked/)
  assert.match((await signInAs('eve')).text, /linked@example.com · editor/)
})

test('accounts without a group that has a role get no access', async () => {
  const page = await signInAs('unknown')

  assert.equal(page.answer.status, 403)
  assert.equal(await roleIn(api, 'unknown@example.com'), null)
})

test('accepts an invitation with an account of the provider; where groups decide, they must give a role', async () => {
  const invitation = { email: 'invited@example.com', role: 'viewer' } as const
  const pathOf = ({ url }: { url: string }) => `/sign-in/provider?invitation=${url.split('/').at(-1)}`
  const own = pathOf(await api.owner.invitations.create(invitation))
  const refused = await signInAs('unknown', own)
  const joined = await signInAs('unknown', pathOf(await api.otherTenant.invitations.create(invitation)))

  assert.match(refused.text, /None of your groups has access/)
  assert.match(joined.text, /unknown@example.com invited@example.com · viewer at Test/)
  assert.match((await signInAs('unknown')).text, /invited@example.com · viewer at Test/)
  assert.match(
    (await new PageBrowser(api, {}, provider.issuer).open(own.replace('provider?invitation=', 'invitations/'))).text,
    /Join Test/,
  )
})

test('refuses an answer for another browser or with another state', async () => {
  const browser = new PageBrowser(api, {}, provider.issuer)
  const start = await startOf(browser, '/sign-in/provider')
  const stranger = await passProvider(new PageBrowser(api, {}, provider.issuer), start, 'grace')
  const forged = await browser.open('/sign-in/provider/callback?code=x&state=y')

  assert.deepEqual([stranger.answer.status, forged.answer.status], [403, 403])
  assert.match(stranger.text, /started in another browser/)
})
