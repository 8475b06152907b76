// Writes straight to one server, past HAProxy: a primary that was cut off must not acknowledge anything.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { adminUrl, asAdmin } from '../lib/admin.ts'

const PAUSE_MS = 50
const CONNECT_MS = 1_000
const ANSWER_MS = 3_000
const TABLE = 'create table proof_direct (id text primary key)'

export const prepareDirect = (database: string): Promise<void> =>
  asAdmin(database, async (client) => void (await client.query(TABLE)))

interface DirectAck {
  id: string
  begun_at: number
}

export class DirectWriter {
  readonly acks: DirectAck[] = []
  private readonly url: string
  private readonly name: string
  private is_over = false
  private loop: Promise<void> | null = null

  constructor(database: string, address: string, name: string) {
    const url = new URL(adminUrl(database))
    url.host = `${address}:5432`
    this.url = url.href
    this.name = name
  }

  start(): void {
    this.loop = this.run()
  }

  async stop(): Promise<void> {
    this.is_over = true
    await this.loop
  }

  private async run(): Promise<void> {
    for (let number = 0; !this.is_over; ) {
      const client = new pg.Client({
        connectionString: this.url,
        connectionTimeoutMillis: CONNECT_MS,
        query_timeout: ANSWER_MS,
      })
      client.on('error', () => {})
      try {
        await client.connect()
        for (; !this.is_over; await sleep(PAUSE_MS)) {
          const ack = { id: `${this.name} ${number++}`, begun_at: Date.now() }
          await client.query('insert into proof_direct (id) values ($1)', [ack.id])
          this.acks.push(ack)
        }
      } catch {
        // The server is gone, silent or a standby.
      }
      void client.end().catch(() => {})
      await sleep(PAUSE_MS)
    }
  }
}

/** Acknowledged rows that are not in the database. */
export const findLostRows = (database: string, acks: readonly DirectAck[]): Promise<string[]> =>
  asAdmin(database, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from proof_direct')
    const stored = new Set(rows.map(({ id }) => id))
    return acks.flatMap(({ id }) => (stored.has(id) ? [] : [`row ${id}, written directly`]))
  })
