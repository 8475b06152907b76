import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type App, openApp } from '../app.ts'
import { startApi, TEST_SECRETS } from '../testing/api.ts'
import { type Errand, enqueue, errand, textSource, until } from '../testing/jobs.ts'
import { handlersOf, startWorker } from '../worker.ts'
import { defineJob, type JobEnd, type JobType, type Run } from './types.ts'

const api = await startApi({ after }, { WORKER_SLOTS: '4', DRAIN_MS: '300' }, undefined, false)
const { app, newTenant } = api
const done: JobEnd = { status: 'succeeded' }

/** Starts another release of the program, with its own handlers and connections. */
async function startRelease<P extends object>(
  type: JobType<P>,
  run: (run: Run<P>) => Promise<JobEnd>,
  change: object = {},
) {
  const own: App = openApp({ ...app.config, ...change }, app.log)
  const worker = await startWorker(own, [...handlersOf(own), { type, run }])
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (isStopped) return
    isStopped = true
    await worker.stop()
    await own.close()
  }
  after(stop)
  return { app: own, stop }
}
const wait = (run: Run<object>, milliseconds: number): Promise<void> =>
  sleep(milliseconds, undefined, { signal: run.signal }).catch(() => run.signal.throwIfAborted())

test('a stopping worker finishes short jobs and returns the others without an attempt', async () => {
  const { tenant, client } = await newTenant()
  const began: string[] = []
  const steps: string[] = []
  const work = async (run: Run<Errand>): Promise<JobEnd> => {
    began.push(run.payload.name)
    await run.step('first', async () => void steps.push(run.payload.name))
    if (run.attempt === 1) await wait(run, run.payload.name === 'short' ? 150 : 60_000)
    return done
  }
  const worker = await startRelease(errand, work)
  const [short, long] = [await enqueue(app, tenant, { name: 'short' }), await enqueue(app, tenant, { name: 'long' })]
  await until(() => steps.length === 2)

  const clock = performance.now()
  await worker.stop()
  const took = performance.now() - clock
  const back = await client.jobs.get(long)
  const other = await startRelease(errand, work)
  const job = await client.jobs.wait(long)
  await other.stop()

  assert.ok(took < 3_000, `${took} ms`)
  assert.equal((await client.jobs.get(short)).status, 'succeeded')
  assert.deepEqual(
    [back.status, back.waiting_reason, back.attempts.map(({ outcome }) => outcome)],
    ['queued', 'queue', ['interrupted']],
  )
  assert.deepEqual(
    [job.status, job.attempts.map(({ outcome }) => outcome)],
    ['succeeded', ['interrupted', 'succeeded']],
  )
  assert.deepEqual(
    [began.toSorted(), steps.toSorted()],
    [
      ['long', 'long', 'short'],
      ['long', 'short'],
    ],
  )
})

test('two releases run side by side, and the older one skips job versions it does not know', async () => {
  const { tenant, client } = await newTenant()
  const first = defineJob<{ name: string }>({ name: 'purge', version: 1, max_attempts: 3, timeout_seconds: 60 })
  const second = defineJob<{ names: string[] }>({
    ...first,
    version: 2,
    upgrade: (payload) => ({ names: [(payload as { name: string }).name] }),
  })
  const seen: unknown[] = []
  const note = async (run: Run<object>): Promise<JobEnd> => {
    seen.push(run.payload)
    return done
  }
  const older = await startRelease(first, note)
  const known = await enqueue(app, tenant, { name: 'a' }, { type: first })
  const unknown = await enqueue(app, tenant, { names: ['b', 'c'] }, { type: second })
  await client.jobs.wait(known)
  await sleep(1_300)
  const left = await client.jobs.get(unknown)
  const newer = await startRelease(second, note)
  await client.jobs.wait(unknown)
  await older.stop()
  const late = await client.jobs.wait(await enqueue(app, tenant, { name: 'd' }, { type: first }))
  await newer.stop()

  assert.deepEqual([left.status, left.waiting_reason, left.attempt], ['queued', 'queue', 0])
  assert.equal(late.status, 'succeeded')
  assert.deepEqual(seen, [{ name: 'a' }, { names: ['b', 'c'] }, { names: ['d'] }])
})

