// Several sockets on one port, of several processes and of this one.

import { once } from 'node:events'
import { createServer, type ListenOptions, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { MAY_SHARE_PORT } from '../lib/shared-port.ts'

/**
 * Node accepts one new connection per socket in each turn of its event loop. Under load a turn takes tens of
 * milliseconds, and new clients would wait seconds just to receive a 503; several sockets avoid that.
 */
const SOCKETS = 16
const BACKLOG = 1024

export interface Listeners {
  /** No new connections; settles when all are closed. */
  close(): Promise<void>
}

/** Several processes may share the port, so that one can take over from another without a gap. */
export async function listen(server: FastifyInstance, port: number, host: string): Promise<Listeners> {
  const options = { host, backlog: BACKLOG, reusePort: MAY_SHARE_PORT }
  await server.listen({ ...options, port })
  const address = server.server.address()
  const bound = typeof address === 'object' && address ? address.port : port
  const others = MAY_SHARE_PORT
    ? await Promise.all(Array.from({ length: SOCKETS - 1 }, () => open({ ...options, port: bound }, server)))
    : []
  return {
    async close() {
      await Promise.all([server.close(), ...others.map(close)])
    },
  }
}

async function open(options: ListenOptions, { server }: FastifyInstance): Promise<Server> {
  const other = createServer({ noDelay: true }, (socket) => server.emit('connection', socket))
  await once(other.listen(options), 'listening')
  return other
}

async function close(other: Server): Promise<void> {
  other.close()
  await once(other, 'close')
}
