// Chooses which process to kill, when, and how long it stays down.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Engines, ServiceName } from '../lib/engines.ts'
import type { Random } from '../lib/random.ts'
import type { ServerProcess } from '../lib/world.ts'

export const victims = ['api', 'worker', 'postgres', 'valkey', 's3'] as const
type Victim = (typeof victims)[number]
const STARTS = 100
/**
 * Maximum downtime, in addition to the start time. Jobs can wait for storage, so its outage is long enough to be
 * noticed.
 */
const AWAY_MS: Readonly<Record<ServiceName, number>> = { postgres: 800, valkey: 800, s3: 5_000 }

export interface Kill {
  victim: Victim
  at: number
}

/** A process that is started again whenever it ends. */
export class CrashKeptValue {
  readonly kind: 'api' | 'worker'
  /** Exits that were not caused by a kill. */
  falls = 0
  private readonly label: string
  private readonly start: (name: string) => Promise<ServerProcess>
  private starts = 0
  private current: ServerProcess | null = null
  private is_closing = false

  /** `start` gets a name that no earlier process had. */
  constructor(kind: CrashKeptValue['kind'], label: string, start: (name: string) => Promise<ServerProcess>) {
    this.kind = kind
    this.label = label
    this.start = start
  }

  /** Name of the current process. */
  get name(): string {
    return `${this.label}-${this.starts}`
  }

  /** A process may well refuse to start while the database is down: it is tried again, as every supervisor does. */
  async open(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.starts++
        const started = await this.start(this.name)
        this.current = started
        started.process.once('exit', () => void (this.current === started && this.rise()))
        return
      } catch (error) {
        if (attempt === STARTS || this.is_closing) throw error
        await sleep(100)
      }
    }
  }

  private async rise(): Promise<void> {
    this.current = null
    if (this.is_closing) return
    this.falls++
    await this.open().catch(() => {})
  }

  async kill(): Promise<void> {
    const victim = this.current
    this.current = null
    await victim?.kill()
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.current?.process.kill(signal)
  }

  close(): void {
    this.is_closing = true
  }
}

export interface Plan {
  random: Random
  /** On average. */
  pause_ms: number
  done: Kill[]
}

/** Kills one after another until `end`: every one of them in each round, in an order of chance. */
export async function killProcesses(
  kept: readonly CrashKeptValue[],
  { random, pause_ms, done }: Plan,
  end: AbortSignal,
): Promise<void> {
  for (;;) {
    for (const victim of random.shuffle(kept)) {
      await sleep(random.between(pause_ms / 2, pause_ms * 1.5), null, { signal: end }).catch(() => {})
      if (end.aborted) return
      const at = Date.now()
      await victim.kill()
      done.push({ victim: victim.kind, at })
      await sleep(random.between(0, 400))
      await victim.open()
    }
  }
}

const FIRST_ROUND: readonly ServiceName[] = ['postgres', 'valkey', 's3']
const LATER_ROUND: readonly ServiceName[] = ['postgres', 'postgres', 'postgres', 'valkey', 's3', 's3']

/** The same with engines, but each once in the first round, and PostgreSQL more often later. */
export async function killEngines(engines: Engines, { random, pause_ms, done }: Plan, end: AbortSignal): Promise<void> {
  for (let round = FIRST_ROUND; ; round = LATER_ROUND) {
    for (const victim of random.shuffle(round)) {
      await sleep(random.between(pause_ms / 2, pause_ms * 1.5), null, { signal: end }).catch(() => {})
      if (end.aborted) return
      done.push({ victim, at: await engines.kill(victim) })
      await sleep(random.between(0, AWAY_MS[victim]))
      await engines.start(victim)
    }
  }
}
