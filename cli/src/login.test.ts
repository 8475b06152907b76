import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startApi } from '../../server/src/testing/api.ts'
import { findInText, normalUrl } from './login.ts'
import { jsonLines, noTerminal, Person } from './testing/run.ts'

const api = await startApi({ after })
const FILE = '.config/octavo/login.json'

function newPerson(env: Record<string, string> = {}): Person {
  const person = new Person(env)
  after(() => person.leave())
  return person
}

/** As `docker compose logs` shows the first start. */
const logOf = (url: string, key: string): string =>
  [
    '{"level":"info","msg":"see https://example.com/elsewhere"}',
    ...Array.from({ length: 20 }, (_, i) => `migration ${i}`),
    `Octavo is ready at ${url}`,
    '',
    'Your key, shown only this once:',
    '',
    `  ${key}`,
    '',
    `  curl ${url}/api/v1/documents -H 'Authorization: Bearer ${key}' -F file=@your.pdf`,
    '{"level":"info","msg":"GET http://10.0.0.1/x"}',
  ]
    .map((line) => `octavo-1  | ${line}`)
    .join('\n')

test('login takes an address and a key and shows which key it is', async () => {
  const person = newPerson()

  const { exit, out, err } = await person.run(['login', api.url, api.owner_key])

  const [key] = (await api.owner.apiKeys.list()).data
  assert.deepEqual([exit, out.includes(`Logged in to ${api.url}`), out.includes(key!.id)], [0, true, true], err)
  assert.deepEqual(JSON.parse(person.read(FILE)), { url: api.url, api_key: api.owner_key })
  assert.equal(statSync(join(person.home, FILE)).mode & 0o777, 0o600)
  assert.equal((await person.run(['documents', 'list'])).exit, 0)
})

test('login accepts the log of the first start', async () => {
  const person = newPerson()

  const { exit, err } = await person.run(['login'], { stdin: logOf(api.url, api.owner_key) })

  assert.equal(exit, 0, err)
  assert.deepEqual(JSON.parse(person.read(FILE)), { url: api.url, api_key: api.owner_key })
})

test('login accepts a key through a pipe or before the address', async () => {
  for (const [args, stdin] of [
    [[api.url], `${api.owner_key}\n`],
    [[api.owner_key, api.url.replace('http://', '')], ''],
  ] as const) {
    const person = newPerson()
    const { exit, err } = await person.run(['login', ...args], { stdin })
    assert.equal(exit, 0, err)
    assert.deepEqual(JSON.parse(person.read(FILE)), { url: api.url, api_key: api.owner_key })
  }
})

test('login does not save a key that does not work', async () => {
  const person = newPerson()

  const wrong = await person.run(['login', api.url, `oct_key_${'0'.repeat(46)}`])
  const none = await person.run(['login', api.url], { stdin: 'nothing of use in these words' })
  const later = await person.run(['documents', 'list'])

  assert.deepEqual([wrong.exit, none.exit, later.exit, existsSync(join(person.home, FILE))], [4, 4, 4, false])
  assert.match(wrong.err, /^error: The server rejected the key\.\n.*octavo login \(req_\w+\)\n$/)
  assert.match(none.err, /No API key found on stdin/)
  assert.match(later.err, /You are not logged in\.\n.*octavo login/)
})

test('environment variables override the saved login', async () => {
  const person = newPerson({ OCTAVO_URL: api.url, OCTAVO_API_KEY: api.other_tenant_key })
  await api.otherTenant.documents.create({ title: "A stranger's" })

  const { err } = await person.run(['login', api.url, api.owner_key])
  const { out } = await person.run(['documents', 'list', '--json'])

  assert.deepEqual(
    jsonLines<{ title: string }>(out).map(({ title }) => title),
    ["A stranger's"],
  )
  assert.match(err, /^OCTAVO_API_KEY is set: commands use it instead of the login\.\nNext: /)
})

