// Wakes requests that wait for a job when it has new events, so that they need not poll.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Listener, listen } from '../db/listen.ts'

export const JOB_EVENTS = 'octavo_job_events'

export interface Watch {
  /** Settles at the next event of the job (also one that came since the last call), or after this long. */
  next(most_ms: number): Promise<void>
  close(): void
}

export class Changes {
  private readonly url: string
  private listener: Listener | null = null
  isReleased = false
  private readonly watches = new Map<string, Set<() => void>>()

  constructor(url: string) {
    this.url = url
  }

  /** Subscribes at once, so that no change after a later read is missed. */
  watch(job: string): Watch {
    this.listener ??= listen(this.url, JOB_EVENTS, {
      onMessage: (payload) => this.wake(payload.split(' ')),
      onGap: () => this.wakeAll(),
    })
    let ring = new AbortController()
    const wake = (): void => ring.abort()
    const others = this.watches.get(job) ?? new Set()
    this.watches.set(job, others.add(wake))
    return {
      async next(most_ms) {
        await sleep(most_ms, undefined, { signal: ring.signal }).catch(() => {})
        ring = new AbortController()
      },
      close: () => {
        wake()
        others.delete(wake)
        if (others.size === 0) this.watches.delete(job)
      },
    }
  }

  /** On shutdown: waiting requests are answered with the current state, and streams end. */
  release(): void {
    this.isReleased = true
    this.wakeAll()
  }

  async close(): Promise<void> {
    await this.listener?.close()
  }

  private wake(jobs: readonly string[]): void {
    for (const job of jobs) for (const wake of this.watches.get(job) ?? []) wake()
  }

  /** After a lost connection: notifications may have been missed. */
  private wakeAll(): void {
    this.wake([...this.watches.keys()])
  }
}
