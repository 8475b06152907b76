// The only way to start a program on untrusted bytes. It uses the strongest level that this machine offers.

import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { bubblewrapCommand } from './bubblewrap.ts'
import { detectLevel, type LocalLevel } from './detect.ts'
import { openFilter } from './filter.ts'
import { localProcess, type PipedChild, type SandboxProcess, type SandboxTask } from './process.ts'
import { findProgram } from './programs.ts'

export interface Sandbox {
  launch(task: SandboxTask): SandboxProcess
}

/** `level` is for tests; by default the strongest one is detected at the first launch. */
export function openSandbox(level?: LocalLevel): Sandbox {
  return { launch: (task) => launch(task, level ?? detectLevel().level) }
}

function launch(task: SandboxTask, level: LocalLevel): SandboxProcess {
  const filter = level === 'process' ? null : openFilter()
  try {
    const [program = task.program, ...args] = [...limiter(task), ...commandFor(task, level)]
    const child = spawn(program, args, {
      cwd: '/',
      env: { ...task.env },
      // A new session: no terminal, and a process group to kill.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', filter ?? 'ignore'],
    }) as PipedChild
    if (!findProgram('nice')) child.once('spawn', () => lowerPriority(child.pid))
    return localProcess(child, level === 'bubblewrap')
  } finally {
    if (filter !== null) closeSync(filter)
  }
}

function commandFor(task: SandboxTask, level: LocalLevel): string[] {
  const plain = [task.program, ...task.args]
  if (level === 'bubblewrap') return bubblewrapCommand(task)
  // Bubblewrap does both itself.
  const setpriv = findProgram('setpriv')
  return setpriv ? [setpriv, '--no-new-privs', '--pdeathsig', 'KILL', ...plain] : plain
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
