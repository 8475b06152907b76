import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pdfOf } from '../../../extract/src/testing/pdf-files.ts'
import { startApi } from '../../../server/src/testing/api.ts'
import { jsonLines, Person, tableRows } from '../testing/run.ts'

const api = await startApi({ after })

async function enter(key?: string): Promise<Person> {
  const secret = key ?? (await api.newTenant()).secret
  const person = new Person({ OCTAVO_URL: api.url, OCTAVO_API_KEY: secret })
  after(() => person.leave())
  return person
}

interface CliRow {
  file: string
  status: string
  document: { id: string; title: string; page_count: number } | null
  error: { code: string; message: string; hint: string | null } | null
}
const WORDS = 'Rent is 1,200 a month. It is due on the third day of each month.'

test('adds files of several formats and explains why a file cannot be read', async () => {
  const person = await enter()
  person.file('lease.pdf', pdfOf(['Rent is 1,200 a month.'], ['The roof is old.']))
  person.file('letter.html', '<html><body><h1>Letter</h1><p>Dear Ada</p></body></html>')
  person.file('notes.txt', WORDS)
  person.file('torn.pdf', '%PDF-1.7 and nothing more')
  person.file('empty.txt', '')

  const { exit, out, err } = await person.run([
    'documents',
    'add',
    'lease.pdf',
    'letter.html',
    'notes.txt',
    'torn.pdf',
    'empty.txt',
    'gone.txt',
    '.',
  ])

  const rows = new Map(tableRows(out).map(([name, status, pages]) => [name, [status, pages]]))
  assert.equal(exit, 1)
  assert.deepEqual(rows.get('lease.pdf'), ['ready', '2'])
  assert.deepEqual(rows.get('letter.html'), ['ready', '1'])
  assert.deepEqual(rows.get('notes.txt'), ['ready', '1'])
  assert.deepEqual(
    [rows.get('torn.pdf')?.[0], rows.get('empty.txt')?.[0], rows.get('gone.txt')?.[0], rows.get('.')?.[0]],
    Array(4).fill('failed'),
  )
  assert.match(err, /^torn\.pdf could not be read:\n {2}The PDF is damaged .*\n/m)
  assert.match(err, /^empty\.txt could not be added:\n {2}The file is empty\. Add a file/m)
  assert.match(err, /^gone\.txt could not be added:\n {2}No such file\./m)
  assert.match(err, /^\. could not be added:\n {2}This is a directory\. List its files: \.\/\*/m)
  assert.match(err, /^7 files: .*3 ready/m)
})

test('--json prints one line of JSON per file', async () => {
  const person = await enter()
  person.file('notes.txt', WORDS)
  person.file('torn.pdf', '%PDF-1.7 and nothing more')

  const { exit, out, err } = await person.run(['documents', 'add', 'notes.txt', 'torn.pdf', '--summary', '--json'])

  const [notes, torn] = jsonLines<CliRow & { summary: { status: string; sentences: object[] } | null }>(out)
  assert.deepEqual([exit, err], [1, ''])
  assert.deepEqual([notes?.status, notes?.document?.title, notes?.error], ['ready', 'notes.txt', null])
  assert.equal(notes?.summary?.status, 'succeeded')
  assert.deepEqual([torn?.status, torn?.error?.code, torn?.summary], ['failed', 'document_unreadable', null])
})

test('--summary prints a summary in which every sentence has its source', async () => {
  const person = await enter()
  person.file('lease.pdf', pdfOf(['The lease begins on the first of March.'], ['Rent is 1,200 a month.']))

  const { exit, out } = await person.run(['documents', 'add', 'lease.pdf', '--summary', '--title', 'My lease'])

  assert.equal(exit, 0)
  assert.match(out, /^Summary of My lease$/m)
  assert.match(out, /Rent is 1,200 a month\. \[\d\]/)
  assert.match(out, /^\[\d\] My lease, page 2: “Rent is 1,200 a month\.”$/m)
})

test('prints a file before its summary when stdout and stderr share a pipe', async () => {
  const { secret } = await api.newTenant()
  const person = await enter(secret)
  person.file('lease.pdf', pdfOf(['Rent is 1,200 a month.']))
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))

  const { stdout } = await promisify(execFile)(
    '/bin/sh',
    ['-c', `'${process.execPath}' '${main}' documents add lease.pdf --summary 2>&1`],
    {
      cwd: person.home,
      env: { OCTAVO_URL: api.url, OCTAVO_API_KEY: secret, HOME: person.home },
    },
  )

  assert.match(stdout, /^lease\.pdf\tready(.*\n)+Summary of lease\.pdf\n(.*\n)+\n1 file: 1 ready\n$/)
})

