// The queue of one class of requests: who waits for a place, and whether it makes sense to wait.

import { firstOf, required } from '@octavo/base/required.ts'
import type { Deadline } from '../../lib/caller.ts'
import type { Failure } from '../../lib/failure.ts'

/** A queue that was not empty for so long is an overload; from then on only who will wait no longer than this may wait. */
const BURST_MS = 100
/** One that has not moved for so long will not move soon; a turn of a busy event loop alone takes tens of milliseconds. */
const STUCK_MS = 200
const CALM_MS = 250
const MAX_WAIT_MS = 500
const MAX_QUEUE = 1_000

interface QueuedRequest {
  since_ms: number
  deadline: Deadline
  enter: () => void
  refuse: (failure: Failure) => void
}

/** One class: how many are under way, and who waits. */
export class RequestQueue {
  running = 0
  /** When the queue began not to be empty; 0: it is empty. */
  nonempty_since_ms = 0
  readonly share: number
  private overload_ends_ms = 0
  /** The usual time between two that are let in from the queue. */
  private pace_ms = 0
  private last_ms = 0
  private readonly queue: QueuedRequest[] = []

  constructor(share: number) {
    this.share = share
  }

  get length(): number {
    return this.queue.length
  }

  /** Reserved places that are free. */
  unused(limit: number): number {
    return Math.max(0, Math.round(limit * this.share) - this.running)
  }

  isFull(now: number): boolean {
    if (this.queue.length === 0) return false
    const isOverload = now < this.overload_ends_ms || now - this.nonempty_since_ms > BURST_MS
    const isStuck = now - Math.max(this.last_ms, this.nonempty_since_ms) > STUCK_MS
    const isFull = isOverload
      ? isStuck || (this.queue.length + 1) * this.pace_ms > BURST_MS
      : this.queue.length >= MAX_QUEUE
    // A short queue empties now and then; the overload is over when no request has been refused for a while.
    if (isFull) this.overload_ends_ms = now + CALM_MS
    return isFull
  }

  push(waiting: QueuedRequest): void {
    if (this.queue.length === 0) this.nonempty_since_ms = waiting.since_ms
    this.queue.push(waiting)
  }

  /** The next one, on its way in. */
  next(now: number): QueuedRequest {
    this.pace_ms = this.pace_ms * 0.8 + Math.min(now - this.last_ms, MAX_WAIT_MS) * 0.2
    this.last_ms = now
    return this.shift()
  }

  shift(): QueuedRequest {
    const waiting = required(this.queue.shift(), 'waiting request')
    if (this.queue.length === 0) this.nonempty_since_ms = 0
    return waiting
  }

  isLate(now: number): boolean {
    return this.queue.length > 0 && now - firstOf(this.queue).since_ms > MAX_WAIT_MS
  }
}
