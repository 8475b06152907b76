// Refuses what would only wait in vain before anything is done for it: no routing, no credential, no body. At three
// times the capacity two of three requests end here, so that what this costs is missing for the third.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type LoadClass, operations } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import { newId } from '../../lib/ids.ts'
import { commonHeaders, errorBody, errorHeaders } from '../errors/answer.ts'
import { API_ROOT } from '../route/routing.ts'
import { type Admission, OVERLOADED } from './admission.ts'

const REPORT_MS = 1_000

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/'))

/** The ends of paths that look like collections and are none. */
const singles = new Set(
  operations
    .map(({ endpoint }) => endpoint)
    .flatMap(({ load_class, path }) => (load_class === 'read' && !path.endsWith('}') ? [lastSegment(path)] : [])),
)

/** By the look of a request alone: paths of collections have an odd number of segments. null: not of the API. */
export function findLoadClass(method: string, url: string, root: string): LoadClass | null {
  if (method === 'OPTIONS' || !url.startsWith(root) || url.charCodeAt(root.length) !== 47) return null
  if (method !== 'GET' && method !== 'HEAD') return 'write'
  const query = url.indexOf('?', root.length)
  const path = query < 0 ? url.slice(root.length) : url.slice(root.length, query)
  let segments = 0
  for (let i = 0; i < path.length; i++) if (path.charCodeAt(i) === 47) segments++
  if (segments % 2 === 0) return 'read'
  return singles.has(lastSegment(path)) ? 'read' : 'list'
}

/** Shed requests are not logged one by one: in an overload, logging would be most of the work. */
export function shedReporter(app: Needs<'log' | 'metrics'>): (load_class: LoadClass) => void {
  let count = 0
  return (load_class) => {
    app.metrics.shed.inc({ class: load_class })
    if (count++ > 0) return
    setTimeout(() => {
      app.log.warn('overloaded', { count })
      count = 0
    }, REPORT_MS).unref()
  }
}

export function shedEarly(server: Server, app: Needs<'config'>, admission: Pick<Admission, 'refuses'>): void {
  const { base_url, cors_origins } = app.config
  const root = new URL(base_url).pathname.replace(/\/$/, '') + API_ROOT
  const listeners = server.listeners('request')
  const refuse = refuser(base_url, cors_origins)
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const load_class = findLoadClass(request.method ?? '', request.url ?? '', root)
    if (load_class !== null && admission.refuses(load_class)) refuse(request, response)
    else for (const listener of listeners) listener.call(server, request, response)
  })
}

function refuser(
  base_url: string,
  origins: readonly string[],
): (request: IncomingMessage, response: ServerResponse) => void {
  const fixed = Object.entries({ ...commonHeaders(base_url), ...errorHeaders, ...OVERLOADED.headers }).flat()
  return (request, response) => {
    const request_id = newId('req')
    const body = errorBody(OVERLOADED, request_id, base_url)
    const sent = [...fixed, 'request-id', request_id, 'content-length', String(Buffer.byteLength(body))]
    const { origin } = request.headers
    if (origin !== undefined && origins.includes(origin)) sent.push('access-control-allow-origin', origin)
    response.writeHead(OVERLOADED.status, sent)
    response.end(request.method === 'HEAD' ? undefined : body)
  }
}
