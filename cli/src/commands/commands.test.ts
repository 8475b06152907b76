import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Answer, ApiKey, Document, Job, Summary } from '@octavo/sdk'
import { scopeNames } from '../../../contract/src/index.ts'
import { startApi } from '../../../server/src/testing/api.ts'
import { weightsDir } from '../../../server/src/testing/weights.ts'
import { factsOf, jsonLines, Person, tableRows } from '../testing/run.ts'

const api = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir() })
const person = new Person({ OCTAVO_URL: api.url, OCTAVO_API_KEY: api.owner_key })
after(() => person.leave())
const lease = await api.owner.documents.createAndWait({
  title: 'Lease',
  source: {
    type: 'pages',
    pages: [
      { text: 'The lease of the house in Elm Street begins on the first of March.' },
      { text: 'Rent is 1,200 a month. Rent is due on the third day of each month, in advance and without deduction.' },
    ],
  },
})

test('ask prints the page for every sentence of the answer', async () => {
  const { exit, out } = await person.run(['ask', 'When is the rent due?'])
  const json = await person.run(['ask', 'When is the rent due?', '--document', lease.id, '--json'])

  assert.equal(exit, 0)
  assert.match(out, /^Rent is due on the third day of each month, in advance and without deduction\. \[1\]/)
  assert.match(out, /^\[1\] Lease, page 2: “Rent is due on the third day/m)
  const [answer] = jsonLines<Answer>(json.out)
  assert.deepEqual([json.exit, answer?.is_answered, answer?.sentences[0]?.citations[0]?.page_number], [0, true, 2])
})

test('ask exits with code 3 if the documents do not contain the answer', async () => {
  const { exit, out, err } = await person.run(['ask', 'Who won the football match in Lisbon?'])

  assert.deepEqual([exit, out, err], [3, '', 'The documents do not say.\n'])
})

test('search prints places and exits with code 3 if there are none', async () => {
  const found = await person.run(['search', 'rent', '--mode', 'keyword'])
  const json = await person.run(['search', 'rent', '--mode', 'keyword', '--limit', '1', '--json'])
  const none = await person.run(['search', 'zebra', '--mode', 'keyword'])

  const [id, title, page, , passage] = tableRows(found.out)[0] ?? []
  assert.deepEqual([found.exit, id, title, page], [0, lease.id, 'Lease', '2'])
  assert.match(passage!, /^Rent is 1,200/)
  assert.deepEqual(
    [json.exit, jsonLines<{ document_id: string }>(json.out).map(({ document_id }) => document_id)],
    [0, [lease.id]],
  )
  assert.deepEqual([none.exit, none.out], [3, ''])
})

test('summaries returns a summary with the requested options', async () => {
  const { exit, out } = await person.run([
    'summaries',
    'create',
    lease.id,
    '--style',
    'extractive',
    '--length',
    'short',
    '--json',
  ])
  const refused = await person.run(['summaries', 'create', lease.id, '--style', 'abstract'])
  const unknown = await person.run(['summaries', 'create', lease.id, '--style', 'poem'])

  const [summary] = jsonLines<Summary>(out)
  assert.deepEqual([exit, summary?.status, summary?.length], [0, 'succeeded', 'short'])
  assert.deepEqual([refused.exit, unknown.exit], [2, 2])
  assert.match(refused.err, /^error: .+\n +\S.*model/)
})

test('lists, shows, reads and deletes documents', async () => {
  const { id } = await api.owner.documents.create({ title: 'To be\tdeleted \u001b[31m' })

  const listed = await person.run(['documents', 'list', '--limit', '1'])
  const shown = await person.run(['documents', 'get', lease.id])
  const read = await person.run(['documents', 'get', lease.id, '--text'])
  const removed = await person.run(['documents', 'delete', id, 'doc_00000000000000000000000000'])
  const gone = await person.run(['documents', 'get', id])

  assert.deepEqual(
    tableRows(listed.out).map(([first, , , title]) => [first, title]),
    [[id, 'To be deleted [31m']],
  )
  assert.match(listed.err, /There are more/)
  assert.deepEqual(factsOf(shown.out).get('title'), 'Lease')
  assert.match(read.out, /^The lease of the house.*\nRent is 1,200/)
  assert.deepEqual([removed.exit, removed.out, gone.exit], [3, `${id}\tdeleted\n`, 3])
  assert.match(gone.err, /^error: Not found, or this key.*\n.*\(req_\w+\)\n$/)
})

test('JSON output escapes control characters and parses to the same value', async () => {
  const title = 'To be \u009b31m\u202edelet\u007fed'
  const { id } = await api.owner.documents.create({ title })

  const { out } = await person.run(['documents', 'get', id, '--json'])
  const { err } = await person.run(['documents', 'delete', '--json', `--${title}`])
  await api.owner.documents.remove(id)

  assert.equal(jsonLines<Document>(out)[0]?.title, title)
  assert.doesNotMatch(out + err, /[\u007f-\u009f\u202e]/)
})

test('lists, shows, watches and cancels jobs', async () => {
  const id = lease.latest_job_id!

  const listed = await person.run(['jobs', 'list', '--document', lease.id, '--type', 'ingestion', '--json'])
  const shown = await person.run(['jobs', 'get', id])
  const followed = await person.run(['jobs', 'watch', id])
  const events = await person.run(['jobs', 'watch', id, '--json'])
  const late = await person.run(['jobs', 'cancel', id])

  assert.deepEqual(
    jsonLines<Job>(listed.out).map((job) => job.id),
    [id],
  )
  assert.equal(factsOf(shown.out).get('status'), 'succeeded')
  assert.deepEqual([followed.exit, tableRows(followed.out).at(-1)?.[1]], [0, 'job.succeeded'])
  assert.equal(jsonLines<{ type: string }>(events.out).at(-1)?.type, 'job.succeeded')
  assert.equal(late.exit, 1)
  assert.match(late.err, /The job has ended and cannot be canceled/)
})

