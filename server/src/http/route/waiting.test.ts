import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { uuidOf } from '../../lib/ids.ts'
import { startApi } from '../../testing/api.ts'
import { ask } from '../../testing/ask.ts'
import { change, TestScript, textSource, until } from '../../testing/jobs.ts'
import { startWorker } from '../../worker.ts'
import { preferredWait } from './waiting.ts'

const api = await startApi({ after }, {}, undefined, false)
const { app, owner, owner_tenant } = api
const script = new TestScript(app)
const worker = await startWorker(app, script.handlers)
after(() => worker.stop())

const newHeld = async (text: string) => {
  const held = script.hold(text)
  const { latest_job_id } = await owner.documents.create({ title: 'Lease', source: textSource(text) })
  await until(() => held.runs.length === 1)
  return { held, id: latest_job_id! }
}

test('parses Prefer: wait as in RFC 7240 and ignores anything else', () => {
  for (const [header, seconds] of [
    ['wait=5', 5],
    ['Wait = "7"', 7],
    ['respond-async, wait=9', 9],
    ['wait=9;x=y, respond-async', 9],
    ['return=minimal,wait=3', 3],
    [['return=minimal', 'wait=3'], 3],
    ['wait=50', 50],
    ['wait=51', 50],
    ['wait=999999999', 50],
    ['wait=0', null],
    ['wait=-1', null],
    ['wait=1.5', null],
    ['wait=soon', null],
    ['await=5', null],
    ['wait', null],
    ['', null],
    [undefined, null],
  ] as const)
    assert.equal(preferredWait(header as never), seconds, String(header))
})

test('holds the response until the job has ended', async () => {
  const { held, id } = await newHeld('held')
  const asked = ask(api, `/api/v1/jobs/${id}`, { headers: { prefer: 'wait=20' } })
  const isEarly = await Promise.race([asked.then(() => true), sleep(300).then(() => false)])
  held.letGo()
  const began = performance.now()

  const { status, headers, text } = await asked

  assert.equal(isEarly, false)
  assert.ok(performance.now() - began < 15_000)
  assert.deepEqual([status, headers['preference-applied'], headers['retry-after']], [200, 'wait=20', undefined])
  assert.equal((JSON.parse(text) as { status: string }).status, 'succeeded')
})

test('returns the current state when the wait expires', async () => {
  const { held, id } = await newHeld('longer')
  const began = performance.now()

  const { status, headers, text } = await ask(api, `/api/v1/jobs/${id}`, { headers: { prefer: 'wait=1' } })

  assert.ok(performance.now() - began >= 900)
  assert.deepEqual([status, headers['preference-applied'], headers['retry-after']], [200, 'wait=1', '1'])
  assert.equal((JSON.parse(text) as { status: string }).status, 'running')
  held.letGo()
})

test('a POST can wait and returns 201 with the finished resource', async () => {
  const body = JSON.stringify({ title: 'Lease', source: textSource('One') })
  const batch = JSON.stringify({ type: 'documents', inputs: [{ title: 'Lease', source: textSource('One') }] })
  const prefer = 'wait=20'

  const document = await ask(api, '/api/v1/documents', { method: 'POST', body, headers: { prefer } })
  const job = await ask(api, '/api/v1/jobs', { method: 'POST', body: batch, headers: { prefer } })
  const empty = await ask(api, '/api/v1/documents', { method: 'POST', body: '{"title":"No job"}', headers: { prefer } })

  for (const { status, headers } of [document, job, empty])
    assert.deepEqual([status, headers['preference-applied']], [201, prefer])
  const statusOf = ({ text }: { text: string }): string => (JSON.parse(text) as { status: string }).status
  assert.deepEqual([document, job, empty].map(statusOf), ['ready', 'succeeded', 'ready'])
})

test('ignores an invalid wait and a wait on a list', async () => {
  const job = await newHeld('odd wish')
  const odd = await ask(api, `/api/v1/jobs/${job.id}`, { headers: { prefer: 'wait=soon' } })
  const list = await ask(api, '/api/v1/jobs', { headers: { prefer: 'wait=20' } })
  job.held.letGo()

  assert.deepEqual([odd.status, odd.headers['preference-applied'], odd.headers['retry-after']], [200, undefined, '1'])
  assert.deepEqual([list.status, list.headers['preference-applied']], [200, undefined])
})

test('Retry-After grows with the age of the job', async () => {
  const { held, id } = await newHeld('old')
  const pauses: unknown[] = []
  for (const age of ['0 s', '15 s', '2 min']) {
    await change(
      app,
      owner_tenant,
      `update jobs set created_at = now() - $4::interval where tenant_id = $1 and id = $3`,
      [uuidOf('job', id), age],
    )
    pauses.push((await ask(api, `/api/v1/jobs/${id}`)).headers['retry-after'])
  }
  held.letGo()
  await owner.jobs.wait(id)

  assert.deepEqual(pauses, ['1', '2', '5'])
  assert.equal((await ask(api, `/api/v1/jobs/${id}`)).headers['retry-after'], undefined)
})

test('waiters are notified instead of polling the table', async () => {
  const { held, id } = await newHeld('counted')
  const read = app.db.for.bind(app.db)
  let count = 0
  app.db.for = (caller) => {
    const db = read(caller)
    const find = db.find.bind(db)
    db.find = ((statement: never, values: never) => {
      count++
      return find(statement, values)
    }) as never
    return db
  }
  const asked = ask(api, `/api/v1/jobs/${id}`, { headers: { prefer: 'wait=20' } })
  await sleep(1_500)
  const waiting = count
  held.letGo()
  await asked
  app.db.for = read

  assert.ok(waiting >= 1 && waiting <= 3, `${waiting} statements in 1.5 s of waiting`)
})
