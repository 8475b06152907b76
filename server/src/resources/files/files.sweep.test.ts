import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { access, rename, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, type TestContext, test } from 'node:test'
import { StorageUnavailable } from '../../files/store.ts'
import { floorUuid, newUuid, uuidOf } from '../../lib/ids.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { change } from '../../testing/jobs.ts'
import { sweep } from './files.sweep.ts'

const HOUR = 3_600_000
const OLD = (): Date => new Date(Date.now() - 2 * HOUR)
let lines: Record<string, unknown>[] = []
beforeEach(() => void (lines = []))

/** No worker runs, so that the data does not change under the sweeper. Objects count as old after an hour. */
async function start(t: TestContext) {
  const env = { SWEEP_AFTER_SECONDS: '3600', LOG_LEVEL: 'warn' }
  const api = await startApi(t, env, (line) => lines.push(JSON.parse(line) as Record<string, unknown>), false)
  return { ...api, tenant: uuidOf('ten', api.owner_tenant) }
}

/** An id of that time. */
const idOf = (time: Date): string => floorUuid(time).slice(0, 14) + randomUUID().slice(14)

const diskPath = ({ app }: TestApi, key: string): string => {
  const [tenant = '', name = ''] = key.split('/')
  return join(app.config.files.dir, 'objects', tenant, name.slice(0, 6), name)
}
const isThere = (api: TestApi, key: string): Promise<boolean> =>
  access(diskPath(api, key)).then(
    () => true,
    () => false,
  )

async function put(api: TestApi, key: string, modified: Date): Promise<string> {
  await api.app.files.put(key, Readable.from([Buffer.from('bytes')]), { media_type: 'text/plain' })
  await utimes(diskPath(api, key), modified, modified)
  return key
}

/** A document from a file that came long ago, and where its bytes are. */
async function oldDocument(api: TestApi & { tenant: string }): Promise<{ id: string; key: string }> {
  const document = await api.owner.documents.createFromFile(new Blob(['Lease'], { type: 'text/plain' }))
  const [row] = await change<{ object_id: string }>(
    api.app,
    api.owner_tenant,
    'update files set created_at = $4, updated_at = $4 where tenant_id = $1 and id = $3 returning object_id',
    [uuidOf('file', document.file_id!), OLD()],
  )
  return { id: document.id, key: `${api.tenant}/${row!.object_id}` }
}
const missingOf = async ({ app, owner_tenant }: TestApi): Promise<number> =>
  (await change(app, owner_tenant, 'select id from files where tenant_id = $1 and missing_at is not null', [])).length

test('removes objects without a row only if both object and id are old', async (t) => {
  const api = await start(t)
  const { tenant } = api
  const now = new Date()
  const lost = await put(api, `${tenant}/${idOf(OLD())}`, OLD())
  const young = await put(api, `${tenant}/${newUuid()}`, OLD())
  const cameNow = await put(api, `${tenant}/${idOf(OLD())}`, now)
  const foreign = await put(api, `${randomUUID()}/${idOf(OLD())}`, OLD())
  const { key: used } = await oldDocument(api)
  await utimes(diskPath(api, used), OLD(), OLD())
  const upload = await api.owner.uploads.create({ file_name: 'a.txt', media_type: 'text/plain', size_bytes: 5 })
  await api.owner.uploads.send(upload, new Blob(['bytes']))
  const object = idOf(OLD())
  await change(api.app, api.owner_tenant, 'update uploads set object_id = $4 where tenant_id = $1 and id = $3', [
    uuidOf('upl', upload.id),
    object,
  ])
  const pending = await put(api, `${tenant}/${object}`, OLD())

  const dry = await sweep(api.app, { is_dry: true })
  const wasKept = await isThere(api, lost)
  const swept = await sweep(api.app)

  assert.deepEqual([dry?.removed, wasKept], [1, true])
  assert.deepEqual([swept?.removed, swept?.removed_bytes, swept?.foreign, swept?.stopped], [1, 5, 1, null])
  const there = await Promise.all([lost, young, cameNow, foreign, used, pending].map((key) => isThere(api, key)))
  assert.deepEqual(there, [false, true, true, true, true, true])
  assert.ok(lines.some(({ event, count }) => event === 'bytes without a row' && count === 1))
})

