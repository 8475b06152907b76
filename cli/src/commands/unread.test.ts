import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { pdfOf } from '../../../extract/src/testing/pdf-files.ts'
import { startApi } from '../../../server/src/testing/api.ts'
import { factsOf, jsonLines, noTerminal, Person, tableRows } from '../testing/run.ts'

const api = await startApi({ after }, { MAX_PAGES: '1' })
const { secret } = await api.newTenant()
const person = new Person({ OCTAVO_URL: api.url, OCTAVO_API_KEY: secret })
after(() => person.leave())

async function add(name: string, contents: string | Uint8Array): Promise<string> {
  person.file(name, contents)
  return tableRows((await person.run(['documents', 'add', name])).out)[0]![3]!
}

test('ask says so if there are no documents yet', async () => {
  const { exit, out, err } = await person.run(['ask', 'When is the rent due?'])
  const project = await person.run(['ask', 'When?', '--json'])

  assert.deepEqual([exit, out, err], [3, '', 'You have no documents. Add one: octavo documents add <file>\n'])
  assert.deepEqual([project.exit, jsonLines<{ is_answered: boolean }>(project.out)[0]?.is_answered], [3, false])
})

test('a document without text reports the reason, not a missing answer', async () => {
  const id = await add('torn.pdf', '%PDF-1.7 and nothing more')
  const empty = (await api.owner.documents.create({ title: 'Nothing yet' })).id

  const text = await person.run(['documents', 'get', id, '--text'])
  const json = await person.run(['documents', 'get', id, '--markdown', '--json'])
  const asked = await person.run(['ask', 'When is the rent due?', '--document', id])
  const nothing = await person.run(['documents', 'get', empty, '--text'], { env: { OCTAVO_API_KEY: api.owner_key } })

  assert.deepEqual([text.exit, text.out], [1, ''])
  assert.match(text.err, /^error: The document is not ready: The PDF is damaged /)
  assert.deepEqual([json.exit, json.out, jsonLines(json.err).length], [1, '', 1])
  assert.deepEqual([asked.exit, asked.out], [3, ''])
  assert.match(asked.err, /^‘torn\.pdf’ is not ready: The PDF is damaged .*\n$/)
  assert.deepEqual([nothing.exit, nothing.out, nothing.err], [0, '', 'The document has no pages.\n'])
})

test('shows how many pages of a partially ready document were read', async () => {
  const id = await add('lease.pdf', pdfOf(['The lease begins in March.'], ['Rent is 1,200 a month.']))

  const again = await person.run(['documents', 'add', 'lease.pdf'])
  const listed = await person.run(['documents', 'list'])
  const shown = await person.run(['documents', 'get', id])
  const text = await person.run(['documents', 'get', id, '--text'])

  assert.deepEqual(tableRows(again.out)[0]?.slice(0, 3), ['lease.pdf', 'partially ready', '1/2'])
  assert.equal(tableRows(listed.out).find(([one]) => one === id)?.[2], '1/2')
  assert.equal(factsOf(shown.out).get('pages'), '1 of 2 read')
  assert.deepEqual([text.exit, text.out.trim()], [1, 'The lease begins in March.'])
  assert.match(text.err, /^error: Only 1\/2 pages of the document are ready: /)
})

test('stacks the columns of a table that is too wide for the terminal', {
  skip: noTerminal,
}, async () => {
  const { out } = await person.converse(['documents', 'list', '--limit', '2'], [], 40)

  const lines = out
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => stripVTControlCharacters(line))
  assert.ok(
    lines.every((line) => line.length <= 40),
    out,
  )
  assert.match(lines[0]!, /^DOCUMENT {2}doc_\w{26}$/)
  assert.equal(lines.filter((line) => /^DOCUMENT {2}/.test(line)).length, 2)
  assert.deepEqual(lines.slice(1, 4), ['STATUS    partially ready', 'PAGES     1/2', 'TITLE     lease.pdf'])
})
