// A sandboxed process as its host sees it, wherever it runs.

import { ChildProcess, type ChildProcessByStdio } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { findUsed, type Used } from '../meter.ts'

export interface SandboxTask {
  program: string
  args: readonly string[]
  /** Files and folders that it may read. */
  reads: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Memory that it may allocate. */
  data_bytes: number
  cpu_seconds: number
}

export interface SandboxProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** The exit code, or null after a signal, once all output has been read. Rejects if the process could not start. */
  readonly ended: Promise<number | null>
  /** Null after its end, and where it cannot be measured. */
  used(): Used | null
  kill(): void
  /** A process that is not held does not keep this one alive. */
  hold(is_held: boolean): void
}

const RETRY_MS = 5

export type PipedChild = ChildProcessByStdio<Writable, Readable, Readable>

/** `has_inner`: the child is a launcher that stays, and the program is its only child. */
export function localProcess(child: PipedChild, has_inner: boolean): SandboxProcess {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  promise.catch(() => {})
  child.once('error', reject)
  child.once('close', (code) => resolve(code))
  // Its end is reported by `ended`.
  child.stdin.on('error', () => {})
  let inner: number | null = null
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended: promise,
    used() {
      if (child.pid === undefined) return null
      if (has_inner) inner ??= findChild(child.pid)
      return findUsed(inner ?? child.pid)
    },
    kill: () => (has_inner ? killInner(child) : void child.kill('SIGKILL')),
    hold(is_held) {
      for (const one of [child, child.stdin, child.stdout, child.stderr]) setHeld(one, is_held)
    },
  }
}

/**
 * Kills the program rather than its launcher: a launcher that is killed while it starts would leave the program behind.
 * A launcher ends with its program. A new session would make one signal enough, but Linux shares the processor between
 * sessions (autogroup), so that the low priority would have no effect.
 */
function killInner(child: PipedChild): void {
  const { pid, exitCode, signalCode } = child
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  const inner = findChild(pid)
  if (inner === null) setTimeout(() => killInner(child), RETRY_MS)
  else killIfAlive(inner)
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** Pipes of a child are sockets, which the types of its streams do not say. */
function setHeld(one: object, is_held: boolean): void {
  if (!(one instanceof ChildProcess) && !(one instanceof Socket)) return
  if (is_held) one.ref()
  else one.unref()
}

function findChild(pid: number): number | null {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ')
    return first ? Number(first) : null
  } catch {
    return null
  }
}
