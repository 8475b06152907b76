import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import type { FileLink } from '@octavo/contract'
import { signedUrl } from '../../files/signed-links.ts'
import { newId, uuidOf } from '../../lib/ids.ts'
import { startApi } from '../../testing/api.ts'
import { ask, errorOf, type TestAnswer } from '../../testing/ask.ts'
import { change } from '../../testing/jobs.ts'

const api = await startApi({ after })
const { app, owner, otherTenant, owner_tenant, owner_key, other_tenant_key, newKey } = api
const BYTES = 'The lease begins on 1 March 2027.'
const JSON_ONLY = { accept: 'application/json' }

const documentOf = (text = BYTES, file_name = 'lease.txt', project_id: string | null = null) =>
  owner.documents.createFromFile(new Blob([text], { type: 'text/plain' }), {
    file_name,
    project_id: project_id as never,
  })
const document = await documentOf()
const file_id = document.file_id!
const contentsOf = (id: string): string => `/api/v1/files/${id}/contents`
const get = (
  headers: Record<string, string> = {},
  more: { method?: string; key?: string | null } = {},
): Promise<TestAnswer> => ask(api, contentsOf(file_id), { headers, ...more })
const linkOf = async (id: string): Promise<FileLink> =>
  JSON.parse((await ask(api, contentsOf(id), { headers: JSON_ONLY })).text) as FileLink

test('a file shows its metadata and the document it belongs to', async () => {
  const file = await owner.files.get(file_id)

  assert.deepEqual([file.object, file.kind, file.document_id, file.project_id], ['file', 'original', document.id, null])
  assert.deepEqual([file.file_name, file.media_type, file.size_bytes], ['lease.txt', 'text/plain', BYTES.length])
  assert.equal(file.sha256, createHash('sha256').update(BYTES).digest('hex'))
  assert.equal('object_id' in file, false)
})

test('serves the bytes as an attachment that no browser runs', async () => {
  const { status, text, headers } = await get()

  assert.deepEqual([status, text], [200, BYTES])
  assert.equal(headers['content-disposition'], `attachment; filename="lease.txt"; filename*=UTF-8''lease.txt`)
  assert.deepEqual([headers['content-type'], headers['content-length']], ['text/plain', String(BYTES.length)])
  assert.deepEqual(
    [headers['x-content-type-options'], headers['content-security-policy']],
    ['nosniff', "sandbox; default-src 'none'"],
  )
  assert.match(headers['cache-control'] ?? '', /private/)
})

test('serves an HTML file as an attachment, and its name cannot break the header', async () => {
  const name = 'Öl "50%";\\x.html'
  const { file_id: id } = await documentOf('<!doctype html><script>alert(1)</script>', name)

  const { headers } = await ask(api, contentsOf(id!))

  assert.match(headers['content-disposition'] ?? '', /^attachment; filename="x\.html"; filename\*=UTF-8''x\.html$/)
  assert.equal(headers['content-security-policy'], "sandbox; default-src 'none'")
  const quoted = await documentOf('x', 'Öl "50%"\r\nx: y.txt')
  const second = await ask(api, contentsOf(quoted.file_id!))
  assert.match(
    second.headers['content-disposition'] ?? '',
    /^attachment; filename="[\w .:-]+"; filename\*=UTF-8''%C3%96l[\w%.-]+$/,
  )
  assert.equal(second.headers.x, undefined)
})

test('returns 304 if the caller already has the bytes', async () => {
  const { etag } = (await get()).headers

  const same = await get({ 'if-none-match': etag! })
  const other = await get({ 'if-none-match': '"x"' })

  assert.deepEqual([same.status, same.text, same.headers.etag], [304, '', etag])
  assert.equal(other.status, 200)
})

test('returns a range with its position', async () => {
  const [some, last, many] = [
    await get({ range: 'bytes=4-8' }),
    await get({ range: 'bytes=-5' }),
    await get({ range: 'bytes=0-1,4-5' }),
  ]
  const none = await get({ range: `bytes=${BYTES.length}-` })

  assert.deepEqual([some.status, some.text, some.headers['content-range']], [206, 'lease', `bytes 4-8/${BYTES.length}`])
  assert.deepEqual([last.status, last.text, last.headers['content-length']], [206, '2027.', '5'])
  assert.deepEqual([many.status, many.text], [200, BYTES])
  assert.deepEqual(
    [none.status, errorOf(none).code, none.headers['content-range']],
    [416, 'range_not_satisfiable', `bytes */${BYTES.length}`],
  )
  assert.equal(none.headers['content-disposition'], undefined)
})

test('a range is cut to the file, and an invalid one is ignored', async () => {
  const size = BYTES.length
  const statusOf = async (range: string): Promise<unknown[]> => {
    const { status, text, headers } = await get({ range })
    return status === 206 ? [status, text, headers['content-range']] : [status]
  }

  assert.deepEqual(await statusOf('bytes=0-0'), [206, 'T', `bytes 0-0/${size}`])
  assert.deepEqual(await statusOf('bytes=28-'), [206, '2027.', `bytes 28-${size - 1}/${size}`])
  assert.deepEqual(await statusOf(`bytes=28-${size + 10}`), [206, '2027.', `bytes 28-${size - 1}/${size}`])
  assert.deepEqual(await statusOf(`bytes=-${size + 10}`), [206, BYTES, `bytes 0-${size - 1}/${size}`])
  assert.deepEqual(await statusOf('bytes=-0'), [416])
  for (const range of ['bytes=3-1', 'bytes=', 'bytes=-', 'bytes=a-b', 'items=0-1', 'nonsense'])
    assert.deepEqual(await statusOf(range), [200], range)
})

