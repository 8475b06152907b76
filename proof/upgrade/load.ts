// Callers that work through the whole upgrade, with the SDK of the previous release.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Octavo } from '@octavo/sdk'

const CALLERS = 4
const TEXT =
  'The rent is 1,200 a month. It is due on the third day of each month, in advance. The tenant keeps the garden.'

export interface Tally {
  calls: number
  failed: number
  /** Ids of documents that were acknowledged. */
  documents: string[]
  reasons: Map<string, number>
}

export async function openSdk(root: string): Promise<typeof Octavo> {
  const sdk = (await import(join(root, 'sdk/src/index.ts'))) as { Octavo: typeof Octavo }
  return sdk.Octavo
}

export class Load {
  readonly tally: Tally = { calls: 0, failed: 0, documents: [], reasons: new Map() }
  private readonly client: Octavo
  private readonly end = new AbortController()
  private working: Promise<unknown> = Promise.resolve()

  constructor(client: Octavo) {
    this.client = client
  }

  start(): void {
    this.working = Promise.all(Array.from({ length: CALLERS }, () => this.work()))
  }

  async stop(): Promise<void> {
    this.end.abort()
    await this.working
  }

  /** Waits for this many more calls, or for the first failure. */
  async run(calls: number): Promise<void> {
    const [goal, failed] = [this.tally.calls + calls, this.tally.failed]
    while (this.tally.calls < goal && this.tally.failed === failed) await sleep(50)
  }

  /** A document from its creation until a search finds it. */
  private async work(): Promise<void> {
    const { client, tally } = this
    while (!this.end.signal.aborted) {
      const id = await this.count('create', async () => {
        const created = await client.documents.create({ title: 'Lease', source: { type: 'text', text: TEXT } })
        tally.documents.push(created.id)
        return created.id
      })
      if (id === null) continue
      await this.count('read', () => readReady(client, id))
      await this.count('pages', () => client.pages.list(id))
      await this.count('update', () => client.documents.update(id, { title: 'Lease, signed' }))
      await this.count('list', () => client.documents.list({ limit: 20 }))
      await this.count('search', () => client.searches.create({ query: 'rent due', document_ids: [id] }))
      await this.count('summary', () => client.summaries.create({ text: TEXT, length: 'short' }))
      await this.count('events', () => client.events.list({ limit: 20 }))
    }
  }

  private async count<T>(name: string, call: () => Promise<T>): Promise<T | null> {
    const { tally } = this
    try {
      return await call()
    } catch (error) {
      tally.failed++
      const reason = `${name}: ${error instanceof Error ? error.message : String(error)}`
      tally.reasons.set(reason, (tally.reasons.get(reason) ?? 0) + 1)
      // A schema that fits no release fails every call at once.
      await sleep(200)
      return null
    } finally {
      tally.calls++
    }
  }
}

const READY_MS = 300_000

async function readReady(client: Octavo, id: string): Promise<void> {
  for (const deadline = Date.now() + READY_MS; ; ) {
    const { status } = await client.documents.get(id, {}, { wait_seconds: 10 })
    if (status === 'ready') return
    if (status !== 'processing' || Date.now() > deadline) throw new Error(`document '${id}' is ${status}`)
  }
}
