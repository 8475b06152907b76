import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, test } from 'node:test'
import { compoundOf } from '@octavo/extract/testing/compound-files.ts'
import { startApi } from '../../testing/api.ts'
import { until } from '../../testing/jobs.ts'

// Answers of Apache Tika 3.3.2 for a workbook with two sheets.
const XHTML = `<html xmlns="http://www.w3.org/1999/xhtml"><head>
  <meta name="X-TIKA:Parsed-By" content="org.apache.tika.parser.microsoft.OfficeParser"/>
  <meta name="Content-Type" content="application/vnd.ms-excel"/><title></title></head><body>
  <div class="page"><h1>Rents</h1>
  <table><tbody><tr>	<td>Flat</td>	<td>Rent</td></tr>
  <tr>	<td>12 Elm Street</td>	<td>1,200</td></tr>
  </tbody></table>
  </div>
  <div class="page"><h1>Notes</h1>
  <table><tbody><tr>	<td>Heating included</td></tr>
  </tbody></table>
  </div>
  </body></html>`
const WELL = { detected: 'application/vnd.ms-excel', status: 200 }
let answers = WELL
const asked: string[] = []
const tika = createServer((request, response) => {
  let bytes = 0
  request.on('data', (chunk: Buffer) => (bytes += chunk.length))
  request.on('end', () => {
    asked.push(`${request.method} ${request.url} ${bytes}`)
    if (request.url === '/version') response.end('Apache Tika 3.3.2')
    else if (request.url === '/detect/stream') response.end(answers.detected)
    else response.writeHead(answers.status).end(XHTML)
  })
})
tika.listen(0, '127.0.0.1')
await once(tika, 'listening')
after(() => tika.close())
afterEach(() => {
  answers = WELL
  asked.length = 0
})

const { owner } = await startApi({ after }, { TIKA_URL: `http://127.0.0.1:${(tika.address() as AddressInfo).port}/` })
const XLS = compoundOf({ Workbook: Buffer.alloc(100, 1) })
const workbook = () => new File([new Uint8Array(XLS)], 'rents.xls')

test('reads a Tika-only format through Tika, with a page for each sheet', async () => {
  const document = await owner.documents.createAndWait(workbook())
  const { data: pages } = await owner.pages.list(document.id)

  assert.deepEqual([document.status, document.media_type], ['ready', 'application/vnd.ms-excel'])
  assert.deepEqual(
    pages.map(({ text, reader }) => [text, reader]),
    [
      ['Rents\n\nFlat\tRent\n12 Elm Street\t1,200', { id: 'tika', version: '3.3.2' }],
      ['Notes\n\nHeating included', { id: 'tika', version: '3.3.2' }],
    ],
  )
  assert.deepEqual(asked.slice(0, 1), [`PUT /detect/stream ${XLS.length}`])
})

test('does not send files that Octavo reads or files without text to Tika', async () => {
  answers = { ...WELL, detected: 'application/zip' }

  await owner.documents.createAndWait(new File(['Hello'], 'a.txt'))
  assert.equal(asked.length, 0)
  const archive = await owner.documents.createAndWait(workbook())

  assert.deepEqual([archive.status, archive.error?.code], ['failed', 'unsupported_format'])
  assert.ok(asked.every((line) => !line.startsWith('PUT /tika')))
})

test('a file that Tika cannot parse is unreadable', async () => {
  answers = { ...WELL, status: 422 }

  const document = await owner.documents.createAndWait(workbook())

  assert.deepEqual([document.status, document.error?.code], ['failed', 'document_unreadable'])
})

test('does not send a file of a local-only project to Tika', async () => {
  const project = await owner.projects.create({ name: 'Private', privacy: 'local_only' })

  const document = await owner.documents.createAndWait(workbook(), { document: { project_id: project.id } })

  assert.deepEqual([document.error?.code, asked], ['unsupported_format', []])
})

test('retries the job while Tika is unavailable', async () => {
  answers = { ...WELL, status: 503 }
  const { id, latest_job_id } = await owner.documents.createFromFile(workbook(), {}, { wait_seconds: 0 })
  const findJob = () => owner.jobs.get(latest_job_id ?? '')
  await until(async () => (await findJob()).attempts.length > 0, 'the first attempt')

  const job = await findJob()
  const { status } = await owner.documents.get(id)

  assert.deepEqual([job.status, status, job.attempts[0]?.error?.code], ['queued', 'processing', 'model_unavailable'])
  assert.doesNotMatch(JSON.stringify(job), /127\.0\.0\.1/)
})

/** A dBASE table with one text column. */
function dbfOf(rows: readonly string[]): Buffer {
  const head = Buffer.alloc(65)
  head.set([3, 126, 11, 15, rows.length, 0, 0, 0, 65, 0, 21])
  head.write('FLAT', 32)
  head.write('C', 43)
  head.set([20], 48)
  head.set([13], 64)
  return Buffer.from(`${head.toString('latin1')}${rows.map((row) => ` ${row.padEnd(20)}`).join('')}\x1a`, 'latin1')
}

test('a real Tika server detects and converts', { skip: !process.env.TIKA_URL }, async (t) => {
  const api = await startApi(t, { TIKA_URL: process.env.TIKA_URL ?? '' })
  const file = new File([new Uint8Array(dbfOf(['12 Elm Street', '3 Oak Road']))], 'flats.dbf')

  const document = await api.owner.documents.createAndWait(file)
  const text = await (await api.owner.documents.contents(document.id, { format: 'text' })).text()

  assert.equal(document.media_type, 'application/x-dbf')
  assert.equal(text, 'FLAT\n12 Elm Street\n3 Oak Road')
})