test('If-Range returns the whole file if it has changed', async () => {
  const { etag } = (await get()).headers

  assert.equal((await get({ range: 'bytes=4-8', 'if-range': etag! })).status, 206)
  assert.equal((await get({ range: 'bytes=4-8', 'if-range': '"x"' })).status, 200)
  assert.equal((await get({ range: 'bytes=4-8', 'if-range': `W/${etag}` })).status, 200)
})

test('HEAD returns all headers without the bytes and ignores ranges', async () => {
  const [whole, some] = [await get({}, { method: 'HEAD' }), await get({ range: 'bytes=4-8' }, { method: 'HEAD' })]

  assert.deepEqual([whole.status, whole.text, whole.headers['content-length']], [200, '', String(BYTES.length)])
  assert.deepEqual(
    [whole.headers['accept-ranges'], some.status, some.headers['content-length']],
    ['bytes', 200, String(BYTES.length)],
  )
})

test('a caller that accepts only JSON gets a link that works without a key for five minutes', async () => {
  const link = await linkOf(file_id)
  const answer = await fetch(link.url)
  const part = await fetch(link.url, { headers: { range: 'bytes=4-8' } })

  assert.deepEqual([link.object, link.id], ['file_link', file_id])
  const minutes = (Date.parse(link.expires_at) - Date.now()) / 60_000
  assert.ok(minutes > 4.5 && minutes <= 5, String(minutes))
  assert.deepEqual([answer.status, await answer.text()], [200, BYTES])
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment/)
  assert.equal(answer.headers.get('content-security-policy'), "sandbox; default-src 'none'")
  assert.deepEqual([part.status, await part.text()], [206, 'lease'])
})

test('a link is an operation by itself, and is the same for a while', async () => {
  const first = await ask(api, `/api/v1/files/${file_id}/link`)
  const link = JSON.parse(first.text) as FileLink
  const answer = await fetch(link.url)

  assert.deepEqual([first.status, link.object, link.id], [200, 'file_link', file_id])
  assert.ok(Date.parse(link.expires_at) - Date.now() > 4.5 * 60_000, link.expires_at)
  assert.equal(Date.parse(link.expires_at) % (5 * 60_000), 0)
  assert.deepEqual([answer.status, await answer.text()], [200, BYTES])
  assert.equal((await ask(api, `/api/v1/files/${newId('file')}/link`)).status, 404)
})

test('an expired or altered link gives no access, and no link accepts a PUT', async () => {
  const link = { may: 'read_file', tenant: uuidOf('ten', owner_tenant), id: file_id } as const
  const late = await fetch(signedUrl(app.config, { ...link, expires_at: Date.now() - 1 }))
  const { url } = await linkOf(file_id)
  const foreign = signedUrl(app.config, {
    ...link,
    tenant: uuidOf('ten', (await api.newTenant()).tenant),
    expires_at: Date.now() + 9_999,
  })

  assert.equal(late.status, 403)
  assert.equal((await fetch(`${url.slice(0, -2)}AA`)).status, 404)
  assert.equal((await fetch(foreign)).status, 404)
  assert.equal((await fetch(url, { method: 'PUT', body: 'x' })).status, 404)
  assert.equal((await fetch(`${api.url}/signed/x`)).status, 404)
})

test('deleting the document removes its bytes and disables all links at once', async () => {
  const { id, file_id: own } = await documentOf('soon gone')
  const { url } = await linkOf(own!)

  await owner.documents.remove(id)

  assert.equal((await fetch(url)).status, 404)
  assert.equal((await ask(api, contentsOf(own!))).status, 404)
  assert.equal((await ask(api, `/api/v1/files/${own}`)).status, 404)
})

test("a file is hidden from other tenants, other projects' keys and keys without the scope", async () => {
  const project = await owner.projects.create({ name: 'Visible' })
  const inside = await documentOf('inside', 'a.txt', project.id)
  const limited = await newKey(owner_tenant, { project_ids: [project.id] })
  const { secret } = await newKey(owner_tenant, { scopes: ['documents:write'] })

  await assert.rejects(otherTenant.files.get(file_id), { code: 'not_found' })
  await assert.rejects(limited.client.files.get(file_id), { code: 'not_found' })
  assert.deepEqual(
    await Promise.all(
      [other_tenant_key, limited.secret, secret, null].map(async (key) => (await get({}, { key })).status),
    ),
    [404, 404, 403, 401],
  )
  assert.equal((await get(JSON_ONLY, { key: other_tenant_key })).status, 404)
  assert.equal((await limited.client.files.get(inside.file_id!)).project_id, project.id)
  assert.equal((await get({}, { key: owner_key })).status, 200)
})

test('bytes lost by the storage are a server error', async () => {
  const lost = await documentOf('lost soon')
  const [row] = await change<{ object_id: string }>(
    app,
    owner_tenant,
    'select object_id from files where tenant_id = $1 and id = $3',
    [uuidOf('file', lost.file_id!)],
  )
  await app.files.remove(`${uuidOf('ten', owner_tenant)}/${row!.object_id}`)

  const answer = await ask(api, contentsOf(lost.file_id!))

  assert.deepEqual([answer.status, errorOf(answer).code], [503, 'service_unavailable'])
  assert.equal(answer.headers['content-disposition'], undefined)
})
