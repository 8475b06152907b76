// The strongest level that works here, found by trying.

import { spawnSync } from 'node:child_process'
import { closeSync } from 'node:fs'
import { messageOf } from '@octavo/base/unknown.ts'
import { bubblewrapCommand } from './bubblewrap.ts'
import { confineCommand } from './confine.ts'
import { openFilter } from './filter.ts'
import type { DetectedLevel, LocalLevel } from './levels.ts'
import type { SandboxTask } from './process.ts'
import { findProgram } from './programs.ts'

const PROBE: SandboxTask = {
  program: process.execPath,
  args: ['--version'],
  reads: [],
  data_bytes: 0,
  cpu_seconds: 0,
}
const PROBE_MS = 10_000

let detected: DetectedLevel<LocalLevel> | undefined

export function detectLevel(): DetectedLevel<LocalLevel> {
  detected ??= tryLevels()
  return detected
}

/** The command that runs a task at a level; null where its launcher is not installed. */
export function commandAt(
  level: Exclude<LocalLevel, 'process'>,
  task: SandboxTask,
  launcher = findProgram(level === 'bubblewrap' ? 'bwrap' : 'octavo-confine'),
): string[] | null {
  if (launcher === null) return null
  return level === 'bubblewrap'
    ? bubblewrapCommand(launcher, task)
    : confineCommand(launcher, task, { has_landlock: level === 'landlock' })
}

function tryLevels(): DetectedLevel<LocalLevel> {
  const because = findObstacle('bubblewrap')
  if (because === null) return { level: 'bubblewrap', because }
  const level = (['landlock', 'seccomp'] as const).find((one) => findObstacle(one) === null) ?? 'process'
  return { level, because }
}

function findObstacle(level: Exclude<LocalLevel, 'process'>): string | null {
  if (process.platform !== 'linux') return 'it needs Linux'
  try {
    const command = commandAt(level, PROBE)
    return command ? runProbe(command) : 'it is not installed'
  } catch (error) {
    return messageOf(error)
  }
}

/** Null if the program ran. */
function runProbe([program = '', ...args]: string[]): string | null {
  const filter = openFilter()
  try {
    const { status, stderr, error } = spawnSync(program, args, {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', filter],
      timeout: PROBE_MS,
    })
    if (status === 0) return null
    return error?.message ?? (stderr.toString().trim().split('\n')[0] || `it ended with ${status}`)
  } finally {
    closeSync(filter)
  }
}
