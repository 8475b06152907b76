import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Job, Octavo } from '@octavo/sdk'
import { JobFailure } from '../../jobs/types.ts'
import { uuidOf } from '../../lib/ids.ts'
import { startApi } from '../../testing/api.ts'
import { failed } from '../../testing/ask.ts'
import { change, TestScript, textSource, until } from '../../testing/jobs.ts'
import { startWorker } from '../../worker.ts'
import { ingestPages } from '../documents/documents.ingest.ts'
import { explainJob } from './jobs.explain.ts'

const api = await startApi({ after }, { WORKER_SLOTS: '8' }, undefined, false)
const { app, newTenant } = api
const script = new TestScript(app)
const worker = await startWorker(app, script.handlers)
after(() => worker.stop())

/** The id of the job that ingests a document with this text. */
const begin = async (client: Octavo, text: string): Promise<string> =>
  (await client.documents.create({ title: 'Lease', source: textSource(text) })).latest_job_id!
const ended = (client: Octavo, id: string): Promise<Job> => client.jobs.wait(id)
const isRunning = (client: Octavo, id: string) => async () => (await client.jobs.get(id)).status === 'running'
/** The time of the next attempt is now. */
const hurry = (tenant: string, id: string) =>
  change(app, tenant, `update jobs set run_after = now() where tenant_id = $1 and id = $3 and place = 'backoff'`, [
    uuidOf('job', id),
  ])

test('an ended job shows its result and usage', async () => {
  const { client } = await newTenant()
  const job = await ended(client, await begin(client, 'One\fTwo'))

  assert.deepEqual(
    [job.status, job.is_terminal, job.waiting_reason, job.queue, job.stage],
    ['succeeded', true, null, null, null],
  )
  assert.deepEqual([job.attempt, job.attempts.length, job.attempts[0]!.outcome], [1, 1, 'succeeded'])
  assert.equal(job.usage?.pages, 2)
  assert.deepEqual(job.progress, { unit: 'pages', completed: 2, failed: 0, total: 2 })
  assert.ok(job.created_at <= job.started_at! && job.started_at! <= job.finished_at!)
  assert.equal((await failed(client.jobs.update(job.id, { status: 'cancelled' }))).code, 'invalid_state')
  assert.equal((await failed(client.jobs.update(job.id, { status: 'queued' }))).code, 'invalid_state')
})

test('a running job shows its stage and progress', async () => {
  const { client } = await newTenant()
  const held = script.hold('progress 2')
  script.on('progress', async (run) => {
    run.progress({ unit: 'pages', completed: 3, failed: 1, total: 9 }, 'ocr')
    await until(() => held.runs.length > 0)
    return ingestPages(app, run)
  })
  const id = await begin(client, 'progress')

  await until(async () => (await client.jobs.get(id)).progress !== null)
  const job = await client.jobs.get(id)
  await begin(client, 'progress 2')
  held.letGo()

  assert.deepEqual([job.status, job.stage, job.waiting_reason, job.queue], ['running', 'ocr', null, null])
  assert.deepEqual(job.progress, { unit: 'pages', completed: 3, failed: 1, total: 9 })
  assert.equal((await ended(client, id)).stage, null)
})

test('cancelling a running job stops it and keeps its finished work', async () => {
  const { client } = await newTenant()
  const steps: string[] = []
  script.on('cancel me', async (run) => {
    await run.step('first', async () => void steps.push('first'))
    await run.step('second', async (signal) => {
      if (run.attempt === 1) await until(() => signal.aborted)
      signal.throwIfAborted()
      steps.push('second')
    })
    return ingestPages(app, run)
  })
  const id = await begin(client, 'cancel me')
  await until(() => steps.length === 1)

  const asked = await client.jobs.update(id, { status: 'cancelled' })
  const cancelled = await ended(client, id)
  const again = await client.jobs.update(id, { status: 'queued' })
  const done = await ended(client, id)

  assert.ok(asked.cancel_requested_at !== null)
  assert.deepEqual(
    [cancelled.status, cancelled.error?.code, cancelled.attempts.at(-1)!.outcome],
    ['cancelled', 'cancelled', 'cancelled'],
  )
  assert.deepEqual([again.cancel_requested_at, again.error], [null, null])
  assert.deepEqual([done.status, done.attempt, steps], ['succeeded', 2, ['first', 'second']])
})

