// A private TCP proxy to a server, which the test opens and closes.

import { connect, createServer, type Server } from 'node:net'

/** Not open yet. `delay_ms`: what is sent arrives later. */
export const openTcpProxy = (hostname: string, port: number, delay_ms = 0): Server =>
  createServer((socket) => {
    const server = connect(port, hostname)
    if (delay_ms > 0) socket.on('data', (bytes) => setTimeout(() => server.write(bytes), delay_ms))
    else socket.pipe(server)
    server.pipe(socket)
    for (const end of [socket, server])
      end.on('error', () => {}).once('close', () => [socket, server].forEach((one) => one.destroy()))
  })
