// A mail server for tests, on a free port.

import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { freePort } from './port.ts'

interface ReceivedMail {
  from: string
  to: string[]
  /** Header and text, as they came over the wire. */
  source: string
}

export interface MailServer {
  url: string
  received: ReceivedMail[]
  /** The most connections that were open at once. */
  readonly peak: number
  /** The mail to this address, when it has come. */
  waitFor(to: string): Promise<ReceivedMail>
  close(): Promise<void>
}

const PATIENCE_MS = 60_000

/** `ready`: connections wait for it. */
export async function startMailServer(ready: Promise<void> = Promise.resolve()): Promise<MailServer> {
  const received: ReceivedMail[] = []
  let peak = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect(_session, done) {
      peak = Math.max(peak, server.connections.size)
      void ready.then(() => done())
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        // A name with special characters comes in quotes.
        const to = envelope.rcptTo.map(({ address }) => address.replaceAll('"', ''))
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        received.push({ from, to, source: Buffer.concat(parts).toString() })
        done()
      })
    },
  })
  const port = await freePort()
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    get peak() {
      return peak
    },
    async waitFor(to) {
      for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(20)) {
        const mail = received.find((one) => one.to.includes(to))
        if (mail) return mail
      }
      throw new Error(`No mail to ${to} came.`)
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
