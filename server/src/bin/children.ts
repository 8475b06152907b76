// More processes of the single-process mode, so that it uses all cores of a host: API_PROCESSES and WORKER_PROCESSES. All
// API processes listen on the same port. A process that ends is started again.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import type { Env } from '../config/env.ts'
import type { Log } from '../telemetry/log.ts'

const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 30_000
/** A process that ran this long is started again after the shortest wait. */
const STABLE_MS = 60_000
/** Its requests and jobs have ended by then. */
const KILL_AFTER_MS = 45_000

type Program = 'api' | 'worker'

export interface ChildSpec {
  program: Program
  env: Env
}

/** This process is the first API process and the first worker. Each process has its own port for health and metrics. */
export function childSpecs(config: Config, env: Env): ChildSpec[] {
  const { api_processes, worker_processes, management_port } = config
  const programs: Program[] = [
    ...Array.from<Program>({ length: api_processes - 1 }).fill('api'),
    ...Array.from<Program>({ length: worker_processes - 1 }).fill('worker'),
  ]
  // They do not migrate, so they do not get the owner's password.
  const { DATABASE_OWNER_URL: _, ...rest } = env
  return programs.map((program, i) => {
    const port = management_port === 0 ? 0 : management_port + 1 + i
    return { program, env: { ...rest, MANAGEMENT_PORT: String(port) } }
  })
}

export class Children {
  private readonly specs: readonly ChildSpec[]
  private readonly log: Log
  private readonly running = new Set<ChildProcess>()
  private readonly stopping = new AbortController()
  private loops: Promise<void>[] = []

  constructor(specs: readonly ChildSpec[], log: Log) {
    this.specs = specs
    this.log = log
  }

  start(): void {
    this.loops = this.specs.map((spec) => this.keepRunning(spec))
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    for (const child of this.running) child.kill('SIGTERM')
    const killing = setTimeout(() => {
      for (const child of this.running) child.kill('SIGKILL')
    }, KILL_AFTER_MS)
    await Promise.all(this.loops)
    clearTimeout(killing)
  }

  private async keepRunning({ program, env }: ChildSpec): Promise<void> {
    const { signal } = this.stopping
    for (let wait_ms = FIRST_WAIT_MS; !signal.aborted; wait_ms = Math.min(wait_ms * 2, MAX_WAIT_MS)) {
      const began = performance.now()
      const reason = await this.run(program, env)
      if (signal.aborted) return
      if (performance.now() - began > STABLE_MS) wait_ms = FIRST_WAIT_MS
      this.log.warn('process ended and is started again', { kind: program, reason, duration_ms: wait_ms })
      await sleep(wait_ms, undefined, { signal }).catch(() => {})
    }
  }

  /** Why it ended. */
  private async run(program: Program, env: Env): Promise<string> {
    // The channel closes with this process, and the child then stops.
    const child = fork(new URL(`./${program}.ts`, import.meta.url), { env })
    this.running.add(child)
    try {
      await once(child, 'exit')
      return child.signalCode ?? `exit code ${child.exitCode}`
    } catch {
      return 'cannot be started'
    } finally {
      this.running.delete(child)
    }
  }
}
