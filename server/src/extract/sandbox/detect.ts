// The strongest level that works here, found by trying it once.

import { spawnSync } from 'node:child_process'
import { closeSync } from 'node:fs'
import { bubblewrapCommand } from './bubblewrap.ts'
import { openFilter } from './filter.ts'
import type { SandboxTask } from './process.ts'
import { findProgram } from './programs.ts'

export type LocalLevel = 'process' | 'bubblewrap'

export interface DetectedLevel {
  level: LocalLevel
  /** Why no stronger level is used. */
  because: string | null
}

const PROBE: SandboxTask = {
  program: process.execPath,
  args: ['--version'],
  reads: [],
  data_bytes: 0,
  cpu_seconds: 0,
}
const PROBE_MS = 10_000

let detected: DetectedLevel | undefined

export function detectLevel(): DetectedLevel {
  detected ??= tryBubblewrap()
  return detected
}

function tryBubblewrap(): DetectedLevel {
  if (process.platform !== 'linux') return { level: 'process', because: 'bubblewrap needs Linux' }
  if (!findProgram('bwrap')) return { level: 'process', because: 'bubblewrap is not installed' }
  try {
    const because = runProbe(bubblewrapCommand(PROBE))
    return because === null ? { level: 'bubblewrap', because } : { level: 'process', because }
  } catch (error) {
    return { level: 'process', because: error instanceof Error ? error.message : String(error) }
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