test('retries a failing job after a delay and fails it after too many attempts', async () => {
  const { client, tenant } = await newTenant()
  script.on('never', () =>
    Promise.reject(new JobFailure('source_unavailable', 'The source does not answer.', { is_final: false })),
  )
  const id = await begin(client, 'never')

  await until(async () => (await client.jobs.get(id)).waiting_reason === 'retry_backoff')
  const first = await client.jobs.get(id)
  await hurry(tenant, id)
  await until(async () => (await client.jobs.get(id)).attempts.length === 2)
  const second = await client.jobs.get(id)
  await hurry(tenant, id)
  const job = await ended(client, id)

  const waits = [first, second].map(
    ({ queue, attempts }) => Date.parse(queue!.estimated_start_at!) - Date.parse(attempts.at(-1)!.ended_at),
  )
  assert.deepEqual([first.status, first.queue!.ahead, first.error], ['queued', 0, null])
  assert.ok(waits[0]! >= 3_950 && waits[0]! <= 6_050, `${waits[0]} ms`)
  assert.ok(waits[1]! >= 11_950 && waits[1]! <= 18_050, `${waits[1]} ms`)
  assert.deepEqual([job.status, job.attempt, job.error?.code], ['failed', 3, 'source_unavailable'])
  assert.deepEqual(
    job.attempts.map(({ number, outcome, error }) => [number, outcome, error?.message]),
    [1, 2, 3].map((number) => [number, 'failed', 'The source does not answer.']),
  )
  assert.equal((await client.documents.get(job.document_id!)).error?.code, 'source_unavailable')
})

test('a rerun job gets as many attempts as a new one', async () => {
  const { client } = await newTenant()
  let isBroken = true
  script.on('unreadable', async (run) => {
    if (isBroken) throw new JobFailure('document_unreadable', 'Page 1 cannot be read.')
    return ingestPages(app, run)
  })
  const id = await begin(client, 'unreadable')
  const first = await ended(client, id)

  isBroken = false
  await client.jobs.update(id, { status: 'queued' })
  const second = await ended(client, id)

  assert.deepEqual([first.status, first.attempt, first.error?.message], ['failed', 1, 'Page 1 cannot be read.'])
  assert.deepEqual([second.status, second.attempt, second.error], ['succeeded', 2, null])
  assert.deepEqual(
    second.attempts.map(({ outcome }) => outcome),
    ['failed', 'succeeded'],
  )
})

test('reports an internal error without its message', async () => {
  const { client, tenant } = await newTenant()
  script.on('bug', () => Promise.reject(new TypeError('secret is not a function')))
  const id = await begin(client, 'bug')
  for (let tries = 1; tries < 3; tries++) {
    await until(async () => (await client.jobs.get(id)).attempts.length === tries)
    await hurry(tenant, id)
  }

  const { status, error } = await ended(client, id)

  assert.deepEqual([status, error?.code], ['failed', 'internal_error'])
  assert.ok(!error!.message.includes('secret'))
})

test('a job that exceeds its time limit fails and keeps its finished work', async () => {
  const { client, tenant } = await newTenant()
  const steps: number[] = []
  script.on('slow', async (run) => {
    await run.step('first', async () => void steps.push(run.attempt))
    if (run.attempt === 1) await until(() => run.signal.aborted)
    return ingestPages(app, run)
  })
  const held = script.hold('filler')
  for (let i = 0; i < 7; i++) await begin(client, 'filler')
  const id = await begin(client, 'slow')
  await change(app, tenant, 'update jobs set timeout_seconds = 1 where tenant_id = $1 and id = $3', [uuidOf('job', id)])
  held.letGo()

  const job = await ended(client, id)
  await client.jobs.update(id, { status: 'queued' })
  const again = await ended(client, id)

  assert.deepEqual([job.status, job.error?.code, job.attempts.at(-1)!.outcome], ['failed', 'job_timeout', 'failed'])
  assert.deepEqual([again.status, steps], ['succeeded', [1]])
})