test('names the wrong environment variable instead of suggesting a login', async () => {
  const wrong = `oct_key_${'0'.repeat(46)}`
  const { tenant } = await api.newTenant()
  const { secret } = await api.newKey(tenant, { scopes: ['documents:read'] })
  const person = newPerson()
  await person.run(['login', api.url, api.owner_key])

  const key = await person.run(['documents', 'list'], { env: { OCTAVO_API_KEY: wrong } })
  const scope = await person.run(['ask', 'When?'], { env: { OCTAVO_API_KEY: secret } })
  const gone = await person.run(['documents', 'list'], { env: { OCTAVO_URL: 'http://127.0.0.1:49999/' } })
  const tls = await person.run(['documents', 'list'], { env: { OCTAVO_URL: api.url.replace('http:', 'https:') } })
  const given = await person.run(['login', api.url, wrong], { env: { OCTAVO_API_KEY: api.owner_key } })

  assert.deepEqual([key.exit, scope.exit, gone.exit, tls.exit, given.exit], [4, 4, 5, 5, 4])
  assert.match(key.err, /\n +Set OCTAVO_API_KEY to a key that works, or unset it to use your login \(req_/)
  assert.match(scope.err, /\n +Set OCTAVO_API_KEY to a key that has it, .*; or create one: octavo keys create /)
  assert.match(
    gone.err,
    /\n +Start the server \(docker .*npm start\), or correct or unset OCTAVO_URL, which has this address\n$/,
  )
  assert.match(tls.err, /it uses http, not https\.\n +Try http:\S+: OCTAVO_URL=http:\S+\n$/)
  for (const { err } of [key, scope, gone, tls]) assert.doesNotMatch(err, /octavo login/)
  assert.match(given.err, /\n +Log in with a key that works: octavo login /)
})

test('reports an unreachable server and how to fix it', async () => {
  const person = newPerson()

  const { exit, err } = await person.run(['login', 'http://127.0.0.1:9', api.owner_key])
  const other = await person.run(['login', 'http://127.0.0.1:49999', api.owner_key, '--json'])

  assert.deepEqual([exit, other.exit, other.out], [5, 5, ''])
  assert.match(err, /^error: The server at http:\/\/127\.0\.0\.1:9 cannot be reached: .+\n +\S.*octavo .*\n$/)
  assert.equal((JSON.parse(other.err) as { error: { code: string } }).error.code, 'connection_failed')
})

test('logout removes the saved login', async () => {
  const person = newPerson()
  await person.run(['login', api.url, api.owner_key])

  const { exit } = await person.run(['logout'])

  assert.deepEqual([exit, existsSync(join(person.home, FILE))], [0, false])
})

test('login from the log works if the server is reachable at another address', async () => {
  const person = newPerson({ OCTAVO_URL: api.url })

  const { exit, out, err } = await person.run(['login'], { stdin: logOf('http://localhost:49999', api.owner_key) })

  assert.equal(exit, 0, err)
  assert.match(out, /Logged in to http:\/\/localhost:49999/)
  assert.deepEqual(JSON.parse(person.read(FILE)), { url: 'http://localhost:49999', api_key: api.owner_key })
})

test('login sends the key to the typed address, not to the one in the environment', { skip: noTerminal }, async () => {
  let asked = 0
  const other = createServer((_, response) => {
    asked += 1
    response.end()
  }).listen(0, '127.0.0.1')
  after(() => other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const person = newPerson({ OCTAVO_URL: url })

  const { exit, out } = await person.converse(
    ['login', '--key'],
    [
      [`URL of the server [${url}]: `, api.url],
      ['API key (not shown): ', api.owner_key],
    ],
  )
  const given = await person.run(['login', api.url], { stdin: api.owner_key })

  assert.deepEqual([exit, given.exit, asked], [0, 0, 0], out + given.err)
  assert.match(out, new RegExp(`Logged in to ${api.url} `))
  assert.doesNotMatch(out, new RegExp(api.owner_key))
  assert.deepEqual(JSON.parse(person.read(FILE)), { url: api.url, api_key: api.owner_key })
})

test('Ctrl-C stops login while it waits for a key on an idle pipe', { timeout: 20_000 }, async () => {
  const started = newPerson().start(['login', api.url], { stdin: null })
  await started.flood()

  started.signal('SIGINT')

  assert.deepEqual(await started.ended, { exit: 130, out: '', err: '' })
})

test('finds keys and addresses in pasted text', () => {
  const key = `oct_key_${'a1'.repeat(23)}`

  assert.deepEqual(findInText(`\u001b[36moctavo-1 |\u001b[0m at http://host:3000\n\u001b[1m${key}\u001b[0m`), {
    api_key: key,
    url: 'http://host:3000',
  })
  assert.deepEqual(findInText(`${key.slice(0, -1)} is too short`), {})
  assert.deepEqual(findInText(`https://far.example\n${'\n'.repeat(30)}${key}`), { api_key: key })
  assert.equal(normalUrl('https://host/base/api/v1/documents'), 'https://host/base')
  assert.equal(normalUrl('octavo.example.com/'), 'https://octavo.example.com')
  assert.throws(() => normalUrl('http://'), /is not a URL/)
})

test('login and logout work with a damaged login file', async () => {
  const person = newPerson()
  await person.run(['login', api.url, api.owner_key])

  person.file(FILE, '{"url": "http')
  const used = await person.run(['documents', 'list'])
  const again = await person.run(['login', api.url, api.owner_key])
  person.file(FILE, 'null')
  const out = await person.run(['logout'])

  assert.deepEqual([used.exit, again.exit, out.exit, existsSync(join(person.home, FILE))], [4, 0, 0, false])
  assert.match(used.err, /is damaged\.\n.*octavo login/)
})

test('in a container, login saves the address of the log and connects to the service', async () => {
  const person = newPerson({ OCTAVO_LOCAL_URL: api.url, OCTAVO_COMMAND: './octavo', OCTAVO_IN_CONTAINER: '1' })

  const { exit, out, err } = await person.run(['login'], { stdin: logOf('http://localhost:49999', api.owner_key) })
  const listed = await person.run(['documents', 'list', '--json'])
  const gone = await person.run(['documents', 'add', 'gone.pdf'])
  const help = await person.run(['documents', 'add', '--help'])

  assert.deepEqual([exit, listed.exit, gone.exit], [0, 0, 1], err + listed.err)
  assert.match(help.out, /^Usage: \.\/octavo documents add /)
  assert.match(out, /Logged in to http:\/\/localhost:49999/)
  assert.match(err, /^Next: \.\/octavo documents add/m)
  assert.match(
    gone.err.replace(/\s+/g, ' '),
    /the container can see only your home directory and the current directory/,
  )
  assert.deepEqual(JSON.parse(person.read(FILE)), { url: 'http://localhost:49999', api_key: api.owner_key })
})

test('refuses a malformed address or key before any request and never prints a key', async () => {
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    response.end()
  }).listen(0, '127.0.0.1')
  after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const person = newPerson()

  const ftp = await person.run(['login', 'ftp://x', api.owner_key])
  const typed = await person.run(['login', `http://${host}`, 'oct_key_schlüssel'])
  const piped = await person.run(['login', `http://${host}`], { stdin: 'schlüssel' })
  const set = await person.run(['documents', 'list'], {
    env: { OCTAVO_URL: `http://${host}`, OCTAVO_API_KEY: 'schlüssel' },
  })

  assert.deepEqual([ftp.exit, typed.exit, piped.exit, set.exit, asked], [2, 4, 4, 4, 0])
  for (const { err } of [typed, piped, set]) assert.match(err, /^error: Not an API key\.\n(?!.*schl)/)

  const tls = await person.run(['login', `https://${host}`, api.owner_key])
  assert.equal(tls.exit, 5)
  assert.match(
    tls.err,
    new RegExp(`it uses http, not https\\.\\n +Try http://${host}: octavo login http://${host}\\n$`),
  )
})

test('escapes control characters in text from the server', async () => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    const isAbout = request.url?.includes('capabilities')
    response.statusCode = isAbout ? 200 : 403
    response.end(
      JSON.stringify(
        isAbout ? { version: '1\u001b[2J' } : { error: { code: 'forbidden', message: 'No.', details: [] } },
      ),
    )
  }).listen(0, '127.0.0.1')
  after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))

  const { exit, out, err } = await newPerson().run([
    'login',
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    api.owner_key,
  ])

  assert.equal(exit, 0, err)
  assert.match(out, /\(Octavo 1 \[2J\)/)
})