test('creates a key, prints only its secret, and revokes it', async () => {
  const made = await person.run([
    'keys',
    'create',
    'scanner',
    '--scopes',
    'documents:read,documents:write',
    '--expires',
    '30d',
  ])
  const secret = made.out.trim()
  const asOther = (args: string[]) => person.run(args, { env: { OCTAVO_API_KEY: secret } })

  const allowed = await asOther(['documents', 'list'])
  const forbidden = await asOther(['ask', 'When?'])
  const keys = jsonLines<ApiKey>((await person.run(['keys', 'list', '--json'])).out)
  const scanner = keys.find(({ name }) => name === 'scanner')!
  const revoked = await person.run(['keys', 'revoke', scanner.id])
  const after = await asOther(['documents', 'list'])

  assert.match(made.out, /^oct_key_\w{46}\n$/)
  assert.ok(Math.abs(Date.parse(scanner.expires_at!) - Date.now() - 30 * 86_400_000) < 600_000)
  assert.deepEqual([made.exit, allowed.exit, forbidden.exit, revoked.exit, after.exit], [0, 0, 4, 0, 4])
  assert.match(forbidden.err, /does not have the scope searches:write/)
  assert.equal((await person.run(['keys', 'create', 'x', '--scopes', 'documents:read', '--expires', 'soon'])).exit, 2)
})

test('exits quietly when the reader closes the pipe', async () => {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))
  const child = spawn(process.execPath, [main, 'documents', 'list', '--json'], {
    env: { PATH: process.env['PATH'], OCTAVO_URL: api.url, OCTAVO_API_KEY: api.owner_key, HOME: person.home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()

  const [ended, complaint] = await Promise.all([once(child, 'close'), text(child.stderr)])

  assert.deepEqual([ended[0], complaint], [0, ''])
})

test('reports a full disk in one line', { skip: !existsSync('/dev/full') && 'there is no /dev/full' }, async () => {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [main, 'documents', 'list', '--json'], {
    env: { PATH: process.env['PATH'], OCTAVO_URL: api.url, OCTAVO_API_KEY: api.owner_key, HOME: person.home },
    stdio: ['ignore', full, 'pipe'],
  })

  const [ended, complaint] = await Promise.all([once(child, 'close'), text(child.stderr!)])
  closeSync(full)

  assert.equal(ended[0], 1)
  assert.deepEqual(
    jsonLines<{ error: { code: string } }>(complaint).map(({ error }) => error.code),
    ['output_failed'],
  )
})

test('keys create requires scopes, accepts all, and refuses an invalid expiry', async () => {
  const none = await person.run(['keys', 'create', 'x'])
  const late = await person.run(['keys', 'create', 'x', '--scopes', 'all', '--expires', '99999999999d'])
  const all = await person.run(['keys', 'create', 'x', '--scopes', 'all', '--json'])

  assert.deepEqual([none.exit, late.exit, all.exit], [2, 2, 0], all.err)
  assert.match(none.err, /--scopes all, or some of these, .*documents:read, .*api_keys:manage/m)
  assert.match(late.err, /^error: '99999999999d' is not a valid/)
  assert.deepEqual((JSON.parse(all.out) as ApiKey).scopes.toSorted(), scopeNames.toSorted())
})

test('--json reports wrong usage as a line of JSON', async () => {
  for (const args of [
    [],
    ['documents'],
    ['documents', 'bogus'],
    ['documents', 'list', '--limt', '3'],
    ['documents', 'get'],
    ['documnts'],
  ]) {
    const { exit, out, err } = await person.run([...args, '--json'])
    const said = jsonLines<{ error: { code: string; message: string } }>(err)
    assert.deepEqual([exit, out, said.map(({ error }) => error.code)], [2, '', ['wrong_usage']], args.join(' '))
    assert.doesNotMatch(said[0]!.error.message, /^error|\n|outputHelp/)
  }
  const plain = await person.run(['documents', 'bogus'])
  assert.deepEqual(
    [plain.exit, plain.err],
    [2, "error: unknown command 'bogus'\n(documents has: add, list, get, delete)\n"],
  )
})

test('reports a login file that cannot be read', async () => {
  person.file('.config', '')

  const { exit, err } = await person.run(['documents', 'list'], { env: { OCTAVO_API_KEY: '', OCTAVO_URL: '' } })

  assert.equal(exit, 4)
  assert.match(err, /cannot be read/)
})

test('an unknown command or option is wrong usage and suggests an alternative', async () => {
  const command = await person.run(['documnts', 'list'])
  const option = await person.run(['documents', 'list', '--limt', '3'])
  const none = await person.run([])
  const half = await person.run(['documents'])
  const both = await person.run(['documents', 'get', lease.id, '--text', '--markdown'])
  const version = await person.run(['--version'])

  assert.deepEqual([command.exit, option.exit, none.exit, half.exit, both.exit, version.exit], [2, 2, 2, 2, 2, 0])
  assert.equal(
    command.err.split('\n')[1],
    '(octavo has: documents, ask, search, summaries, jobs, keys, users, login, whoami, logout, doctor, mcp, completion)',
  )
  assert.match(both.err, /'--markdown' cannot be used with option '--text'/)
  assert.match(option.err, /Did you mean --limit\?/)
  assert.match(version.out, /^octavo \d+\.\d+\.\d+\n$/)
  assert.equal((JSON.parse((await person.run(['documents', 'get', lease.id, '--json'])).out) as Document).id, lease.id)
})
