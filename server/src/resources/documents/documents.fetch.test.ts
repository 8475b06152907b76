import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'
import { listAll } from '../../testing/files.ts'
import { change, until } from '../../testing/jobs.ts'

const MAX = 100_000
const asked: string[] = []
const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/leases/12%20Elm%20Street.txt': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('The lease begins.'),
  '/missing': (_request, response) => void response.writeHead(404).end('no'),
  '/moved': (_request, response) => void response.writeHead(302, { location: '/leases/12%20Elm%20Street.txt' }).end(),
  '/large': (_request, response) =>
    void response.writeHead(200, { 'content-length': String(MAX + 1) }).end('x'.repeat(MAX + 1)),
  '/endless': (_request, response) => void response.writeHead(200).end('x'.repeat(MAX * 3)),
  '/empty': (_request, response) => void response.writeHead(200).end(),
}
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  answers[new URL(request.url ?? '', 'http://x').pathname]?.(request, response)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())
const HOST = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const lines: string[] = []
const open = await startApi(
  { after },
  { EGRESS_ALLOW_HTTP: 'true', EGRESS_ALLOW_CIDRS: '127.0.0.1/32', MAX_FILE_BYTES: String(MAX), LOG_LEVEL: 'info' },
  (line) => lines.push(line),
)
const { owner, app, owner_tenant } = open
const closed = await startApi({ after }, { EGRESS_ALLOW_HTTP: 'true' })

const sourceOf = (url: string) => ({ type: 'url', url }) as const
const fetchFrom = (path: string, client = owner) =>
  client.documents.createAndWait({ title: 'Fetched', source: sourceOf(`${HOST}${path}`) })

test('fetches a file from its URL and stores it like any other file', async () => {
  const document = await fetchFrom('/leases/12%20Elm%20Street.txt')
  const file = await owner.files.get(document.file_id!)

  assert.deepEqual(
    [document.status, document.page_count, document.media_type, document.size_bytes],
    ['ready', 1, 'text/plain', 17],
  )
  assert.deepEqual([file.file_name, file.sha256, file.kind], ['12 Elm Street.txt', document.sha256, 'original'])
  assert.equal(await (await owner.files.download(file.id)).text(), 'The lease begins.')
  assert.equal((await owner.pages.list(document.id)).data[0]?.text, 'The lease begins.')
})

test('sends the query of a URL only to its server and never shows or logs it', async () => {
  const document = await fetchFrom('/leases/12%20Elm%20Street.txt?token=hush#part')
  const job = await owner.jobs.get(document.latest_job_id!)
  const shown = [document, job, (await owner.events.list({ limit: 100 })).data, (await owner.documents.list()).data]

  assert.ok(asked.some((url) => url.endsWith('?token=hush')))
  assert.deepEqual(document.source, { type: 'url', url: `${HOST}/leases/12%20Elm%20Street.txt` })
  assert.doesNotMatch(JSON.stringify(shown), /hush/)
  assert.doesNotMatch(lines.join('\n'), /hush/)
})

test('a URL that does not return the file fails the document with a reason', async () => {
  const cases = [
    ['/missing', 'source_unavailable', /404/],
    ['/moved', 'source_unavailable', /redirect/],
    ['/large', 'source_unavailable', /100000 bytes/],
    ['/endless', 'source_unavailable', /100000 bytes/],
    ['/empty', 'document_empty', /empty/],
  ] as const

  for (const [path, code, reason] of cases) {
    const document = await fetchFrom(`${path}?token=hush`)
    assert.deepEqual([document.status, document.error?.code, document.file_id], ['failed', code, null], path)
    assert.match(document.error!.message, reason)
    assert.doesNotMatch(document.error!.message, /hush/)
  }
})

test('a refused file leaves no bytes behind', async () => {
  const objects = await listAll(app.files, '')
  const files = await change(app, owner_tenant, 'select id from files where tenant_id = $1')

  assert.equal(objects.length, files.length)
})

test('refuses an internal address unless the operator allows it', async () => {
  const before = asked.length

  const document = await fetchFrom('/leases/12%20Elm%20Street.txt', closed.owner)

  assert.deepEqual([document.status, document.error?.code], ['failed', 'source_unavailable'])
  assert.equal(asked.length, before, 'nobody was asked')
})

test('refuses at once a URL that may not be fetched', async () => {
  const strict = await startApi({ after }, {}, undefined, false)

  for (const url of [
    'http://example.com/a',
    'ftp://example.com/a',
    'https://user:pass@example.com/',
    'example.com',
    'file:///etc/passwd',
  ]) {
    const error = await failed(strict.owner.documents.create({ title: 'x', source: sourceOf(url) }))
    assert.deepEqual(summaryOf(error), [422, 'source.url invalid_format'], url)
  }
})

test('a batch fetches files by URL', async () => {
  const inputs = ['/leases/12%20Elm%20Street.txt', '/missing'].map((path) => ({
    title: path,
    source: sourceOf(`${HOST}${path}`),
  }))

  const { id } = await owner.jobs.create({ type: 'documents', inputs })
  await until(async () => (await owner.jobs.get(id)).is_terminal, 'the batch')

  const job = await owner.jobs.get(id)
  assert.deepEqual([job.status, job.progress?.completed, job.progress?.failed], ['partially_succeeded', 1, 1])
})
