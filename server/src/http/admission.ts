// Keeps the process from doing more at once than it can finish in time. Without it a process at three times its
// capacity finishes nothing, and stays so after the load is gone.

import type { LoadClass } from '@octavo/contract'
import { Failure } from '../lib/failure.ts'

/** What share of the places each class may fill: lists yield first, reads by id last. */
const SHARES: Record<LoadClass, number> = { read: 1, write: 0.9, list: 0.8 }
const TARGET_MS = 100
const MAX_WAIT_MS = 150
const ADJUST_EVERY_MS = 50
const MIN_LIMIT = 8

interface Waiting {
  load_class: LoadClass
  since_ms: number
  enter: () => void
  refuse: (failure: Failure) => void
}

export class Admission {
  limit: number
  running = 0
  private readonly max: number
  private readonly onShed: (load_class: LoadClass) => void
  private queue: Waiting[] = []
  private adjusted_ms = 0
  private is_slow = false

  constructor(max: number, onShed: (load_class: LoadClass) => void) {
    this.max = max
    this.limit = Math.min(64, max)
    this.onShed = onShed
  }

  /** null: go on at once. */
  enter(load_class: LoadClass): Promise<void> | null {
    if (this.queue.length === 0 && this.running < this.limit * SHARES[load_class]) {
      this.running++
      return null
    }
    const now = performance.now()
    if (this.queue.length >= this.limit || this.oldestWait(now) > MAX_WAIT_MS) {
      this.dropLate(now)
      if (this.queue.length >= this.limit) throw this.shed(load_class)
    }
    return new Promise((enter, refuse) => this.queue.push({ load_class, since_ms: now, enter, refuse }))
  }

  leave(started_ms: number): void {
    this.running--
    const now = performance.now()
    if (now - started_ms > TARGET_MS) this.is_slow = true
    this.adjust(now)
    this.dropLate(now)
    while (this.queue.length > 0 && this.running < this.limit * SHARES[this.queue[0]!.load_class]) {
      this.running++
      this.queue.shift()!.enter()
    }
  }

  /** Additive increase while answers are quick, multiplicative decrease when they are not. */
  private adjust(now: number): void {
    if (now - this.adjusted_ms < ADJUST_EVERY_MS) return
    this.adjusted_ms = now
    this.limit = this.is_slow ? Math.max(MIN_LIMIT, this.limit * 0.85) : Math.min(this.max, this.limit + 1)
    this.is_slow = false
  }

  private oldestWait(now: number): number {
    return this.queue.length === 0 ? 0 : now - this.queue[0]!.since_ms
  }

  private dropLate(now: number): void {
    while (this.oldestWait(now) > MAX_WAIT_MS) {
      const { refuse, load_class } = this.queue.shift()!
      refuse(this.shed(load_class))
    }
  }

  private shed(load_class: LoadClass): Failure {
    this.onShed(load_class)
    return new Failure('service_unavailable', 'The service is overloaded. Repeat the request in a moment.', {
      headers: { 'retry-after': '1' },
    })
  }
}
