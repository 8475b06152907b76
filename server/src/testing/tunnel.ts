// A way to an engine that can be cut, or swallow what it is given without a word.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

interface Tunnel {
  /** The given address, through the tunnel. */
  url: string
  swallow(is_on: boolean): void
  /** Resets every connection and takes no new one, as when the engine or the network goes away. */
  cut(): void
}

export async function openTunnel(url: string): Promise<Tunnel> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let is_swallowing = false
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    pass(near, far)
    pass(far, near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  function pass(from: Socket, to: Socket): void {
    sockets.add(from)
    from.on('data', (bytes) => is_swallowing || to.write(bytes))
    from.on('close', () => is_swallowing || to.destroy())
    from.on('error', () => {})
  }

  const here = new URL(url)
  here.hostname = '127.0.0.1'
  here.port = String((server.address() as { port: number }).port)
  return {
    url: here.href,
    swallow: (is_on) => void (is_swallowing = is_on),
    cut: () => {
      server.close()
      for (const socket of sockets) socket.resetAndDestroy()
    },
  }
}
