import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startApi } from '../../server/src/testing/api.ts'
import { findInText, normalUrl } from './login.ts'
import { linesOf, Person } from './testing/run.ts'

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

test('I log in with an address and a key, and am told which key it is', async () => {
  const person = newPerson()

  const { exit, out, err } = await person.run(['login', api.url, api.owner_key])

  const [key] = (await api.owner.apiKeys.list()).data
  assert.deepEqual([exit, out.includes(`Logged in to ${api.url}`), out.includes(key!.id)], [0, true, true], err)
  assert.deepEqual(JSON.parse(person.read(FILE)), { url: api.url, api_key: api.owner_key })
  assert.equal(statSync(join(person.home, FILE)).mode & 0o777, 0o600)
  assert.equal((await person.run(['documents', 'list'])).exit, 0)
})

test('the log of the first start is enough', async () => {
  const person = newPerson()

  const { exit, err } = await person.run(['login'], { stdin: logOf(api.url, api.owner_key) })

  assert.equal(exit, 0, err)
  assert.deepEqual(JSON.parse(person.read(FILE)), { url: api.url, api_key: api.owner_key })
})

test('a key alone may come through a pipe, or before the address', async () => {
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

test('a key that does not work is not kept', async () => {
  const person = newPerson()

  const wrong = await person.run(['login', api.url, `oct_key_${'0'.repeat(46)}`])
  const none = await person.run(['login', api.url], { stdin: 'nothing of use in these words' })
  const later = await person.run(['documents', 'list'])

  assert.deepEqual([wrong.exit, none.exit, later.exit, existsSync(join(person.home, FILE))], [4, 4, 4, false])
  assert.match(wrong.err, /^error: The key was not accepted\.\n.*octavo login \(req_\w+\)\n$/)
  assert.match(none.err, /There is no key in what came/)
  assert.match(later.err, /You are not logged in\.\n.*octavo login/)
})

test('the environment goes before what was saved', async () => {
  const person = newPerson({ OCTAVO_URL: api.url, OCTAVO_API_KEY: api.stranger_key })
  await api.stranger.documents.create({ title: "A stranger's" })

  await person.run(['login', api.url, api.owner_key])
  const { out } = await person.run(['documents', 'list', '--json'])

  assert.deepEqual(
    linesOf<{ title: string }>(out).map(({ title }) => title),
    ["A stranger's"],
  )
})

test('a server that is not there is said, with what to do', async () => {
  const person = newPerson()

  const { exit, err } = await person.run(['login', 'http://127.0.0.1:9', api.owner_key])
  const other = await person.run(['login', 'http://127.0.0.1:49999', api.owner_key, '--json'])

  assert.deepEqual([exit, other.exit, other.out], [5, 5, ''])
  assert.match(err, /^error: The server at http:\/\/127\.0\.0\.1:9 cannot be reached: .+\n +\S.*octavo .*\n$/)
  assert.equal((JSON.parse(other.err) as { error: { code: string } }).error.code, 'connection_failed')
})

test('after logout nothing is left', async () => {
  const person = newPerson()
  await person.run(['login', api.url, api.owner_key])

  const { exit } = await person.run(['logout'])

  assert.deepEqual([exit, existsSync(join(person.home, FILE))], [0, false])
})

test('where the server has another address for us, the log is still enough', async () => {
  const person = newPerson({ OCTAVO_URL: api.url })

  const { exit, out, err } = await person.run(['login'], { stdin: logOf('http://localhost:49999', api.owner_key) })

  assert.equal(exit, 0, err)
  assert.match(out, /Logged in to http:\/\/localhost:49999/)
  assert.deepEqual(JSON.parse(person.read(FILE)), { url: 'http://localhost:49999', api_key: api.owner_key })
})

test('keys and addresses are found in what people paste', () => {
  const key = `oct_key_${'a1'.repeat(23)}`

  assert.deepEqual(findInText(`\u001b[36moctavo-1 |\u001b[0m at http://host:3000\n\u001b[1m${key}\u001b[0m`), {
    api_key: key,
    url: 'http://host:3000',
  })
  assert.deepEqual(findInText(`${key.slice(0, -1)} is too short`), {})
  assert.deepEqual(findInText(`https://far.example\n${'\n'.repeat(30)}${key}`), { api_key: key })
  assert.equal(normalUrl('https://host/base/api/v1/documents'), 'https://host/base')
  assert.equal(normalUrl('octavo.example.com/'), 'https://octavo.example.com')
  assert.throws(() => normalUrl('http://'), /is not an address/)
})
