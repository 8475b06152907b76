import type { Answered, CallOptions } from './call.ts'
import { TimeoutError } from './errors.ts'
import { LONGEST_WAIT_SECONDS } from './request.ts'
import { retryAfterMs, sleep } from './retry.ts'

export interface WaitOptions {
  /** Aborts the wait, which then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Time limit of the whole wait; none by default. */
  timeout_ms?: number | undefined
  /** Retries of each request, not of the whole wait. */
  max_retries?: number | undefined
}

const DEFAULT_PAUSE_MS = 1_000

function deadlineOf(timeoutMs: number | undefined): { signal: AbortSignal; clear: () => void } | null {
  if (timeoutMs === undefined) return null
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  return { signal: controller.signal, clear: () => clearTimeout(timer) }
}

/** Repeats the request until the result is final. The server delays each response, so few requests are needed. */
export async function waitUntil<T>(
  ask: (options: Pick<CallOptions, 'signal' | 'max_retries' | 'wait_seconds'>) => Promise<Answered<T>>,
  isSettled: (found: T) => boolean,
  options: WaitOptions & Pick<CallOptions, 'wait_seconds'>,
): Promise<T> {
  const wait_seconds = options.wait_seconds ?? LONGEST_WAIT_SECONDS
  const deadline = deadlineOf(options.timeout_ms)
  const signal = deadline
    ? AbortSignal.any([deadline.signal, ...(options.signal ? [options.signal] : [])])
    : options.signal
  try {
    for (;;) {
      const begun = Date.now()
      const { data, response } = await ask({ signal, max_retries: options.max_retries, wait_seconds })
      if (isSettled(data)) return data
      // A response that was not delayed would otherwise be requested again without a pause.
      const wasHeld = Date.now() - begun >= (wait_seconds - 1) * 1000
      if (!wasHeld) await sleep(retryAfterMs(response.headers) ?? DEFAULT_PAUSE_MS, signal)
    }
  } catch (error) {
    options.signal?.throwIfAborted()
    if (!deadline?.signal.aborted) throw error
    throw new TimeoutError({
      code: 'timed_out',
      message: `The work has not ended within ${options.timeout_ms} ms.`,
      cause: error,
    })
  } finally {
    deadline?.clear()
  }
}