test('a worker respects its slots and its limit for each job type', async () => {
  const { tenant, client } = await newTenant('enterprise')
  let most = 0
  let now = 0
  const runAll = async (change: object, expected: number): Promise<number> => {
    most = 0
    const count = async (run: Run<Errand>): Promise<JobEnd> => {
      most = Math.max(most, ++now)
      await until(() => most >= expected)
      await wait(run, 30)
      now--
      return done
    }
    const worker = await startRelease(errand, count, change)
    const ids = await Promise.all(Array.from({ length: 12 }, (_, i) => enqueue(app, tenant, { name: String(i) })))
    for (const id of ids) assert.equal((await client.jobs.wait(id)).status, 'succeeded')
    await worker.stop()
    return most
  }

  assert.equal(await runAll({ worker_types: { purge: 1 } }, 1), 1)
  assert.equal(await runAll({ worker_types: {} }, 4), 4)
})

test("a tenant's concurrent jobs stay within its tier, regardless of the number of workers", async () => {
  const { tenant, client } = await newTenant('free')
  let most = 0
  let now = 0
  const count = async (run: Run<Errand>): Promise<JobEnd> => {
    most = Math.max(most, ++now)
    await until(() => most >= 2)
    await wait(run, 20)
    now--
    return done
  }
  const workers = [await startRelease(errand, count), await startRelease(errand, count)]
  const ids: string[] = []
  for (let i = 0; i < 16; i++) ids.push(await enqueue(app, tenant, { name: String(i) }))
  for (const id of ids) assert.equal((await client.jobs.wait(id)).status, 'succeeded')
  for (const worker of workers) await worker.stop()

  assert.equal(most, 2)
})

test('a long job yields at its next step if another tenant is waiting', async () => {
  const { tenant: greedy, client } = await newTenant('enterprise')
  const { tenant: other, client: second } = await newTenant()
  const steps = new Set<string>()
  const worker = await startRelease(errand, async (run) => {
    if (run.payload.name === 'quick') return done
    for (let i = 0; i < 40; i++) {
      await run.step(`step ${i}`, async () => {
        assert.ok(!steps.has(`${run.job.id} ${i}`), 'a finished step ran again')
        await wait(run, 100)
        steps.add(`${run.job.id} ${i}`)
      })
    }
    return done
  })
  const long: string[] = []
  for (let i = 0; i < 4; i++) long.push(await enqueue(app, greedy, { name: 'long' }))
  await until(async () => (await client.jobs.list({ status: 'running' })).data.length === 4)
  const clock = performance.now()
  const quick = await second.jobs.wait(await enqueue(app, other, { name: 'quick' }))
  const took = performance.now() - clock

  assert.equal(quick.status, 'succeeded')
  assert.ok(took < 3_500, `${took} ms`)
  for (const id of long) {
    const job = await client.jobs.wait(id)
    assert.deepEqual([job.status, job.attempt, job.attempts.length], ['succeeded', 1, 1])
  }
  await worker.stop()
})

test('the process works until it gets a signal and logs its stop', async () => {
  const { client } = await newTenant()
  const { database } = api
  const child = spawn(process.execPath, [new URL('../bin/worker.ts', import.meta.url).pathname], {
    env: {
      ...process.env,
      DATABASE_URL: database.app_url,
      DATABASE_SYSTEM_URL: database.system_url,
      DATABASE_DIRECT_URL: '',
      BASE_URL: 'http://127.0.0.1:1',
      OCTAVO_SECRETS: TEST_SECRETS,
      MANAGEMENT_PORT: '0',
      LOG_LEVEL: 'info',
    },
  })
  let log = ''
  child.stdout.on('data', (part: Buffer) => (log += part.toString()))
  child.stderr.on('data', (part: Buffer) => (log += part.toString()))
  const { latest_job_id } = await client.documents.create({ title: 'Lease', source: textSource('One') })
  const job = await client.jobs.wait(latest_job_id!)
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number]

  assert.deepEqual([job.status, code], ['succeeded', 0], log)
  assert.match(log, /"working"[\s\S]*"stopping"/)
})
