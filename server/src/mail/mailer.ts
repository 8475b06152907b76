// Mail over SMTP. Without SMTP_URL nothing is sent. A mail server that is down fails no request: the link that a mail
// carries is also in the answer, and a failure is logged.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Transporter } from 'nodemailer'
import type { MailConfig } from '../config/config.ts'
import { errorFields, type Log } from '../telemetry/log.ts'
import type { MailMessage } from './messages.ts'

const TIMEOUT_MS = 10_000
/** Pauses before the second and the third attempt. */
const RETRY_MS = [2_000, 20_000]
const MAX_CONNECTIONS = 5
/** Mails are in memory until they are sent. */
const MAX_UNDERWAY = 1_000

export class Mailer {
  private readonly config: MailConfig | null
  private readonly log: Log
  private readonly closing = new AbortController()
  private readonly underway = new Set<Promise<void>>()
  private readonly finish_ms: number
  private transport: Promise<Transporter> | null = null

  /** `finish_ms`: the time for attempts that run when the process ends. */
  constructor(config: MailConfig | null, log: Log, finish_ms = TIMEOUT_MS) {
    this.config = config
    this.log = log
    this.finish_ms = finish_ms
  }

  get is_configured(): boolean {
    return this.config !== null
  }

  /** Returns at once. */
  send(message: MailMessage): void {
    const { config } = this
    if (config === null) return
    if (this.underway.size >= MAX_UNDERWAY) {
      this.log.error('mail was not sent', { reason: 'too many emails are pending' })
      return
    }
    const sending = this.attempt(config, message).catch((error: unknown) =>
      this.log.error('mail was not sent', errorFields(error)),
    )
    this.underway.add(sending)
    void sending.finally(() => this.underway.delete(sending))
  }

  /** Attempts that run have some time to finish, and failed ones are not repeated. */
  async close(): Promise<void> {
    this.closing.abort()
    const finished = Promise.all(this.underway)
    await Promise.race([finished, sleep(this.finish_ms, undefined, { ref: false })])
    if (this.transport) (await this.transport).close({ force: true })
    await finished
  }

  private async attempt(config: MailConfig, { to, subject, text }: MailMessage): Promise<void> {
    for (const pause_ms of [...RETRY_MS, null]) {
      try {
        const transport = await (this.transport ??= openTransport(config))
        // An object, because an address in a text could name several recipients.
        await transport.sendMail({ from: config.from, to: { name: '', address: to }, subject, text })
        return
      } catch (error) {
        if (pause_ms === null || this.closing.signal.aborted) throw error
        await sleep(pause_ms, undefined, { signal: this.closing.signal, ref: false }).catch(() => {
          throw error
        })
      }
    }
  }
}

/** The package is loaded with the first mail. */
async function openTransport({ url }: MailConfig): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
