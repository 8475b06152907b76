import assert from 'node:assert/strict'
import { type IncomingMessage, request } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event, Octavo } from '@octavo/sdk'
import { openPool } from '../../db/database.ts'
import { keepUp } from '../../db/upkeep.ts'
import { uuidOf } from '../../lib/ids.ts'
import { startApi } from '../../testing/api.ts'
import { ask, errorOf } from '../../testing/ask.ts'
import { TestScript, textSource, until } from '../../testing/jobs.ts'
import { startWorker } from '../../worker.ts'

const api = await startApi({ after }, {}, undefined, false)
const { app, newTenant, owner, database } = api
const script = new TestScript(app)
const worker = await startWorker(app, script.handlers)
after(() => worker.stop())

const STREAM = { accept: 'text/event-stream' }
const begin = async (client: Octavo, text: string): Promise<string> =>
  (await client.documents.create({ title: 'Lease', source: textSource(text) })).latest_job_id!
async function listed(client: Octavo, id: string, count: number): Promise<Event[]> {
  await until(async () => (await client.jobEvents.list(id)).data.length >= count)
  return (await client.jobEvents.list(id, { limit: 100 })).data
}
const told = (events: readonly Event[]) => events.map(({ seq, type }) => [seq, type])

interface JobEventsStream {
  response: IncomingMessage
  text: string
  end: Promise<void>
  cut(): void
}
function open(path: string, headers: Record<string, string> = {}, key = api.owner_key): Promise<JobEventsStream> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${api.url}${path}`,
      { agent: false, headers: { ...STREAM, authorization: `Bearer ${key}`, ...headers } },
      (response) => {
        const end = new Promise<void>((done) => response.on('close', done))
        const stream: JobEventsStream = { response, text: '', end, cut: () => sent.destroy() }
        response.on('data', (part: Buffer) => (stream.text += part.toString()))
        response.on('error', () => {})
        resolve(stream)
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}
/** The events in a stream's text, with the id and the name that stood before them. */
const eventsIn = ({ text }: { text: string }) =>
  [...text.matchAll(/^id: (\d+)\nevent: (\S+)\ndata: (.*)\n\n/gm)].map(([, id, name, data]) => ({
    id: Number(id),
    name,
    data: JSON.parse(data!) as Event,
  }))

const quiet = script.hold('quiet')
const quietJob = await begin(owner, 'quiet')
const quietStream = await open(`/api/v1/jobs/${quietJob}/events`)

test('every change of a job is an event, numbered from 1 without gaps', async () => {
  const { client } = await newTenant()
  const held = script.hold('a', 'b', 'c', 'd')
  for (const text of ['a', 'b', 'c']) await begin(client, text)
  const id = await begin(client, 'd')
  await client.jobs.update(id, { priority: 'high' })
  await client.jobs.update(id, { metadata: { a: '1' } })
  await client.jobs.update(id, { metadata: { a: '2' }, priority: 'high', status: 'cancelled' })
  await client.jobs.update(id, { status: 'queued' })
  held.letGo()
  await client.jobs.wait(id)

  await until(async () => (await listed(client, id, 8)).at(-1)!.type === 'job.succeeded')
  const events = await listed(client, id, 8)

  // On a slow machine the job also reports progress while it runs.
  const withoutProgress = events.filter(({ type }, at) => at < 6 || type !== 'job.updated')
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, at) => at + 1),
  )
  assert.deepEqual(
    withoutProgress.map(({ type }, at) => [at + 1, type]),
    [
      [1, 'job.queued'],
      [2, 'job.updated'],
      [3, 'job.updated'],
      [4, 'job.updated'],
      [5, 'job.cancelled'],
      [6, 'job.queued'],
      [7, 'job.running'],
      [8, 'job.succeeded'],
    ],
  )
  const first = await client.jobEvents.list(id, { limit: 3 })
  const next = await client.jobEvents.list(id, { limit: 3, cursor: first.cursor! })
  assert.deepEqual(told([...first.data, ...next.data]), told(events).slice(0, 6))
  assert.deepEqual(
    [events[0]!.subject, events[0]!.actor.type, events.at(-1)!.actor.type],
    [{ object: 'job', id }, 'api_key', 'system'],
  )
})

test('the last event of a deleted job is job.deleted', async () => {
  const { client } = await newTenant()
  const id = await begin(client, 'One')
  await client.jobs.wait(id)
  await client.jobs.remove(id)

  const ofJob = async () =>
    (await client.events.list({ limit: 100, sort: 'created_at' })).data.filter(({ subject }) => subject.id === id)
  await until(async () => (await ofJob()).length === 4)
  assert.deepEqual(told(await ofJob()).at(-1), [4, 'job.deleted'])
})

test('a stream replays past events, follows new ones and ends with the job', async () => {
  const { client, secret } = await newTenant()
  const held = script.hold('live')
  const id = await begin(client, 'live')
  const stream = await open(`/api/v1/jobs/${id}/events`, {}, secret)
  await until(() => eventsIn(stream).length === 2)
  const before = eventsIn(stream)
  held.letGo()
  await stream.end

  const events = eventsIn(stream)
  const list = await listed(client, id, 3)

  const { headers, statusCode } = stream.response
  assert.deepEqual(
    [statusCode, headers['content-type'], headers['cache-control']],
    [200, 'text/event-stream', 'no-store'],
  )
  assert.ok(stream.text.startsWith('retry: 1000\n\n'))
  assert.deepEqual(
    before.map(({ name }) => name),
    ['job.queued', 'job.running'],
  )
  assert.deepEqual(
    events.map(({ id: number, name, data }) => [number, name, data]),
    list.map((event) => [event.seq, event.type, event]),
  )
})

test('a client that reconnects continues after its last event', async () => {
  const { client, secret } = await newTenant()
  const held = script.hold('cut')
  const id = await begin(client, 'cut')
  const path = `/api/v1/jobs/${id}/events`
  const first = await open(path, {}, secret)
  await until(() => eventsIn(first).length === 2)
  first.cut()
  held.letGo()
  await client.jobs.wait(id)

  const second = await open(path, { 'last-event-id': '2' }, secret)
  await second.end
  const last = (await listed(client, id, 3)).at(-1)!.seq!
  const over = await ask(api, path, { key: secret, headers: { ...STREAM, 'last-event-id': String(last) } })
  const odd = await ask(api, path, { key: secret, headers: { ...STREAM, 'last-event-id': 'three' } })

  assert.deepEqual(
    eventsIn(second).map(({ id: number }) => number),
    Array.from({ length: last - 2 }, (_, i) => i + 3),
  )
  assert.deepEqual([over.status, over.text], [204, ''])
  assert.deepEqual([odd.status, errorOf(odd).details[0]?.field], [400, 'Last-Event-ID'])
})

test('the SDK follows a job to its end', async () => {
  const { client } = await newTenant()
  const id = await begin(client, 'One')

  const types: string[] = []
  for await (const { type } of client.jobs.follow(id)) types.push(type)

  assert.deepEqual([types[0], types.at(-1)], ['job.queued', 'job.succeeded'])
})

test('limits the streams of a tenant over all its keys, and closing one frees a place', async () => {
  const { tenant, client, secret } = await newTenant('free')
  const other = await api.newKey(tenant)
  const held = script.hold('bounded')
  const path = `/api/v1/jobs/${await begin(client, 'bounded')}/events`
  const streams = [await open(path, {}, secret), await open(path, {}, other.secret)]

  const refused = await ask(api, path, { key: secret, headers: STREAM })
  streams[0]!.cut()
  const room = async () => {
    const stream = await open(path, {}, secret)
    stream.cut()
    return stream.response.statusCode === 200
  }

  assert.deepEqual(
    [refused.status, errorOf(refused).details[0]?.field, refused.headers['retry-after']],
    [429, 'streams', '1'],
  )
  await until(room)
  held.letGo()
  await streams[1]!.end
})

test('a missing job has no stream', async () => {
  const { status } = await ask(api, '/api/v1/jobs/job_01h455vb4pex5vsknk084sn02q/events', { headers: STREAM })

  assert.equal(status, 404)
})

const skip = database.admin_url ? false : 'needs DATABASE_ADMIN_URL'
test('deletes ended jobs and events after 30 days and keeps live ones', { skip }, async (t) => {
  const admin = openPool(database.admin_url!, 1)
  t.after(() => admin.end())
  const { client } = await newTenant()
  const held = script.hold('lives on')
  const [old, young, live] = [await begin(client, 'One'), await begin(client, 'Two'), await begin(client, 'lives on')]
  await Promise.all([client.jobs.wait(old), client.jobs.wait(young)])
  await listed(client, old, 3)
  const id = uuidOf('job', old)
  await admin.query(`update jobs set finished_at = now() - interval '31 days' where id = $1`, [id])
  await admin.query(`update events set created_at = now() - interval '31 days' where subject_id = $1`, [id])

  await keepUp(app.system)

  await assert.rejects(client.jobs.get(old), { code: 'not_found' })
  assert.equal((await client.jobs.get(young)).status, 'succeeded')
  assert.ok(['queued', 'running'].includes((await client.jobs.get(live)).status))
  held.letGo()
  const left = await admin.query('select from events where subject_id = $1', [id])
  const steps = await admin.query('select from job_steps where job_id = $1', [id])
  assert.deepEqual([left.rowCount, steps.rowCount], [0, 0])
  await client.jobs.wait(live)
})

test('sends keep-alives on an idle stream', async () => {
  for (const end = Date.now() + 17_000; !quietStream.text.includes(': ping\n\n') && Date.now() < end; ) await sleep(100)

  assert.ok(quietStream.text.includes(': ping\n\n'))
  quiet.letGo()
  await quietStream.end
  assert.equal(eventsIn(quietStream).at(-1)!.name, 'job.succeeded')
})
