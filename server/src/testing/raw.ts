// What no HTTP client would send: bytes on a connection, and whatever comes back until it ends.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Answer } from './ask.ts'

/** A connection to the server, with these bytes sent. */
export async function openRaw(url: string, ...parts: (string | Buffer)[]): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  // A refusal may close the connection while we are still writing.
  socket.on('error', () => {})
  for (const part of parts) socket.write(part)
  return socket
}

/** The server must end the connection: these requests leave it in no state to go on. */
export async function exchange(url: string, ...parts: (string | Buffer)[]): Promise<Answer> {
  const socket = await openRaw(url, ...parts)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'close', { signal: AbortSignal.timeout(10_000) })
  return parseAnswer(Buffer.concat(chunks))
}

function parseAnswer(answer: Buffer): Answer {
  const end = answer.indexOf('\r\n\r\n')
  const [status = '', ...lines] = answer.subarray(0, end).toString().split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const bytes = answer.subarray(end + 4)
  return { status: Number(status.split(' ')[1]), headers, bytes, text: bytes.toString() }
}

export interface Gateway {
  /** The given address, through the gateway. */
  url: string
  /** Ends every connection and takes no new one. */
  cut(): void
}

/** A way to an engine that can be cut, as when it or the network goes away. */
export async function openGateway(target: string): Promise<Gateway> {
  const to = new URL(target)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname)
    keep(near)
    keep(far)
    near.pipe(far)
    far.pipe(near)
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as { port: number }).port)
  return {
    url: url.href,
    cut() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
