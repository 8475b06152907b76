import { ConnectionError, type OctavoError } from './errors.ts'

/** Five retries wait at least 7.75 s in total, longer than a rolling restart or a database failover usually takes. */
export const DEFAULT_MAX_RETRIES = 5
const FIRST_WAIT_MS = 500
const LONGEST_BACKOFF_MS = 8_000
/** If the server asks for a longer wait, the call fails; the error has the `Retry-After` header. */
const LONGEST_RETRY_AFTER_MS = 60_000

const retriedStatuses = [429, 500, 502, 503, 504]

/** Every call is safe to repeat: all methods except POST are idempotent, and a POST keeps its key. */
function isWorthRetrying(error: OctavoError): boolean {
  if (error instanceof ConnectionError || error.code === 'idempotency_in_progress') return true
  return error.status !== null && retriedStatuses.includes(error.status)
}

/**
 * Whether the server may have executed the request. 429 and 503 mean that it did not, with one rare exception: a 503 after
 * the database was lost during the commit. A repeated DELETE then gets a 404.
 */
export function mayHaveRun(error: OctavoError): boolean {
  return error.status === null || [500, 502, 504].includes(error.status)
}

/** The server sends `Retry-After` in seconds; a proxy may send a date. */
export function retryAfterMs(headers: Headers | null): number | null {
  const value = headers?.get('retry-after')
  if (!value) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

/** The pause before the next attempt, or null to give up. `attempt` starts at 1. */
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
