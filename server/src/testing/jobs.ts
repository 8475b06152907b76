// A worker whose ingestion does what a test says, and the rows behind the API.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import { sql, type Value } from '../db/statement.ts'
import type { Delivery } from '../jobs/engine.ts'
import type { Claim, Settlement } from '../jobs/run-rows.ts'
import { defineJob, type JobEnd, type JobHandler, type JobType, type NewJobRow, type Run } from '../jobs/types.ts'
import { operator } from '../lib/caller.ts'
import { uuidOf } from '../lib/ids.ts'
import { followIngestion, ingestPages } from '../resources/documents/documents.ingest.ts'
import { type Ingestion, ingestion } from '../resources/documents/documents.jobs.ts'
import { handlersOf } from '../worker.ts'

export type JobAction = (run: Run<Ingestion>) => Promise<JobEnd>
export const textSource = (text: string) => ({ type: 'text', text }) as const

export interface HeldRuns {
  /** Those that have begun, in this order. */
  runs: Run<Ingestion>[]
  letGo(): void
}

/** Scripted behavior of ingestion jobs, by the text of the first page; other documents are ingested normally. */
export class TestScript {
  readonly handlers: JobHandler[]
  private readonly app: App
  private readonly acts = new Map<string, JobAction>()

  constructor(app: App) {
    this.app = app
    const run: JobAction = (given) => (this.acts.get(given.payload.texts?.[0] ?? '') ?? this.ingest)(given)
    this.handlers = [...handlersOf(app), { type: ingestion, run, follow: followIngestion }]
  }

  readonly ingest: JobAction = (run) => ingestPages(this.app, run)

  on(text: string, act: JobAction): void {
    this.acts.set(text, act)
  }

  /** Runs of these begin, and go on when they are let go. */
  hold(...texts: string[]): HeldRuns {
    const gate = new AbortController()
    const held: HeldRuns = { runs: [], letGo: () => gate.abort() }
    for (const text of texts) {
      this.on(text, async (run) => {
        held.runs.push(run)
        if (!gate.signal.aborted)
          await sleep(60_000, undefined, { signal: AbortSignal.any([gate.signal, run.signal]) }).catch(() => {})
        return this.ingest(run)
      })
    }
    return held
  }
}

export async function until(isSo: () => boolean | Promise<boolean>, what = 'it', seconds = 15): Promise<void> {
  const end = Date.now() + seconds * 1000
  while (!(await isSo())) {
    assert.ok(Date.now() < end, `${what} did not become so within ${seconds} seconds`)
    await sleep(20)
  }
}

/** Any statement about one tenant's rows, `$1` being the tenant: to make what time or a fault would. */
export const change = <Row>(app: App, tenant: string, text: string, values: Value[] = []): Promise<Row[]> =>
  app.db.for(operator(uuidOf('ten', tenant), [])).rows<Row>(sql(text), values)

const DUE = sql("update jobs set run_after = now() - interval '1 second' where tenant_id = $1 and id = $3")
/** Makes a waiting job due. A second ago, because the column rounds to milliseconds and could round up. */
export const makeDue = (app: App, tenant: string, id: string): Promise<unknown> =>
  app.db.for(operator(uuidOf('ten', tenant), [])).rows(DUE, [uuidOf('job', id)])

/** A kind of job without a document behind it. */
export const errand = defineJob<Errand>({ name: 'purge', version: 1, max_attempts: 3, timeout_seconds: 600 })
export interface Errand {
  name: string
}

/** Queues a job without a request; a new tenant has the slots of its tier. */
export async function enqueue<P extends object>(
  app: App,
  tenant: string,
  payload: P,
  more: Partial<NewJobRow<P>> & { type?: JobType<P> } = {},
): Promise<string> {
  const input = {
    type: errand as unknown as JobType<P>,
    payload,
    subject: { object: 'job', id: '' } as const,
    project_id: null,
    ...more,
  }
  const { id } = await app.db.transaction(operator(uuidOf('ten', tenant), []), (tx) => app.jobs.enqueue(tx, input))
  return id
}

/** The delivery that the engine would make for an admitted job. */
export async function readDelivery(app: App, tenant: string, id: string): Promise<Delivery> {
  const [row] = await change<Omit<Delivery, 'tenant' | 'job'>>(
    app,
    tenant,
    'select ticket as id, type, payload_version as version from jobs where tenant_id = $1 and id = $3 and ticket is not null',
    [uuidOf('job', id)],
  )
  assert.ok(row, `job ${id} holds no slot`)
  return { ...row, tenant: uuidOf('ten', tenant), job: uuidOf('job', id) }
}

/** A worker takes the job; once more with the same delivery, and it is another worker after the first was lost. */
export async function claim(app: App, delivery: Delivery): Promise<Claim> {
  const [claimed] = await app.db.transaction(operator(delivery.tenant, []), (tx) => app.jobs.claim(tx, [delivery]))
  assert.ok(claimed, 'the ticket is not wanted any more')
  return claimed
}

export const settle = (app: App, claimed: Claim, settlement: Settlement): Promise<{ status: string }[]> =>
  app.db.transaction(operator(claimed.delivery.tenant, []), (tx) =>
    app.jobs.settle(tx, [{ claim: claimed, settlement }]),
  )
