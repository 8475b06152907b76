// Keeps the process from doing more at once than it can finish in time. Without it a process at three times its
// capacity finishes nothing, and stays so after the load is gone.
//
// Places are what may be under way at once. Their number is learnt: one more while answers are quick and places are
// wanted, a tenth less when answers are slow. A burst waits for its turn; a queue that does not empty any more is no
// burst, and from then on only as many may wait as will soon be served. The others are refused before any work is done.

import type { LoadClass } from '@octavo/contract'
import type { Patience } from '../lib/caller.ts'
import { Failure } from '../lib/failure.ts'

/** Who is let in first, and what part of the places the others cannot take from each. */
const SHARES: readonly (readonly [LoadClass, number])[] = [
  ['read', 0.3],
  ['write', 0.15],
  ['list', 0.1],
]
const FIRST_LIMIT = 64
const MIN_LIMIT = 8
/** Answers are slow when they take this long, or several times as long as in quiet times where those are slow too. */
const SLOW_MS = 100
const SLOW_TIMES = 4
const WINDOW_MS = 100
/** A queue that was not empty for so long is an overload. */
const BURST_MS = 100
const MAX_WAIT_MS = 300
const MAX_QUEUE = 1_000

interface Waiting {
  since_ms: number
  patience: Patience
  enter: () => void
  refuse: (failure: Failure) => void
}

/** One class: how many are under way, and who waits. */
class Lane {
  running = 0
  /** When the queue began not to be empty; 0: it is empty. */
  standing_since_ms = 0
  readonly share: number
  private readonly queue: Waiting[] = []

  constructor(share: number) {
    this.share = share
  }

  get length(): number {
    return this.queue.length
  }

  /** Places of its own that it does not use. */
  unused(limit: number): number {
    return Math.max(0, Math.floor(limit * this.share) - this.running)
  }

  isFull(limit: number, now: number): boolean {
    if (this.queue.length === 0) return false
    const isOverload = now - this.standing_since_ms > BURST_MS
    return this.queue.length >= (isOverload ? Math.max(1, Math.floor(limit * this.share)) : MAX_QUEUE)
  }

  push(waiting: Waiting): void {
    if (this.queue.length === 0) this.standing_since_ms = waiting.since_ms
    this.queue.push(waiting)
  }

  shift(): Waiting {
    const waiting = this.queue.shift()!
    if (this.queue.length === 0) this.standing_since_ms = 0
    return waiting
  }

  isLate(now: number): boolean {
    return this.queue.length > 0 && now - this.queue[0]!.since_ms > MAX_WAIT_MS
  }
}

export class Admission {
  limit: number
  running = 0
  private readonly max: number
  private readonly onShed: (load_class: LoadClass) => void
  private readonly lanes = new Map(SHARES.map(([load_class, share]) => [load_class, new Lane(share)]))
  private window = { ends_ms: 0, count: 0, total_ms: 0, peak: 0, is_wanted: false }
  /** How long answers take while at most half of the places are used. */
  private calm_ms = 0
  private timer: NodeJS.Timeout | null = null

  constructor(max: number, onShed: (load_class: LoadClass) => void) {
    this.max = max
    this.limit = Math.min(FIRST_LIMIT, max)
    this.onShed = onShed
  }

  /** Whether a request would only wait in vain: asked before anything is done for it. */
  refuses(load_class: LoadClass): boolean {
    const lane = this.lanes.get(load_class)!
    if (lane.length === 0 || !lane.isFull(this.limit, performance.now())) return false
    this.onShed(load_class)
    return true
  }

  /** null: go on at once. Who has entered must leave. */
  enter(load_class: LoadClass, patience: Patience): Promise<void> | null {
    const lane = this.lanes.get(load_class)!
    if (lane.length === 0 && this.hasPlace(lane)) {
      this.take(lane)
      return null
    }
    this.window.is_wanted = true
    const now = performance.now()
    if (lane.isFull(this.limit, now)) {
      this.onShed(load_class)
      throw overloaded()
    }
    this.timer ??= setTimeout(() => this.dropLate(), MAX_WAIT_MS + 1).unref()
    return new Promise((enter, refuse) => lane.push({ since_ms: now, patience, enter, refuse }))
  }

  leave(load_class: LoadClass, entered_ms: number): void {
    this.running--
    this.lanes.get(load_class)!.running--
    const now = performance.now()
    this.window.count++
    this.window.total_ms += now - entered_ms
    if (now > this.window.ends_ms) this.learn(now)
    this.letIn()
  }

  /** Free, and not kept for a class that has less than its share. */
  private hasPlace(lane: Lane): boolean {
    let kept = 0
    for (const other of this.lanes.values()) if (other !== lane) kept += other.unused(this.limit)
    return this.running + kept < this.limit
  }

  private take(lane: Lane): void {
    lane.running++
    this.running++
    if (this.running > this.window.peak) this.window.peak = this.running
  }

  private letIn(): void {
    for (const lane of this.lanes.values()) {
      while (lane.length > 0 && this.hasPlace(lane)) {
        const waiting = lane.shift()
        if (waiting.patience.is_gone) {
          waiting.refuse(overloaded())
          continue
        }
        this.take(lane)
        waiting.enter()
      }
    }
  }

  private learn(now: number): void {
    const { count, total_ms, peak, is_wanted } = this.window
    const mean_ms = total_ms / count
    this.window = { ends_ms: now + WINDOW_MS, count: 0, total_ms: 0, peak: this.running, is_wanted: false }
    if (peak <= this.limit / 2) this.calm_ms = this.calm_ms === 0 ? mean_ms : this.calm_ms * 0.9 + mean_ms * 0.1
    if (mean_ms > Math.max(SLOW_MS, this.calm_ms * SLOW_TIMES)) this.limit = Math.max(MIN_LIMIT, this.limit * 0.9)
    else if (is_wanted) this.limit = Math.min(this.max, this.limit + 1)
  }

  /** Nobody may have left meanwhile, so this does not wait for that. */
  private dropLate(): void {
    this.timer = null
    const now = performance.now()
    for (const [load_class, lane] of this.lanes) {
      while (lane.isLate(now)) {
        this.onShed(load_class)
        lane.shift().refuse(overloaded())
      }
    }
    const isWaiting = [...this.lanes.values()].some((lane) => lane.length > 0)
    if (isWaiting) this.timer = setTimeout(() => this.dropLate(), MAX_WAIT_MS / 4).unref()
  }
}

export const RETRY_AFTER_SECONDS = '5'

export function overloaded(): Failure {
  return new Failure('service_unavailable', 'The service is overloaded. Repeat the request in a moment.', {
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  })
}
