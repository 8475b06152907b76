import { ConnectionError, type OctavoError } from './errors.ts'

/** With five retries the waits add up to 7.75 s at least: a rolling restart or the failover of a database passes unseen. */
export const DEFAULT_MAX_RETRIES = 5
const FIRST_WAIT_MS = 500
const LONGEST_BACKOFF_MS = 8_000
/** A longer wait would surprise the caller; the error carries the `Retry-After` header instead. */
const LONGEST_RETRY_AFTER_MS = 60_000

const retriedStatuses = [429, 500, 502, 503, 504]

/** Every call can be repeated safely: all methods but POST are idempotent, and a POST keeps its key. */
function isWorthRetrying(error: OctavoError): boolean {
  if (error instanceof ConnectionError || error.code === 'idempotency_in_progress') return true
  return error.status !== null && retriedStatuses.includes(error.status)
}

/**
 * Whether the server may have done what was asked. 429 and 503 are refusals, made before the work; only the rare 503 of a
 * database that went away during the commit is not, and who deletes then reads 404.
 */
export function mayHaveRun(error: OctavoError): boolean {
  return error.status === null || [500, 502, 504].includes(error.status)
}

/** `Retry-After` is a number of seconds from the server, but can be a date from a proxy. */
export function retryAfterMs(headers: Headers | null): number | null {
  const value = headers?.get('retry-after')
  if (!value) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

/** How long to wait before the next attempt; null: give up. `attempt` counts from 1. */
export function retryWaitMs(error: OctavoError, attempt: number, maxRetries: number): number | null {
  if (attempt > maxRetries || !isWorthRetrying(error)) return null
  const told = retryAfterMs(error.headers)
  if (told !== null) return told > LONGEST_RETRY_AFTER_MS ? null : told * (1 + Math.random() / 4)
  const backoff = Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (attempt - 1))
  return backoff * (0.5 + Math.random() / 2)
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
