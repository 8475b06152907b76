import type { CallOptions, Operation } from './call.ts'
import { errorOf } from './errors.ts'
import { exchange } from './exchange.ts'
import { headersOf, parse, type Settings, urlOf } from './request.ts'

export type DownloadOptions = Pick<CallOptions, 'signal' | 'headers'>

/** Returns the response without reading its body. */
export async function download(
  settings: Settings,
  operation: Operation,
  options: DownloadOptions = {},
): Promise<Response> {
  const headers = headersOf(settings, operation, { headers: { accept: '*/*', ...options.headers } })
  const response = await exchange(settings, urlOf(settings.base, operation), {
    headers,
    signal: options.signal ?? null,
  })
  if (!response.ok) throw errorOf(response, parse(await response.text()))
  return response
}
