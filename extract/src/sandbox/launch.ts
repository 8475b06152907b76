// The only way to start a program on untrusted bytes. It uses the strongest level that this machine offers.

import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { commandAt, detectLevel } from './detect.ts'
import { openFilter } from './filter.ts'
import type { LocalLevel } from './levels.ts'
import { localProcess, type PipedChild, type SandboxProcess, type SandboxTask } from './process.ts'
import { findProgram } from './programs.ts'

export interface Sandbox {
  launch(task: SandboxTask): SandboxProcess
}

/** Both are for tests; by default the strongest level is detected at the first launch. */
export function openSandbox(level?: LocalLevel, launcher?: string): Sandbox {
  return { launch: (task) => launch(task, level ?? detectLevel().level, launcher) }
}

function launch(task: SandboxTask, level: LocalLevel, launcher?: string): SandboxProcess {
  const filter = level === 'process' ? null : openFilter()
  try {
    const [program = task.program, ...args] = [...limiter(task), ...commandFor(task, level, launcher)]
    const child = spawn(program, args, {
      cwd: '/',
      env: { ...task.env },
      stdio: ['pipe', 'pipe', 'pipe', filter ?? 'ignore'],
    }) as PipedChild
    if (!findProgram('nice')) child.once('spawn', () => lowerPriority(child.pid))
    return localProcess(child, level === 'bubblewrap')
  } finally {
    if (filter !== null) closeSync(filter)
  }
}

function commandFor(task: SandboxTask, level: LocalLevel, launcher?: string): string[] {
  const command = level === 'process' ? [task.program, ...task.args] : commandAt(level, task, launcher)
  if (command === null) throw new Error(`The launcher of the sandbox level '${level}' is not installed`)
  const setpriv = findProgram('setpriv')
  // Bubblewrap does both itself.
  if (level === 'bubblewrap' || setpriv === null) return command
  return [setpriv, '--no-new-privs', '--pdeathsig', 'KILL', ...command]
}

/** Kernel limits, the second wall behind the host's own watch. Lowest priority, so that requests go first. */
function limiter({ data_bytes, cpu_seconds }: SandboxTask): string[] {
  const prlimit = findProgram('prlimit')
  const nice = findProgram('nice')
  return [
    ...(prlimit ? [prlimit, `--data=${data_bytes}`, `--cpu=${cpu_seconds}`, '--core=0', '--fsize=0'] : []),
    ...(nice ? [nice, '-n', '19'] : []),
  ]
}

function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended already, which is noticed elsewhere.
  }
}