test('reports the result of each file even if the key may not create summaries', async () => {
  const { tenant } = await api.newTenant()
  const { secret } = await api.newKey(tenant, { scopes: ['documents:read', 'documents:write', 'jobs:read'] })
  const person = await enter(secret)
  person.file('1.txt', WORDS)
  person.file('2.txt', WORDS)

  const { exit, out, err } = await person.run(['documents', 'add', '1.txt', '2.txt', '--summary', '--json'])

  assert.equal(exit, 4)
  assert.deepEqual(
    jsonLines<CliRow & { summary: null }>(out).map(({ file, status, summary }) => [file, status, summary]),
    [
      ['1.txt', 'ready', null],
      ['2.txt', 'ready', null],
    ],
  )
  assert.match(err, /does not have the scope summaries:write/)
})

test('reads a file from standard input', async () => {
  const person = await enter()

  const { exit, out } = await person.run(['documents', 'add', '-', '--name', 'piped.txt'], { stdin: WORDS })

  assert.deepEqual([exit, tableRows(out)[0]?.slice(0, 3)], [0, ['piped.txt', 'ready', '1']])
})

test('sending the same file again need not create another document', async () => {
  const person = await enter()
  person.file('notes.txt', WORDS)
  await person.run(['documents', 'add', 'notes.txt'])

  const same = await person.run(['documents', 'add', 'notes.txt', '--on-duplicate', 'return_existing'])
  const refused = await person.run(['documents', 'add', 'notes.txt', '--on-duplicate', 'reject'])
  const { out } = await person.run(['documents', 'list'])

  assert.deepEqual([same.exit, refused.exit, tableRows(out).length], [0, 1, 1])
})

test('reports wrong usage before sending anything', async () => {
  const person = await enter()
  person.file('a.txt', WORDS)
  person.file('b.txt', WORDS)

  const ended = await Promise.all([
    person.run(['documents', 'add', 'a.txt', 'b.txt', '--title', 'Both']),
    person.run(['documents', 'add', '-']),
    person.run(['documents', 'add', 'a.txt', '--no-wait', '--summary']),
    person.run(['documents', 'add']),
    person.run(['documents', 'add', 'a.txt', '--concurrency', '0']),
  ])

  assert.deepEqual(
    ended.map(({ exit }) => exit),
    [2, 2, 2, 2, 2],
  )
  assert.equal((await person.run(['documents', 'list'])).out, '')
})

test('stops at the first file if the key is rejected or may not write', async () => {
  const { tenant } = await api.newTenant()
  const reader = await api.newKey(tenant, { scopes: ['documents:read'] })
  const files = ['1', '2', '3', '4', '5', '6', '7', '8']
  for (const [key, reason] of [
    [`oct_key_${'0'.repeat(46)}`, /The server rejected the key/],
    [reader.secret, /does not have the scope documents:write/],
  ] as const) {
    const person = await enter(key)
    for (const name of files) person.file(name, WORDS)

    const { exit, out, err } = await person.run(['documents', 'add', ...files, '--concurrency', '1'])

    assert.equal(exit, 4)
    assert.deepEqual(
      tableRows(out).map(([, status]) => status),
      ['failed', ...Array<string>(7).fill('not sent')],
    )
    assert.match(err, reason)
  }
})

test('reports when documents are ready even if the key may not read jobs', async () => {
  const { tenant } = await api.newTenant()
  const { secret } = await api.newKey(tenant, { scopes: ['documents:read', 'documents:write'] })
  const person = await enter(secret)
  person.file('notes.txt', WORDS)

  const { exit, out } = await person.run(['documents', 'add', 'notes.txt'])

  assert.deepEqual([exit, tableRows(out)[0]?.[1]], [0, 'ready'])
})

test('still sends the other files after the reader closes the pipe', async () => {
  const { secret, client } = await api.newTenant()
  const person = await enter(secret)
  const files = ['1.txt', '2.txt', '3.txt', '4.txt']
  for (const name of files) person.file(name, `${WORDS} ${name}`)
  const add = async (...more: string[]) => {
    const started = person.start([
      'documents',
      'add',
      ...files,
      ...more,
      '--concurrency',
      '1',
      '--on-duplicate',
      'allow',
    ])
    started.hangUp()
    return started.ended
  }

  const fine = await add()
  const count = (await client.documents.list()).data.length
  const bad = await add('gone.txt')
  const json = await add('gone.txt', '--json')

  assert.deepEqual([fine.exit, fine.err, count], [0, '', 4])
  assert.deepEqual([bad.exit, bad.err], [1, 'error: 5 files: 4 ready, 1 failed.\n'])
  assert.deepEqual(
    [json.exit, jsonLines<{ error: { code: string } }>(json.err).map(({ error }) => error.code)],
    [1, ['files_failed']],
  )
})

test('refuses a path that is not a regular file', async () => {
  const person = await enter()

  const { exit, err } = await person.run(['documents', 'add', '/dev/zero'])

  assert.equal(exit, 1)
  assert.match(err, /This is not a regular file\./)
})
