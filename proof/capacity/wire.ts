// A TCP proxy in front of PostgreSQL that counts round trips and the time that connections are busy.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

const [SYNC, QUERY, READY, IDLE] = ['S', 'Q', 'Z', 'I'].map((letter) => letter.charCodeAt(0))

/** Splits a stream of the PostgreSQL protocol into messages. The first message of a client has no type. */
class MessageScanner {
  private rest: Buffer = Buffer.alloc(0)
  private hasType: boolean
  private readonly onMessage: (type: number, first: number) => void

  constructor(hasType: boolean, onMessage: (type: number, first: number) => void) {
    this.hasType = hasType
    this.onMessage = onMessage
  }

  push(bytes: Buffer): void {
    let data = Buffer.concat([this.rest, bytes])
    for (;;) {
      const head = this.hasType ? 1 : 0
      if (data.length < head + 4) break
      const length = head + data.readUInt32BE(head)
      if (data.length < length) break
      if (this.hasType) this.onMessage(data[0] ?? 0, data[5] ?? 0)
      this.hasType = true
      data = data.subarray(length)
    }
    this.rest = data
  }
}

export class WireMeter {
  round_trips = 0
  busy_ms = 0
  private readonly server: Server
  private readonly sockets = new Set<Socket>()

  constructor(target: { host: string; port: number }) {
    this.server = createServer((near) => this.pass(near, connect(target)))
  }

  async open(): Promise<number> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    const address = this.server.address()
    if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
    return address.port
  }

  close(): void {
    this.server.close()
    for (const socket of this.sockets) socket.destroy()
  }

  private pass(near: Socket, far: Socket): void {
    let busy_since: number | null = null
    const requests = new MessageScanner(false, (type) => {
      if (type === SYNC || type === QUERY) this.round_trips++
      busy_since ??= performance.now()
    })
    const replies = new MessageScanner(true, (type, first) => {
      // Inside a transaction the connection stays busy.
      if (type !== READY || first !== IDLE || busy_since === null) return
      this.busy_ms += performance.now() - busy_since
      busy_since = null
    })
    near.on('data', (bytes: Buffer) => void (requests.push(bytes), far.write(bytes)))
    far.on('data', (bytes: Buffer) => void (replies.push(bytes), near.write(bytes)))
    for (const socket of [near, far]) {
      this.sockets.add(socket)
      socket.on('error', () => {}).once('close', () => [near, far].forEach((one) => one.destroy()))
      socket.once('close', () => this.sockets.delete(socket))
    }
  }
}
