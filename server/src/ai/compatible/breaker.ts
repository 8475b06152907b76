// A server that fails again and again is left alone for a while; then one call tries it.

export interface BreakerOptions {
  now?: () => number
  /** Failures in a row that open it. */
  max_in_row?: number
  /** Size of the window of recent calls. */
  window?: number
  /** Failure rate in the window that opens it. */
  max_rate?: number
  open_ms?: number
  /** Each try that fails doubles the wait, up to this. */
  max_open_ms?: number
}

export interface Pass {
  /** `ended`: it was not the server that ended the call, which says nothing about it. */
  done(how: 'well' | 'failed' | 'ended'): void
}

export interface Breaker {
  /** A pass, or how many milliseconds it stays open. */
  enter(): Pass | number
  readonly state: 'closed' | 'open' | 'half_open'
}

/** Retry-After while a probe call runs: its duration is not known yet. */
const WHILE_TRYING_MS = 1_000

export function openBreaker(options: BreakerOptions = {}): Breaker {
  const {
    now = () => performance.now(),
    max_in_row = 5,
    window = 20,
    max_rate = 0.5,
    open_ms = 5_000,
    max_open_ms = 60_000,
  } = options
  let in_row = 0
  let last: boolean[] = []
  let open_until: number | null = null
  let wait_ms = open_ms
  let is_trying = false

  function open(): void {
    open_until = now() + wait_ms
    in_row = 0
    last = []
  }

  function count(failed: boolean): void {
    in_row = failed ? in_row + 1 : 0
    last = [...last.slice(1 - window), failed]
    const failures = last.filter(Boolean).length
    if (in_row >= max_in_row || (failed && last.length >= window && failures / window >= max_rate)) open()
  }

  function tried(how: Parameters<Pass['done']>[0]): void {
    is_trying = false
    if (how === 'well') {
      open_until = null
      wait_ms = open_ms
    } else if (how === 'failed') {
      wait_ms = Math.min(wait_ms * 2, max_open_ms)
      open()
    }
  }

  return {
    get state() {
      if (open_until === null) return 'closed'
      return open_until > now() && !is_trying ? 'open' : 'half_open'
    },
    enter() {
      const is_trial = open_until !== null
      if (open_until !== null) {
        if (is_trying) return WHILE_TRYING_MS
        if (open_until > now()) return Math.ceil(open_until - now())
        is_trying = true
      }
      let is_done = false
      return {
        done(how) {
          if (is_done) return
          is_done = true
          if (is_trial) tried(how)
          // A call from before it opened has nothing to say any more.
          else if (how !== 'ended' && open_until === null) count(how === 'failed')
        },
      }
    },
  }
}
