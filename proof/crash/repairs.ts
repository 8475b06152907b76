// Counts the reconciler's repairs from the logs of every worker.

import { tally } from './ledger.ts'

export class Repairs {
  /** By kind. */
  readonly counts = new Map<string, number>()
  private readonly things = new Map<string, number>()

  /** A line of a worker's log. */
  hear(line: string): void {
    if (!line.includes('"job repaired"')) return
    const { kind, tenant_id, job_id } = JSON.parse(line) as { kind: string; tenant_id: string; job_id?: string }
    tally(this.counts, kind)
    tally(this.things, `${kind} ${job_id ?? tenant_id}`)
  }

  /** Only a worker that is silent may need a repair here: everything else changes in one transaction. */
  get needless(): string[] {
    return [...this.counts].flatMap(([kind, times]) => (kind === 'no_heartbeat' ? [] : [`${kind}: ${times} times`]))
  }

  /** A repair that did not last. */
  get again(): string[] {
    return [...this.things].flatMap(([thing, times]) => (times > 1 ? [`${thing}: ${times} times`] : []))
  }
}
