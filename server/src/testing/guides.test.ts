import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Answer, Document, Report, Search, Summary } from '@octavo/sdk'
import { startApi } from './api.ts'
import { blocksOf, type Reader, runShell, runTypeScript } from './guides.ts'
import { weightsDir } from './weights.ts'

const api = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir() })
const PAGES = [
  'The lease of the house in Elm Street begins on the first of March. The tenant is Ada Byron and the landlord is the City of Lyndon.',
  'Rent is 1,200 a month. Rent is due on the third day of each month, in advance and without deduction. Late rent bears interest.',
  'The landlord keeps the roof and the heating in repair. The tenant keeps the garden. Nobody may keep a horse in the kitchen.',
]
const lease = await api.owner.documents.createAndWait({
  title: 'Lease',
  metadata: { kind: 'lease' },
  source: { type: 'pages', pages: PAGES.map((text) => ({ text })) },
})
const reader: Reader = { url: api.url, key: api.owner_key, env: { DOCUMENT: lease.id } }
/** A member that is not there prints so. */
const example = async (path: string, by: Reader = reader): Promise<string> => {
  const printed = await Promise.all(blocksOf(path, 'ts').map((block) => runTypeScript(block, by)))
  assert.doesNotMatch(printed.join(), /undefined|\[object/)
  return printed.join('\n')
}
const made = async <T>(block: string): Promise<T> => JSON.parse(await runShell(block, reader)) as T

test('the page about outcomes: summaries of a text and of documents', async () => {
  const [ofText, ofDocument, ...more] = blocksOf('docs/outcomes.md', 'sh')

  const short = await made<Summary>(ofText!)
  const summary = await made<Summary>(ofDocument!)
  const told = await example('docs/outcomes.md')

  assert.deepEqual([more, short.status, short.sentences.length], [[], 'succeeded', 3])
  assert.deepEqual([short.method, short.sentences[0]?.citations[0]?.quote], ['extractive', 'Rent is 1,200 a month.'])
  assert.deepEqual([summary.status, summary.sentences[0]?.citations[0]?.document_id], ['succeeded', lease.id])
  assert.match(told, new RegExp(`${lease.id} \\d \\d+ \\d+`))
})

test('the page about search: a search, an answer, a stream', async () => {
  const [searching, asking, streaming, ...more] = blocksOf('docs/search.md', 'sh')

  const search = await made<Search>(searching!)
  const answer = await made<Answer>(asking!)
  const stream = await runShell(streaming!, reader)
  const told = await example('docs/search.md')

  assert.deepEqual([more, search.method, search.results[0]?.page_number], [[], 'hybrid', 2])
  assert.deepEqual([answer.is_answered, answer.sentences[0]?.citations[0]?.page_number], [true, 2])
  assert.deepEqual(stream.match(/^event: .*$/gm), ['event: answer.created', 'event: answer.completed'])
  const completed = JSON.parse(/^event: answer\.completed\ndata: (.*)$/m.exec(stream)![1]!) as Answer
  assert.match(completed.text!, /The landlord keeps the roof/)
  assert.match(told, /\[.*'Rent'/s)
  assert.match(told, new RegExp(`${lease.id}, page 2: Rent is due on the third day`))
})

test('the page about reports: a table and its file', async () => {
  const [making, fetching, ...more] = blocksOf('docs/reports.md', 'sh')

  const report = await made<Report>(making!)
  // Into what is printed instead of a file here.
  const csv = await runShell(fetching!.replace(' -o documents.csv', ''), { ...reader, env: { FILE: report.file_id! } })
  const markdown = await example('docs/reports.md')

  assert.deepEqual([more, report.status, report.row_count], [[], 'succeeded', csv.split('\r\n').length - 2])
  assert.match(csv, new RegExp(`^${lease.id},Lease,`, 'm'))
  assert.match(markdown, /^\| .*Lease/m)
})

test('the first steps end with a cited summary and a cited answer', async () => {
  const { secret, client } = await api.newTenant()
  const stranger: Reader = { url: api.url, key: secret }
  const [sending, asking, twice, ...more] = blocksOf('README.md', 'sh')

  const document = JSON.parse(await runShell(sending!, stranger)) as Document
  const told = await runShell(asking!, { ...stranger, env: { DOCUMENT: document.id } })
  const [summary, answer] = told.split(/(?<=\})(?=\{"id")/).map((text) => JSON.parse(text) as unknown) as [Summary, Answer]
  const [first, second] = [await runShell(twice!, stranger), await runShell(twice!, stranger)]
  const printed = await example('README.md', stranger)

  assert.deepEqual([more, document.status, summary.status], [[], 'ready', 'succeeded'])
  for (const { citations } of summary.sentences) assert.equal(citations[0]?.document_id, document.id)
  assert.equal(answer.is_answered, true)
  const { page_id, start, end, quote } = answer.sentences[0]!.citations[0]!
  const page = await client.pages.get(document.id, page_id!)
  assert.equal([...page.text].slice(start, end).join(''), quote)
  assert.match(quote, /charge a\s+fee/)
  assert.doesNotMatch(first, /idempotent-replayed/i)
  assert.match(second, /idempotent-replayed: true/i)
  assert.match(printed, /^page \d+: .*charge a fee/m)
})
