// A TCP proxy that can be cut, go silent as a network does that loses every packet, or delay what is sent.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface Proxy {
  port: number
  /** Resets what is open and refuses what comes. */
  cut(): void
  /** Nothing passes any more, in either direction; what comes is accepted and gets no answer. */
  silence(): void
  /** New connections pass again; silent ones stay so. */
  heal(): void
  close(): void
}

/** `delayMs`: how long everything that is sent to the target takes now. */
export async function openProxy(target: { host: string; port: number }, delayMs?: () => number): Promise<Proxy> {
  let state: 'open' | 'cut' | 'silent' = 'open'
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    keep(near)
    if (state === 'cut') near.resetAndDestroy()
    else if (state === 'silent') near.on('data', () => {})
    else pass(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  function pass(near: Socket): void {
    const far = connect(target)
    keep(far)
    if (delayMs) near.on('data', (bytes) => setTimeout(() => far.write(bytes), delayMs()))
    else near.pipe(far)
    far.pipe(near)
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
  }

  function keep(socket: Socket): void {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  }

  return {
    port: (server.address() as { port: number }).port,
    cut() {
      state = 'cut'
      for (const socket of sockets) socket.resetAndDestroy()
    },
    silence() {
      state = 'silent'
      for (const socket of sockets)
        socket
          .unpipe()
          .removeAllListeners('data')
          .on('data', () => {})
    },
    heal() {
      state = 'open'
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** The same URL, through the proxy. */
export function through(url: string, proxy: Proxy): string {
  const changed = new URL(url)
  changed.hostname = '127.0.0.1'
  changed.port = String(proxy.port)
  return changed.href
}