test('reports and keeps a file with missing bytes, and clears it when they return', async (t) => {
  const api = await start(t)
  const [, gone] = [await oldDocument(api), await oldDocument(api)]
  const path = diskPath(api, gone.key)
  await rename(path, `${path}.aside`)

  const first = await sweep(api.app)
  const second = await sweep(api.app)
  const missing = await missingOf(api)
  const text = await api.app.metrics.registry.metrics()
  await rename(`${path}.aside`, path)
  const third = await sweep(api.app)

  assert.deepEqual([first?.files, first?.missing, first?.newly_missing], [2, 1, 1])
  assert.deepEqual([second?.missing, second?.newly_missing, missing], [1, 0, 1])
  assert.match(text, /^octavo_files_missing 1$/m)
  assert.deepEqual([third?.missing, third?.found_again, await missingOf(api)], [0, 1, 0])
  assert.equal(lines.filter(({ event }) => event === 'file without bytes').length, 1)
})

test('does not report a new file or one whose document is being purged as missing', async (t) => {
  const api = await start(t)
  const doomed = await oldDocument(api)
  await api.owner.documents.remove(doomed.id)
  const young = await api.owner.documents.createFromFile(new Blob(['Lease'], { type: 'text/plain' }))
  await rm(join(api.app.config.files.dir, 'objects', api.tenant), { recursive: true })

  const swept = await sweep(api.app)

  assert.deepEqual([swept?.files, swept?.missing, await missingOf(api)], [2, 0, 0])
  assert.equal((await api.owner.documents.get(young.id)).id, young.id)
})

test('aborts orphaned multipart uploads and keeps those that wait for parts', async (t) => {
  const api = await start(t)
  const { files } = api.app
  const size_bytes = 65 * 1024 * 1024
  const waiting = await api.owner.uploads.create({
    file_name: 'a.bin',
    media_type: 'application/octet-stream',
    size_bytes,
  })
  await files.beginParts(`${api.tenant}/${newUuid()}`, 'text/plain')
  const young = await sweep(api.app)
  // By then both are old.
  const later = { ...api.app, config: { ...api.app.config, sweep: { every_seconds: 1, after_seconds: 0 } } }

  const swept = await sweep(later)

  assert.deepEqual([young?.aborted, swept?.aborted], [0, 1])
  assert.deepEqual((await files.listBegun(null)).length, 1)
  assert.equal((await api.owner.uploads.get(waiting.id)).parts.length, 5)
})

test('changes nothing if the store does not respond or has lost too much', async (t) => {
  const api = await start(t)
  for (let i = 0; i < 12; i++) await oldDocument(api)
  const lost = await put(api, `${api.tenant}/${idOf(OLD())}`, OLD())
  const fails = async (): Promise<never> => {
    throw new StorageUnavailable('away')
  }

  const away = await sweep({ ...api.app, files: { ...api.app.files, list: fails } })
  const half = await sweep({ ...api.app, files: { ...api.app.files, list: async () => [], find: fails } })
  const empty = await sweep({ ...api.app, files: { ...api.app.files, list: async () => [], find: async () => null } })

  assert.deepEqual(
    [away?.stopped, half?.stopped, empty?.stopped],
    ['storage_unavailable', 'storage_unavailable', 'too_many_missing'],
  )
  assert.deepEqual([await missingOf(api), await isThere(api, lost)], [0, true])
})

test('only one sweep runs at a time, and it stops when aborted', async (t) => {
  const api = await start(t)
  const lost = await put(api, `${api.tenant}/${idOf(OLD())}`, OLD())
  const entered = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const list: typeof api.app.files.list = async (...given) => {
    entered.resolve()
    await released.promise
    return api.app.files.list(...given)
  }
  const stopping = new AbortController()

  const first = sweep({ ...api.app, files: { ...api.app.files, list } }, { signal: stopping.signal })
  await entered.promise
  const second = await sweep(api.app)
  stopping.abort()
  released.resolve()

  assert.equal(second, null)
  assert.equal((await first)?.stopped, 'told_to')
  assert.equal(await isThere(api, lost), true)
  assert.equal((await sweep(api.app))?.removed, 1)
})
