// Responses when storage fails or is slow.

import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FileStore, StorageFull, StorageUnavailable } from '../../files/store.ts'
import { startApi } from '../../testing/api.ts'
import { failed } from '../../testing/ask.ts'

const { app, owner } = await startApi({ after }, { REQUEST_DEADLINE_MS: '2000' }, undefined, false)
const { files } = app
const whole: FileStore = { ...files }
afterEach(() => void Object.assign(files, whole))
const file = (): Blob => new Blob(['Lease'], { type: 'text/plain' })
const fails =
  (error: Error): (() => Promise<never>) =>
  async () => {
    throw error
  }
const SIZE = 65 * 1024 * 1024
const PARTS = { file_name: 'a.bin', media_type: 'application/octet-stream', size_bytes: SIZE }

test('unavailable or full storage is a retryable server error', async () => {
  const document = await owner.documents.createFromFile(file())
  Object.assign(files, { put: fails(new StorageUnavailable('away')), get: fails(new StorageUnavailable('away')) })
  const away = [
    await failed(owner.documents.createFromFile(file())),
    await failed(owner.files.download(document.file_id!)),
  ]
  Object.assign(files, { put: fails(new StorageFull('full')) })
  const full = await failed(
    owner.documents.create({ title: 'A', source: { type: 'base64', media_type: 'text/plain', data: 'TGVhc2U=' } }),
  )

  const told = [...away, full].map(({ status, code, headers }) => [status, code, headers?.get('retry-after')])
  assert.deepEqual(told, [
    [503, 'service_unavailable', '5'],
    [503, 'service_unavailable', '5'],
    [503, 'service_unavailable', '60'],
  ])
})

test('refuses parts of an upload that the storage dropped, and the upload stays incomplete', async () => {
  const upload = await owner.uploads.create(PARTS)
  for (const { key, upload: name } of await files.listBegun(null)) await files.abortParts(key, name)

  const sent = await failed(owner.uploads.send(upload, new Blob([new Uint8Array(SIZE)])))
  const used = await failed(owner.documents.create({ title: 'A', source: { type: 'upload', upload_id: upload.id } }))
  const { parts } = await owner.uploads.get(upload.id)

  assert.deepEqual([sent.status, sent.code, used.status, used.code], [409, 'invalid_state', 409, 'invalid_state'])
  assert.ok(parts.every(({ is_received }) => !is_received))
})

test('an upload joined by an earlier, abandoned request can still be used', async () => {
  const upload = await owner.uploads.createFromFile(new Blob([new Uint8Array(SIZE)]))
  const [begun] = await files.listBegun(null)
  await files.endParts(begun!.key, begun!.upload)

  const { parts } = await owner.uploads.get(upload.id)
  const document = await owner.documents.create({ title: 'A', source: { type: 'upload', upload_id: upload.id } })

  assert.ok(parts.every(({ is_received }) => is_received))
  assert.equal(document.size_bytes, SIZE)
})

test('time spent in storage does not count against the request deadline', async () => {
  const put: FileStore['put'] = async (...given) => {
    await sleep(2_500)
    return whole.put(...given)
  }
  Object.assign(files, { put })

  const document = await owner.documents.create({
    title: 'A',
    source: { type: 'base64', media_type: 'text/plain', data: 'TGVhc2U=' },
  })

  assert.equal(document.status, 'processing')
})
