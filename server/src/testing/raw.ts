// Sends raw bytes, which no HTTP client would, and reads until the connection ends.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { TestAnswer } from './ask.ts'

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
export async function exchange(url: string, ...parts: (string | Buffer)[]): Promise<TestAnswer> {
  const socket = await openRaw(url, ...parts)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'close', { signal: AbortSignal.timeout(10_000) })
  return parseAnswer(Buffer.concat(chunks))
}

function parseAnswer(answer: Buffer): TestAnswer {
  const end = answer.indexOf('\r\n\r\n')
  const [status = '', ...lines] = answer.subarray(0, end).toString().split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const bytes = answer.subarray(end + 4)
  return { status: Number(status.split(' ')[1]), headers, bytes, text: bytes.toString() }
}
