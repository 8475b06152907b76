// Listens on every address of this machine. Only OUTSIDE plays an address that may be reached; whoever connects to another one is counted.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** Open to imports in this proof, so that something can be reached at all. */
export const OUTSIDE = '127.77.0.1'

export interface Canary {
  port: number
  has_ipv6: boolean
  /** Connections to addresses that must not be reached, whether or not anything was sent. */
  hits: number
  /** Requests to the one that may. */
  visits: number
  close(): void
}

export async function openCanary(): Promise<Canary> {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://canary')
    const to = url.searchParams.get('to')
    canary.visits++
    response.writeHead(Number(url.searchParams.get('status') ?? 200), {
      'content-type': 'text/plain',
      ...(to ? { location: to } : {}),
    })
    response.end('Nothing here.')
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    if (!socket.localAddress?.endsWith(OUTSIDE)) canary.hits++
  })
  const has_ipv6 = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(0, '::', () => resolve(true))
  })
  if (!has_ipv6) await once(server.listen(0, '0.0.0.0'), 'listening')
  const canary: Canary = {
    port: (server.address() as AddressInfo).port,
    has_ipv6,
    hits: 0,
    visits: 0,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
  return canary
}