test('jobs of a tenant start by priority, then by age, with an estimated start', async () => {
  const { client } = await newTenant('free')
  const held = script.hold('two at a time', 'low', 'normal 1', 'normal 2', 'high')
  await ended(client, await begin(client, 'A first one, so that it is known how long they take'))
  const running = [await begin(client, 'two at a time'), await begin(client, 'two at a time')]
  await until(() => held.runs.length === 2)
  const low = await begin(client, 'low')
  await client.jobs.update(low, { priority: 'low' })
  const line = [await begin(client, 'normal 1'), await begin(client, 'normal 2'), await begin(client, 'high')]
  await client.jobs.update(line[2]!, { priority: 'high' })

  const waiting = await Promise.all([...line, low].map((id) => client.jobs.get(id)))
  const { data: listed } = await client.jobs.list({ status: 'queued' })
  held.letGo()
  const all = await Promise.all([...running, ...line, low].map((id) => ended(client, id)))

  assert.deepEqual(
    waiting.map(({ queue, waiting_reason }) => [queue!.ahead, waiting_reason]),
    [1, 2, 0, 3].map((ahead) => [ahead, 'tenant_concurrency']),
  )
  const startOf = (id: string): number => Date.parse(listed.find((job) => job.id === id)!.queue!.estimated_start_at!)
  const [high, normal] = [startOf(line[2]!), startOf(line[0]!)]
  assert.ok(high > Date.now() - 15_000 && high <= normal)
  const order = all.slice(2).toSorted((a, b) => (a.started_at! < b.started_at! ? -1 : 1))
  assert.ok(order.findIndex(({ id }) => id === line[2]) <= 1, 'high begins with the first two')
  assert.ok(order.findIndex(({ id }) => id === low) >= 2, 'low begins with the last two')
})

test('a job waits for a worker while all are busy and shows the reason', async () => {
  const { client } = await newTenant('enterprise')
  const held = script.hold('busy')
  const ids: string[] = []
  for (let i = 0; i < 10; i++) ids.push(await begin(client, 'busy'))
  await until(() => held.runs.length === 8)

  const last = await client.jobs.get(ids[9]!)
  held.letGo()

  assert.deepEqual(
    [last.status, last.waiting_reason, last.queue],
    ['queued', 'queue', { ahead: 0, estimated_start_at: null }],
  )
  for (const id of ids) assert.equal((await ended(client, id)).status, 'succeeded')
})

test('deleting a document cancels its running job', async () => {
  const { client } = await newTenant()
  const held = script.hold('deleted')
  const document = await client.documents.create({ title: 'Lease', source: textSource('deleted') })
  await until(isRunning(client, document.latest_job_id!))

  await client.documents.remove(document.id)

  assert.equal((await ended(client, document.latest_job_id!)).status, 'cancelled')
  assert.equal(held.runs[0]!.signal.aborted, true)
})

test('the operator can explain a job without knowing its tenant', async () => {
  const { client } = await newTenant('free')
  const held = script.hold('in front')
  for (let i = 0; i < 2; i++) await begin(client, 'in front')
  const id = await begin(client, 'behind')

  const waiting = await explainJob(app, id)
  held.letGo()
  await ended(client, id)
  const done = await explainJob(app, id)

  assert.match(
    waiting[0]!,
    /is waiting for a slot: its tenant is using 2 of the 2 slots of its tier \(free\)\. 0 jobs of the tenant are ahead of it/,
  )
  assert.match(done[0]!, /succeeded\. It ended \d+ (ms|s) ago, after \d+ (ms|s) of work in 1 attempt\./)
  await assert.rejects(explainJob(app, 'doc_1'), { message: "'doc_1' is not a job id." })
  await assert.rejects(explainJob(app, 'job_01h455vb4pex5vsknk084sn02q'), /No job has the id/)
})
