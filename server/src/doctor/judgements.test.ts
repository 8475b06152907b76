// Thresholds: which values are ok, a warning or a failure.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SandboxLevel } from '@octavo/extract/sandbox/levels.ts'
import { readConfig } from '../config/config.ts'
import { aheadOf, judge as judgeClock } from './clock.ts'
import { judge as judgeMemory } from './memory.ts'
import { judgeRestored } from './restored.ts'
import { judgeSandbox } from './sandbox.ts'
import { judgeVolume } from './storage-disk.ts'
import { judge as judgeWorkers } from './workers.ts'

const GB = 1_000_000_000
const files = { free_files: 1_000, total_files: 2_000 }

test('allows a clock skew of seconds, not minutes', () => {
  const at = (...ahead: number[]) =>
    judgeClock(
      ahead.map((ahead_seconds, i) => ({ whose: i === 0 ? 'the database' : 'the object storage', ahead_seconds })),
    )

  assert.deepEqual(
    [at().status, at(0, 1).status, at(5).status, at(-5.1).status, at(60).status, at(-61).status],
    ['skipped', 'ok', 'ok', 'warning', 'warning', 'failed'],
  )
  assert.match(at(1, 7_300).says, /^This machine's clock is 2 hours behind the clock of the object storage\./)
  assert.match(at(-600).says, /^This machine's clock is 10 minutes ahead of the clock of the database\./)
})

test('a slow response does not count as clock skew', () => {
  assert.deepEqual([aheadOf(5_000, 1_000, 9_000), aheadOf(10_000, 1_000, 9_000), aheadOf(0, 1_000, 9_000)], [0, 1, -1])
})

test('warns before a volume is full', () => {
  const status = (free_bytes: number, total_bytes: number) =>
    judgeVolume({ free_bytes, total_bytes, ...files }, '/data').status

  assert.equal(status(50 * GB, 100 * GB), 'ok')
  assert.equal(status(4.9 * GB, 100 * GB), 'warning')
  assert.equal(status(0.9 * GB, 2 * GB), 'warning')
  assert.equal(status(0.099 * GB, 2 * GB), 'failed')
  assert.equal(status(0, 0), 'skipped')
  assert.match(judgeVolume({ free_bytes: GB, total_bytes: GB, free_files: 0, total_files: 9 }, '/data').says, /inodes/)
  assert.equal(
    judgeVolume({ free_bytes: 50 * GB, total_bytes: 100 * GB, free_files: 0, total_files: 0 }, '/data').status,
    'ok',
  )
})

test('no workers is a warning, and a failure if jobs are waiting', () => {
  const look = (workers: number, waiting: number, oldest_seconds = 0) =>
    judgeWorkers({ workers, waiting, oldest_seconds, is_single: false })

  assert.deepEqual(
    [look(1, 0).status, look(0, 0).status, look(0, 1, 3).status, look(2, 9, 61).status],
    ['ok', 'warning', 'failed', 'warning'],
  )
  assert.match(look(0, 1, 3).says, /1 job is waiting for one, the oldest for 3 s/)
  assert.deepEqual(look(0, 2).commands, ['npm run worker'])
})

test('a strong sandbox passes, a weaker one warns, and one below the minimum fails', () => {
  const look = (level: SandboxLevel, minimum: SandboxLevel) =>
    judgeSandbox({ level, because: level === 'bubblewrap' ? null : 'it is not installed' }, minimum)

  assert.deepEqual(
    [
      look('bubblewrap', 'process').status,
      look('landlock', 'process').status,
      look('seccomp', 'process').status,
      look('process', 'process').status,
      look('landlock', 'bubblewrap').status,
      look('container', 'bubblewrap').status,
    ],
    ['ok', 'ok', 'warning', 'warning', 'failed', 'ok'],
  )
  assert.match(look('process', 'process').says, /Bubblewrap cannot be used: it is not installed\.$/)
  assert.match(look('process', 'landlock').says, /workers do not start\.$/)
})

test('warns if the parsers may use more memory than the machine has', () => {
  const env = {
    BASE_URL: 'http://a',
    DATABASE_URL: 'a',
    DATABASE_SYSTEM_URL: 'a',
    OCTAVO_SECRETS: `1:${'0'.repeat(64)}`,
  }
  const settings = {
    config: readConfig({ ...env, WORKER_SLOTS: '4', PARSER_RESIDENT_MB: '500' }),
    wrong: new Map(),
    is_single: false,
    is_new: false,
    env,
  }
  const look = (total: number, available: number) => judgeMemory(settings, { total, available })

  assert.equal(look(4 * GB, 2 * GB).status, 'ok')
  assert.equal(look(4 * GB, 0.4 * GB).status, 'warning')
  assert.match(look(2 * GB, GB).remedy!, /Set WORKER_SLOTS to 2,/)
})

test('suggests docker compose commands for a restored database in the image', () => {
  const { status, commands } = judgeRestored({ keys: 0, secrets: 1, tenants: 0 }, true)

  assert.deepEqual(
    [status, commands],
    [
      'failed',
      [
        'docker compose stop octavo',
        'docker compose run --rm octavo admin after-restore',
        'docker compose start octavo',
      ],
    ],
  )
})
