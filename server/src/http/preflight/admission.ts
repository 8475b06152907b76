// Keeps the process from doing more at once than it can finish in time. Without it a process at three times its
// capacity finishes nothing, and stays so after the load is gone.
//
// Places are what may be under way at once. Their number is learnt: more while answers are quick and places are wanted,
// fewer when answers are slow. A burst waits for its turn; a queue that does not empty any more is no burst, and from
// then on only as many may wait as will soon be served. The others are refused before any work is done for them.

import { performance } from 'node:perf_hooks'
import { valueOf } from '@octavo/base/required.ts'
import type { LoadClass } from '@octavo/contract'
import type { Deadline } from '../../lib/caller.ts'
import { Failure } from '../../lib/failure.ts'
import { RequestQueue } from './queue.ts'

/** Classes in order of priority, each with the share of places reserved for it. */
const SHARES: readonly (readonly [LoadClass, number])[] = [
  ['read', 0.4],
  ['write', 0.15],
  ['list', 0.05],
]
const FIRST_LIMIT = 64
const MIN_LIMIT = 16
const WINDOW_MS = 100
/** When answers are slow: soon where the process itself is the bottleneck, later where it only waits for others. */
const BUSY_SLOW_MS = 75
const IDLE_SLOW_MS = 500
/** And never before they take several times as long as in quiet times. */
const SLOW_TIMES = 4
/** The part of its time that the event loop was at work. */
const BUSY_UTILIZATION = 0.9

/** Made once: the trace of an error costs more than all the rest of a refusal. */
export const OVERLOADED = new Failure(
  'service_unavailable',
  'The server is overloaded. Repeat the request in a moment.',
  {
    headers: { 'retry-after': '5' },
  },
)

/** Whether the process had hardly any time left since it was last asked. */
function openMeter(): () => boolean {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization > BUSY_UTILIZATION
  }
}

interface AdmissionSettings {
  max: number
  onShed: (load_class: LoadClass) => void
  now?: () => number
  isBusy?: () => boolean
}

export class Admission {
  limit: number
  running = 0
  private readonly max: number
  private readonly onShed: (load_class: LoadClass) => void
  private readonly now: () => number
  private readonly isBusy: () => boolean
  private readonly queues = new Map(SHARES.map(([load_class, share]) => [load_class, new RequestQueue(share)]))
  private window = { ends_ms: 0, count: 0, total_ms: 0, peak: 0, is_wanted: false }
  /** How long answers take while at most half of the places are used. */
  private calm_ms = 0
  /** Runs while someone waits. */
  private timer: NodeJS.Timeout | null = null

  constructor({ max, onShed, now = () => performance.now(), isBusy = openMeter() }: AdmissionSettings) {
    this.max = max
    this.limit = Math.min(FIRST_LIMIT, max)
    this.onShed = onShed
    this.now = now
    this.isBusy = isBusy
  }

  /** Whether a request would only wait in vain: asked before anything is done for it. */
  refuses(load_class: LoadClass): boolean {
    const queue = valueOf(this.queues, load_class)
    if (queue.length === 0 || !queue.isFull(this.now())) return false
    this.onShed(load_class)
    return true
  }

  /** Returns null if the request is admitted at once. Every admitted request must call `leave`. */
  enter(load_class: LoadClass, deadline: Deadline): Promise<void> | null {
    const queue = valueOf(this.queues, load_class)
    if (queue.length === 0 && this.hasPlace(queue)) {
      this.take(queue)
      return null
    }
    this.window.is_wanted = true
    const now = this.now()
    if (queue.isFull(now)) {
      this.onShed(load_class)
      throw OVERLOADED
    }
    this.timer ??= setInterval(() => this.tick(), WINDOW_MS).unref()
    return new Promise((enter, refuse) => queue.push({ since_ms: now, deadline, enter, refuse }))
  }

  leave(load_class: LoadClass, entered_ms: number): void {
    this.running--
    valueOf(this.queues, load_class).running--
    const now = this.now()
    this.window.count++
    this.window.total_ms += now - entered_ms
    if (now > this.window.ends_ms) this.learn(now)
    this.letIn(now)
  }

  /** Free, and not kept for a class that has less than its share. */
  private hasPlace(queue: RequestQueue): boolean {
    let kept = 0
    for (const other of this.queues.values()) if (other !== queue) kept += other.unused(this.limit)
    return this.running + kept < this.limit
  }

  private take(queue: RequestQueue): void {
    queue.running++
    this.running++
    if (this.running > this.window.peak) this.window.peak = this.running
  }

  private letIn(now: number): void {
    for (const queue of this.queues.values()) {
      while (queue.length > 0 && this.hasPlace(queue)) {
        const waiting = queue.next(now)
        if (waiting.deadline.is_gone) {
          waiting.refuse(OVERLOADED)
          continue
        }
        this.take(queue)
        waiting.enter()
      }
    }
  }

  private learn(now: number): void {
    const { count, total_ms, peak, is_wanted } = this.window
    const mean_ms = count === 0 ? 0 : total_ms / count
    const isBusy = this.isBusy()
    this.window = { ends_ms: now + WINDOW_MS, count: 0, total_ms: 0, peak: this.running, is_wanted: false }
    if (count > 0 && peak <= this.limit / 2)
      this.calm_ms = this.calm_ms === 0 ? mean_ms : this.calm_ms * 0.9 + mean_ms * 0.1
    const slow_ms = Math.max(isBusy ? BUSY_SLOW_MS : IDLE_SLOW_MS, this.calm_ms * SLOW_TIMES)
    if (mean_ms > slow_ms) this.setLimit(this.limit * Math.max(0.7, slow_ms / mean_ms))
    else if (is_wanted) this.setLimit(this.limit + Math.max(1, this.limit / (isBusy ? 20 : 2)))
  }

  private setLimit(limit: number): void {
    this.limit = Math.min(this.max, Math.max(MIN_LIMIT, limit))
  }

  /** Runs on a timer, because under load there may be no `leave` call to trigger it. */
  private tick(): void {
    const now = this.now()
    if (now > this.window.ends_ms) this.learn(now)
    this.letIn(now)
    let isWaiting = false
    for (const [load_class, queue] of this.queues) {
      while (queue.isLate(now)) {
        this.onShed(load_class)
        queue.shift().refuse(OVERLOADED)
      }
      if (queue.length > 0) isWaiting = true
    }
    this.window.is_wanted ||= isWaiting
    if (isWaiting || !this.timer) return
    clearInterval(this.timer)
    this.timer = null
  }
}
