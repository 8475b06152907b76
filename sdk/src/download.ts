import type { CallOptions, Operation } from './call.ts'
import { errorOf, type OctavoError } from './errors.ts'
import { exchange } from './exchange.ts'
import { headersOf, lost, parse, type Settings, urlOf } from './request.ts'
import { retryWaitMs, sleep } from './retry.ts'

/** `timeout_ms` limits the time until the response begins; `signal` also aborts reading its body. */
export type DownloadOptions = Pick<CallOptions, 'signal' | 'headers' | 'timeout_ms' | 'max_retries'>

/** Returns the response without reading its body. */
export async function download(
  settings: Settings,
  operation: Operation,
  options: DownloadOptions = {},
): Promise<Response> {
  const { signal, timeout_ms = settings.timeout_ms, max_retries = settings.max_retries } = options
  const headers = headersOf(settings, operation, { headers: { accept: '*/*', ...options.headers } })
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
    const timeout = new AbortController()
    const alarm = setTimeout(() => timeout.abort(), timeout_ms)
    let failure: OctavoError
    try {
      const response = await exchange(settings, urlOf(settings.base, operation), {
        headers,
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      })
      if (response.ok) return response
      failure = errorOf(response, parse(await response.text()))
    } catch (error) {
      signal?.throwIfAborted()
      failure = lost(error, timeout.signal, timeout_ms)
    } finally {
      clearTimeout(alarm)
    }
    const wait = retryWaitMs(failure, attempt, max_retries)
    if (wait === null) throw failure
    await sleep(wait, signal)
  }
}
