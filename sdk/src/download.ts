import type { CallOptions, Operation } from './call.ts'
import { errorOf } from './errors.ts'
import { headersOf, parse, type Settings, urlOf } from './request.ts'

export type DownloadOptions = Pick<CallOptions, 'signal' | 'headers'>

/** A response whose body is still to be read. */
export async function download(
  settings: Settings,
  operation: Operation,
  options: DownloadOptions = {},
): Promise<Response> {
  // Browsers refuse a fetch that is called as a method of another object.
  const { fetch } = settings
  const headers = headersOf(settings, operation, { headers: { accept: '*/*', ...options.headers } })
  const response = await fetch(urlOf(settings.base, operation), {
    headers,
    redirect: 'manual',
    signal: options.signal ?? null,
  })
  if (!response.ok) throw errorOf(response, parse(await response.text()))
  return response
}
