// A worker whose ingestion does what a test says, and the rows behind the API.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import { sql, type Value } from '../db/statement.ts'
import type { Ending, JobHandler, Run } from '../jobs/types.ts'
import { operator } from '../lib/caller.ts'
import { uuidOf } from '../lib/ids.ts'
import { type Ingestion, ingestion } from '../resources/documents/documents.jobs.ts'
import { followIngestion, ingestPages } from '../resources/documents/ingestion.service.ts'
import { handlersOf } from '../worker.ts'

export type Act = (run: Run<Ingestion>) => Promise<Ending>
export const textOf = (text: string) => ({ type: 'text', text }) as const

export interface Held {
  /** Those that have begun, in this order. */
  runs: Run<Ingestion>[]
  letGo(): void
}

/** What happens to documents, by the text of their first page; any other is ingested. */
export class Script {
  readonly handlers: JobHandler[]
  private readonly acts = new Map<string, Act>()

  constructor(app: App) {
    const run: Act = (given) => (this.acts.get(given.payload.texts[0] ?? '') ?? ingestPages)(given)
    this.handlers = [...handlersOf(app), { type: ingestion, run, follow: followIngestion } as JobHandler]
  }

  on(text: string, act: Act): void {
    this.acts.set(text, act)
  }

  /** Runs of these begin, and go on when they are let go. */
  hold(...texts: string[]): Held {
    const gate = new AbortController()
    const held: Held = { runs: [], letGo: () => gate.abort() }
    for (const text of texts) {
      this.on(text, async (run) => {
        held.runs.push(run)
        if (!gate.signal.aborted) await sleep(60_000, undefined, { signal: AbortSignal.any([gate.signal, run.signal]) }).catch(() => {})
        return ingestPages(run)
      })
    }
    return held
  }
}

export async function until(isSo: () => boolean | Promise<boolean>, what = 'it'): Promise<void> {
  const end = Date.now() + 15_000
  while (!(await isSo())) {
    assert.ok(Date.now() < end, `${what} did not become so within 15 seconds`)
    await sleep(20)
  }
}

/** Any statement about one tenant's rows, `$1` being the tenant: to make what time or a fault would. */
export const change = <Row>(app: App, tenant: string, text: string, values: Value[] = []): Promise<Row[]> =>
  app.db.for(operator(uuidOf('ten', tenant), [])).rows<Row>(sql(text), values)
