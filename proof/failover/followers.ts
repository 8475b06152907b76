// Readers that must survive a failover: the event stream of a job, and a list of all events of a tenant.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Octavo } from '@octavo/sdk'
import type { Ledger } from '../crash/ledger.ts'
import { persist, type Sender } from '../crash/send.ts'
import { SLOW } from '../crash/triggers.ts'
import { newSlowWrite } from '../crash/writes.ts'
import { hasEnded, isWhole, readOn, type SseObservation } from '../sse/reader.ts'

const PAUSE_MS = 200
const STREAM_MS = 240_000

/** Creates a document whose job takes seconds, and follows the job to its end. Returns what was wrong. */
export async function followSlowJob(sender: Sender, ledger: Ledger, name: string): Promise<string | null> {
  const write = newSlowWrite(`${SLOW}${name}`)
  const ack = await persist(sender, write, 0)
  if (!ack || ack.status >= 300) return `${name}: the document was not created (${ack?.status ?? 'no answer'})`
  ledger.add(write, sender.secret, ack)
  const job = String(ack.body?.latest_job_id)
  const seen: SseObservation[] = []
  for (const [end, urls] = [Date.now() + STREAM_MS, sender.urls] as const; Date.now() < end; await sleep(PAUSE_MS)) {
    const url = urls[seen.length % urls.length] ?? ''
    await readOn({ url, secret: sender.secret, job }, seen).catch(() => null)
    if (hasEnded(seen)) break
  }
  if (!hasEnded(seen))
    return `${name}: the stream of ${job} has no end after ${STREAM_MS / 1000} s, ${seen.length} events`
  return isWhole(seen) ? null : `${name}: the stream of ${job} shows ${seen.map(({ seq }) => seq).join()}`
}

/** Reads the tenant's events page by page, as a client that keeps a cursor does. */
export class EventFollower {
  readonly positions: number[] = []
  private readonly clients: readonly Octavo[]
  private cursor: string | null = null
  private requests = 0

  constructor(clients: readonly Octavo[]) {
    this.clients = clients
  }

  /** Until `end`, and then until a page is the last one. */
  async follow(end: AbortSignal): Promise<void> {
    for (let isLast = false; !(end.aborted && isLast); ) {
      isLast = await this.readPage().catch(() => false)
      if (isLast || !end.aborted) await sleep(PAUSE_MS)
    }
  }

  /** Positions that are missing, repeated or out of order. */
  get faults(): string[] {
    return this.positions.flatMap((position, index) =>
      position === index + 1 ? [] : [`event ${index + 1} has position ${position}`],
    )
  }

  private async readPage(): Promise<boolean> {
    const client = this.clients[this.requests++ % this.clients.length]
    if (!client) throw new Error('there is no client')
    const page = await client.events.list({
      sort: 'created_at',
      limit: 100,
      ...(this.cursor === null ? {} : { cursor: this.cursor }),
    })
    this.positions.push(...page.data.map(({ position }) => position))
    this.cursor = page.cursor ?? this.cursor
    return !page.has_next_page
  }
}
