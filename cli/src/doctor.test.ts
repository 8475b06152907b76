import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../../server/src/testing/api.ts'
import type { CliFinding } from './finding.ts'
import { Person } from './testing/run.ts'

const api = await startApi({ after })
const person = new Person()
after(() => person.leave())

test('names each problem and how to fix it', async () => {
  const unknown = await person.run(['doctor'], { env: { OCTAVO_URL: api.url } })
  const refused = await person.run(['doctor'], {
    env: { OCTAVO_URL: api.url, OCTAVO_API_KEY: `oct_key_${'0'.repeat(46)}` },
  })
  const gone = await person.run(['doctor'], {
    env: { OCTAVO_URL: 'http://127.0.0.1:49999', OCTAVO_API_KEY: api.owner_key },
  })

  assert.deepEqual([unknown.exit, refused.exit, gone.exit], [4, 4, 5])
  assert.match(unknown.out, /^x {2}login .*You are not logged in\.\n.*→ Log in: octavo login/m)
  assert.match(refused.out, /^ok server .*\n(.*\n)*x {2}key .*rejected the key\.\n.*→/m)
  assert.match(gone.out, /^x {2}server .*cannot be reached(.*\n)+.*→ Start the server/m)
})

test('reports a damaged login file and does not print a malformed key', async () => {
  const other = new Person()
  after(() => other.leave())
  await other.run(['login', api.url, api.owner_key])
  other.file('.config/octavo/login.json', '{"url": "http')

  const damaged = await other.run(['doctor'], { env: { OCTAVO_URL: api.url } })
  const strange = await other.run(['doctor'], { env: { OCTAVO_URL: api.url, OCTAVO_API_KEY: 'oct_key_schlüssel' } })

  assert.deepEqual([damaged.exit, strange.exit], [4, 4])
  assert.match(damaged.out, /^x {2}login .*login\.json is(.*\n)+?.*→ Log in again: octavo login$/m)
  assert.match(damaged.out, /^ok server/m)
  assert.match(strange.out, /^x {2}login .*Not an API key\./m)
  assert.ok(!(strange.out + strange.err).includes('schl'))
})

test('reports success if it finds no problem', async () => {
  const { exit, out } = await person.run(['doctor', '--json'], {
    env: { OCTAVO_URL: api.url, OCTAVO_API_KEY: api.owner_key },
  })

  const { checks, is_healthy } = JSON.parse(out) as { checks: CliFinding[]; is_healthy: boolean }
  const own = checks.filter(({ name }) => ['login', 'server', 'clock here', 'key', 'version'].includes(name))
  assert.deepEqual([exit, is_healthy, own.map(({ status }) => status)], [0, true, Array(5).fill('ok')])
  assert.ok(!out.includes(api.owner_key))
})
