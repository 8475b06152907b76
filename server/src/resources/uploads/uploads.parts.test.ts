// Large files, through both stores: the disk's addresses are the server's own, those of S3 are not.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { failed } from '../../testing/ask.ts'
import { bytesOf, listAll, listAllBegun, MiB, s3Env } from '../../testing/files.ts'
import { until } from '../../testing/jobs.ts'

const SIZE = 64 * MiB + 5
const bytes = bytesOf(SIZE)
const file = new Blob([new Uint8Array(bytes)], { type: 'application/octet-stream' })
const sha256 = createHash('sha256').update(bytes).digest('hex')

const apis = { disk: await startApi({ after }), s3: await startApi({ after }, s3Env()) }

for (const [driver, api] of Object.entries(apis)) {
  const { app, owner } = api
  const documentOf = (upload_id: string) =>
    owner.documents.createAndWait({ title: 'Large', source: { type: 'upload', upload_id } })

  test(`${driver}: uploads a file with one PUT`, async () => {
    const upload = await owner.uploads.createFromFile(new Blob(['Lease.'], { type: 'text/plain' }), {
      file_name: 'a.txt',
    })
    const document = await documentOf(upload.id)
    const contents = await (await owner.files.download(document.file_id!)).text()

    assert.deepEqual([document.status, contents], ['ready', 'Lease.'])
    assert.equal(new URL(upload.put!.url).origin === new URL(api.url).origin, driver === 'disk')
    await owner.documents.remove(document.id)
    await until(async () => (await listAll(app.files, '')).length === 0)
  })

  test(`${driver}: uploads a large file in parts and resumes after an interruption`, async () => {
    const stop = new AbortController()
    const begun = await owner.uploads.create({
      file_name: 'large.bin',
      media_type: file.type,
      size_bytes: SIZE,
      sha256,
    })
    const told: number[] = []
    const onUpload = ({ sent_bytes }: { sent_bytes: number }): void => {
      told.push(sent_bytes)
      if (told.length === 2) stop.abort()
    }
    await assert.rejects(owner.uploads.send(begun, file, { onUpload, signal: stop.signal }), { name: 'AbortError' })
    const half = await owner.uploads.get(begun.id)
    const early = await failed(documentOf(begun.id))

    told.length = 0
    await owner.uploads.send(begun.id, file, { onUpload: ({ sent_bytes }) => told.push(sent_bytes) })
    const document = await documentOf(begun.id)
    const parts = begun.parts.map(({ number, offset, size_bytes }) => [number, offset, size_bytes])

    assert.deepEqual(parts.at(-1), [5, 64 * MiB, 5])
    const received = half.parts.filter(({ is_received }) => is_received).length
    assert.ok(received >= 2 && received < 5, `${received} parts`)
    assert.deepEqual([early.status, early.code], [409, 'invalid_state'])
    assert.match(early.message, /parts are missing/)
    assert.ok(told[0]! >= 5 && told.at(-1) === SIZE, told.join(' '))
    // The format is not supported, but all bytes have arrived.
    assert.deepEqual(
      [document.status, document.error?.code, document.size_bytes],
      ['failed', 'unsupported_format', SIZE],
    )
    const stored = await app.files.get((await listAll(app.files, ''))[0]!.key)
    const hash = createHash('sha256')
    for await (const chunk of stored!) hash.update(chunk as Buffer)
    assert.equal(hash.digest('hex'), sha256)
    await owner.documents.remove(document.id)
    await until(async () => (await listAll(app.files, '')).length === 0)
  })

  test(`${driver}: deleting an upload removes its parts`, async () => {
    const begun = await owner.uploads.create({ file_name: 'large.bin', media_type: file.type, size_bytes: SIZE })
    const [part] = begun.parts
    const body = file.slice(0, part!.size_bytes)
    const sent = await fetch(part!.put.url, { method: 'PUT', headers: part!.put.headers, body: new Blob([body]) })

    await owner.uploads.remove(begun.id)

    assert.equal(sent.status, 200)
    await until(async () => (await listAllBegun(app.files)).length === 0)
    const again = await fetch(part!.put.url, {
      method: 'PUT',
      headers: part!.put.headers,
      body: new Blob([body]),
    }).catch(() => null)
    assert.notEqual(again?.status, 200)
  })
}
