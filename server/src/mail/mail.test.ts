import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../testing/api.ts'
import { until } from '../testing/jobs.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { PageBrowser, type TestPage } from '../testing/page-browser.ts'
import { freePort } from '../testing/port.ts'
import { createTestUser } from '../testing/users.ts'

const FROM = 'Octavo <octavo@example.com>'
const mails = await startMailServer()
after(() => mails.close())
const lines: string[] = []
const api = await startApi(
  { after },
  { SMTP_URL: mails.url, MAIL_FROM: FROM, TRUSTED_PROXIES: '127.0.0.1', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' },
  (line) => lines.push(line),
  false,
)

async function requestReset(email: string, address = '192.0.2.1'): Promise<TestPage> {
  const browser = new PageBrowser(api, { 'x-forwarded-for': address })
  await browser.open('/sign-in/reset')
  return browser.submit('/sign-in/reset', { email })
}

/** Long lines are broken in a mail. */
const joined = (source: string): string => source.replaceAll('=\r\n', '')
const linkIn = (source: string, path: string): string => new RegExp(`${path}/\\w+`).exec(joined(source))?.[0] ?? ''

test('mails the link of an invitation, in plain text', async () => {
  const invitation = await api.owner.invitations.create({ email: 'guest@example.com', role: 'viewer' })

  const { from, to, source } = await mails.waitFor('guest@example.com')
  assert.deepEqual([from, to], ['octavo@example.com', ['guest@example.com']])
  assert.match(source, /^Subject: Invitation to Test on Octavo$/m)
  assert.match(source, /^Content-Type: text\/plain/m)
  assert.match(source, /with the role viewer/)
  assert.equal(linkIn(source, '/sign-in/invitations'), new URL(invitation.url).pathname)
})

test('an address with a comma is one recipient', async () => {
  await api.owner.invitations.create({ email: 'one,two@example.com', role: 'viewer' })

  const mail = await mails.waitFor('one,two@example.com')
  assert.deepEqual(mail.to, ['one,two@example.com'])
})

test('users ask for a reset link themselves, and the page does not tell whether the address is known', async () => {
  await createTestUser(api, 'forgot@example.com')
  await createTestUser(api, 'provider@example.com', { password_hash: null })

  const known = await requestReset('Forgot@example.com')
  const unknown = await requestReset('unknown@example.com')
  await requestReset('provider@example.com')

  assert.deepEqual([known.answer.status, known.text], [unknown.answer.status, unknown.text])
  const { source } = await mails.waitFor('forgot@example.com')
  assert.match(joined(source), /connect your applications and the command line again/)
  const link = linkIn(source, '/sign-in/resets')
  assert.match((await new PageBrowser(api).open(link)).text, /Choose a new password For forgot@example.com at Test/)
  const mailed = mails.received.flatMap(({ to }) => to)
  assert.ok(!mailed.includes('unknown@example.com') && !mailed.includes('provider@example.com'), mailed.join())
})

test('limits the reset mails that one client can request', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) statuses.push((await requestReset('again@example.com')).answer.status)

  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
})

test('a tenant mails 100 invitations an hour, and further ones still have a link', async () => {
  const { tenant, client } = await api.newTenant()
  const count = 110
  const urls: string[] = []
  for (let i = 0; i < count; i++) {
    const { url } = await client.invitations.create({ email: `many-${i}@example.com`, role: 'viewer' })
    urls.push(url)
  }
  const refused = lines.filter((line) => line.includes(tenant) && line.includes('mail was not sent'))
  const sent = () => mails.received.filter(({ to }) => to[0]?.startsWith('many-')).length

  // The quota grows by one every 36 seconds, which a slow machine may need.
  assert.ok(refused.length > 0 && refused.length <= 10, `${refused.length} refused`)
  assert.match(refused[0] ?? '', /"reason":"the tenant has mailed too many invitations"/)
  await until(() => sent() === count - refused.length)
  assert.ok(urls.every((url) => url.includes('/sign-in/invitations/oct_inv_')))
  await api.owner.invitations.create({ email: 'elsewhere@example.com', role: 'viewer' })
  await mails.waitFor('elsewhere@example.com')
})

test('many clients together cannot flood an address, and all links in its mails work', async () => {
  await createTestUser(api, 'victim@example.com')
  await createTestUser(api, 'next@example.com')
  const links = () =>
    mails.received
      .filter(({ to }) => to.includes('victim@example.com'))
      .map(({ source }) => linkIn(source, '/sign-in/resets'))

  for (let i = 1; i <= 5; i++)
    assert.equal((await requestReset('victim@example.com', `198.51.100.${i}`)).answer.status, 200)
  await until(() => links().length >= 3)
  await requestReset('next@example.com', '198.51.100.6')
  await mails.waitFor('next@example.com')

  assert.equal(links().length, 3)
  for (const link of links()) assert.equal((await new PageBrowser(api).open(link)).answer.status, 200)
})

test('a mail server that is down does not fail the invitation', async (t) => {
  const lines: string[] = []
  const down = { SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, MAIL_FROM: FROM, LOG_LEVEL: 'error' }
  const alone = await startApi(t, down, (line) => lines.push(line), false)

  const { url } = await alone.owner.invitations.create({ email: 'guest@example.com', role: 'viewer' })
  await alone.app.mail.close()

  assert.match(url, /\/sign-in\/invitations\/oct_inv_/)
  assert.match(lines.join('\n'), /mail was not sent/)
})

test('without a mail server, the page says who can help', async (t) => {
  const alone = await startApi(t, {}, undefined, false)

  const page = await new PageBrowser(alone).open('/sign-in/reset')
  assert.match(page.text, /Ask an administrator/)
})
