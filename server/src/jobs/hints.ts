// Hints save waiting; nothing depends on them. They are sent after the commit, many in one: a NOTIFY inside business
// transactions would make their commits wait for each other.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

export const CHANNEL = 'octavo_jobs'
const MAX_BYTES = 7_900
const REST_MS = 10

export class Hints {
  private readonly pool: pg.Pool
  private readonly pending = new Set<string>()
  private isSending = false

  constructor(pool: pg.Pool) {
    this.pool = pool
  }

  /** Something of this type was admitted. */
  work(type: string): void {
    this.add(`work ${type}`)
  }

  /** These running jobs shall stop. */
  cancel(job: string): void {
    this.add(`cancel ${job}`)
  }

  private add(line: string): void {
    this.pending.add(line)
    if (!this.isSending) void this.send()
  }

  private async send(): Promise<void> {
    this.isSending = true
    while (this.pending.size > 0) {
      let text = ''
      for (const line of this.pending) {
        if (text.length + line.length >= MAX_BYTES) break
        this.pending.delete(line)
        text += `${line}\n`
      }
      // A lost hint only causes a short delay, because receivers also poll.
      await this.pool.query('select pg_notify($1, $2)', [CHANNEL, text]).catch(() => {})
      // Those of a busy moment travel together; the first of them has not waited.
      await sleep(REST_MS)
    }
    this.isSending = false
  }
}

/** The lines of a notification, by their first word. */
export function readHints(payload: string): { word: string; id: string }[] {
  return payload.split('\n').flatMap((line) => {
    const [word = '', ...ids] = line.split(' ')
    return ids.length === 0 ? [{ word, id: '' }] : ids.map((id) => ({ word, id }))
  })
}
