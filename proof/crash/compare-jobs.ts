// Compares the final state of jobs with their events.

import type { CrashFindings } from './findings.ts'
import type { CrashJobRow, CrashRows } from './rows.ts'

export function compareJobs(rows: CrashRows, findings: CrashFindings): void {
  const items = Map.groupBy(
    rows.jobs.filter(({ parent_job_id }) => parent_job_id !== null),
    ({ parent_job_id }) => parent_job_id,
  )
  for (const job of rows.jobs) {
    const name = `${job.type} ${job.id}`
    if (job.place !== null) findings.add('stuck_jobs', `${name}: ${job.status}, ${job.place}`)
    if (job.status === 'failed' || job.status === 'partially_succeeded')
      findings.add('failed_jobs', `${name}: ${job.status}, ${job.error}`)
    findings.add('wrong_events', ...findEventFaults(job).map((fault) => `${name}: ${fault}`))
    if (job.items_total === null || job.place !== null) continue
    const fault = findBatchFault(job, items.get(job.id) ?? [])
    if (fault) findings.add('wrong_batches', `${name}: ${job.status}, ${fault}`)
  }
  if (rows.gaps > 0) findings.add('wrong_events', `positions of ${rows.gaps} tenants have gaps`)
}

function findEventFaults(job: CrashJobRow): string[] {
  const faults: string[] = []
  if (job.place === null && job.endings.join() !== `job.${job.status}`)
    faults.push(`is ${job.status}, told ${job.endings.join() || 'nothing'}`)
  if (job.events !== job.last_seq || job.highest_seq !== job.last_seq)
    faults.push(`${job.events} events up to ${job.highest_seq}, should be ${job.last_seq}`)
  // Only the first cancellation is recorded, however many arrive. A batch also records the progress of its
  // cancellation.
  const wanted = job.is_cancel_requested || job.status === 'cancelled' ? 1 : 0
  const isAsked = job.items_total === null ? job.asked === wanted : job.asked >= wanted
  if (!isAsked) faults.push(`${job.status}, told to stop by ${job.asked} events, not ${wanted}`)
  return faults
}

/** Its numbers are those of its items, and it ends as they did. */
function findBatchFault(batch: CrashJobRow, items: readonly CrashJobRow[]): string | null {
  const { status, items_total, items_done, items_failed } = batch
  const succeeded = items.filter((item) => item.status === 'succeeded').length
  const counts = `${items_done} done and ${items_failed} failed of ${items_total}; ${items.length} jobs, ${succeeded} succeeded`
  if (items_done !== succeeded || items.length > items_total!) return counts
  // One that was cancelled while it made its items has fewer.
  if (status === 'cancelled') return items_failed > items.length - succeeded ? counts : null
  return items.length === items_total && items_done + items_failed === items_total ? null : counts
}
