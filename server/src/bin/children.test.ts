// Single-process mode with more processes.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../config/config.ts'
import { createDatabase } from '../testing/database.ts'
import { freePort } from '../testing/port.ts'
import { settingsFor, start } from '../testing/processes.ts'
import { childSpecs } from './children.ts'

const database = await createDatabase()
after(() => database.drop())
const settings = settingsFor(database)
const WAIT_MS = 50

/** Pids and programs of the processes that `pid` has started. */
function childrenOf(pid: number): { pid: number; program: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      const program = /bin\/(api|worker)\.ts/.exec(readFileSync(`/proc/${name}/cmdline`, 'utf8'))?.[1]
      return Number(parent) === pid && program !== undefined ? [{ pid: Number(name), program }] : []
    } catch {
      return []
    }
  })
}
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(WAIT_MS)
}

/** Starts `all` with these settings, and waits for as many log lines as there are processes. */
async function startAll(more: Record<string, string>, line: string) {
  const env = {
    ...settings,
    ...more,
    PORT: String(await freePort()),
    MANAGEMENT_PORT: '0',
    // Migrations are those of the test database.
    AUTO_MIGRATE: 'off',
  }
  const all = start('all', env)
  const pid = all.child.pid ?? assert.fail('all has not started')
  const said = (text: string, count: number) =>
    until(() => {
      assert.equal(all.child.exitCode ?? all.child.signalCode, null, all.said.error)
      return all.said.out.split(text).length > count
    })
  await said(line, 2)
  return { ...all, said, pid, url: `http://127.0.0.1:${env.PORT}/openapi.json` }
}

test('starts another API process on the same port, restarts it when it ends, and stops it', async () => {
  const { child, ended, pid, said, url } = await startAll({ API_PROCESSES: '2' }, '"listening"')
  const begun = childrenOf(pid)
  const answers = await Promise.all(Array.from({ length: 50 }, async () => (await fetch(url)).status))
  const [lost] = begun
  assert.ok(lost)
  process.kill(lost.pid, 'SIGKILL')
  await said('process ended and is started again', 1)
  await said('"listening"', 3)
  const again = childrenOf(pid)
  child.kill('SIGTERM')
  const { code, error } = await ended

  assert.deepEqual(new Set(answers), new Set([200]))
  assert.deepEqual(
    [begun, again].map((all) => all.map(({ program }) => program)),
    [['api'], ['api']],
  )
  assert.notEqual(again[0]?.pid, lost.pid)
  assert.deepEqual([code, error], [0, ''])
  assert.deepEqual(
    again.filter((one) => isAlive(one.pid)),
    [],
  )
})

test('starts another worker, which stops when the first process is killed', async () => {
  const { child, ended, pid } = await startAll({ WORKER_PROCESSES: '2' }, '"working"')
  const begun = childrenOf(pid)
  child.kill('SIGKILL')
  await ended
  await until(() => !begun.some((one) => isAlive(one.pid)))

  assert.deepEqual(
    begun.map(({ program }) => program),
    ['worker'],
  )
})

test('each process has its own management port, and none but the first has the password of the owner', () => {
  const env = { ...settings, API_PROCESSES: '2', WORKER_PROCESSES: '3', MANAGEMENT_PORT: '9100', WORKER_SLOTS: '4' }
  const config = readConfig(env)

  const specs = childSpecs(config, env)

  assert.deepEqual(
    specs.map((spec) => [spec.program, spec.env.MANAGEMENT_PORT, spec.env.DATABASE_OWNER_URL]),
    [
      ['api', '9101', undefined],
      ['worker', '9102', undefined],
      ['worker', '9103', undefined],
    ],
  )
  assert.equal(config.tiers.self_hosted.running_jobs, 11)
})

test('several API processes need a fixed port', () => {
  assert.throws(() => readConfig({ ...settings, API_PROCESSES: '2', PORT: '0' }), /^Error: API_PROCESSES needs a fixed/)
})
