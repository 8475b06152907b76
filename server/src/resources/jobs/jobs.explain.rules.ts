// A job in words: what it is doing, why, and what its owner or the operator can do. Pure, so that every case is tested.

import type { Job, JobAttempt } from '@octavo/contract'

type ExplainedJob = Job & { place: string | null; run_after: string | null }

export interface Facts {
  job: ExplainedJob
  tier: string
  slots: { used: number; most: number; waiting: number }
  steps: number
  /** The engine's state of the delivery; null: the job needs no engine now. */
  deliveryState: 'waiting' | 'active' | 'silent' | 'unknown' | null
  now: number
}

export function explain(facts: Facts): string[] {
  const { job } = facts
  const about = isBatch(job)
    ? `Job ${job.id} (a batch)`
    : `Job ${job.id} (${job.type} of ${job.subject.object} ${job.subject.id})`
  const advice = adviceOf(facts)
  return [`${about} ${phraseOf(facts)}`, ...historyOf(facts), ...(advice ? [`Next step: ${advice}`] : [])]
}

function phraseOf({ job, slots, tier, now }: Facts): string {
  const since = (time: string | null): string => spanOf(now - Date.parse(time ?? job.updated_at))
  switch (job.status) {
    case 'succeeded':
      return `succeeded. It ended ${since(job.finished_at)} ago, after ${spanOf(job.usage?.compute_ms ?? 0)} of work in ${countOf(job.attempt, 'attempt')}.`
    case 'partially_succeeded':
      return `succeeded partially. It ended ${since(job.finished_at)} ago: ${job.error?.message ?? 'part of it failed.'}`
    case 'failed':
      return `failed ${since(job.finished_at)} ago with '${job.error?.code}': ${job.error?.message}`
    case 'cancelled':
      return `was canceled; it ended ${since(job.finished_at)} ago. Finished work is kept.`
    case 'running':
      return `${runningOf(job, since(job.started_at))}${job.cancel_requested_at ? ` Its cancellation was requested ${since(job.cancel_requested_at)} ago; it stops at its next safe point.` : ''}`
    default:
  }
  const queued = `It was queued ${since(job.queued_at)} ago.`
  if (job.place === 'backoff')
    return `is waiting for a retry because its last attempt failed. The next attempt starts in ${spanOf(Date.parse(job.run_after!) - now)}.`
  if (job.place === 'admitted') return `has a slot of its tenant and is waiting for a free worker. ${queued}`
  const ahead = job.queue?.ahead ?? 0
  const estimate = job.queue?.estimated_start_at
    ? ` Based on the tenant's recent jobs, it should start in about ${spanOf(Date.parse(job.queue.estimated_start_at) - now)}.`
    : ''
  return `is waiting for a slot: its tenant is using ${slots.used} of the ${countOf(slots.most, 'slot')} of its tier (${tier}). ${countOf(ahead, 'job')} of the tenant ${ahead === 1 ? 'is' : 'are'} ahead of it. ${queued}${estimate}`
}

function runningOf(job: ExplainedJob, span: string): string {
  if (job.place === 'items') return `is waiting for its items: ${progressOf(job)}.`
  const stage = job.stage ? `, now ${job.stage}` : ''
  return `is running: attempt ${job.attempt}, first started ${span} ago${stage}${job.progress ? `, ${progressOf(job)}` : ''}.`
}

function historyOf({ job, steps, deliveryState }: Facts): string[] {
  const lines = job.attempts.map((attempt) => `Attempt ${attempt.number} ${attemptOf(attempt)}.`)
  if (steps > 0 && job.status !== 'succeeded')
    lines.push(`${countOf(steps, 'finished step')} ${steps === 1 ? 'is' : 'are'} kept and will not run again.`)
  if (deliveryState === 'unknown')
    lines.push('The queue has no delivery for it. The reconciler queues it again within seconds.')
  if (deliveryState === 'silent')
    lines.push(
      'Its worker has sent no heartbeat for over 30 seconds. The reconciler gives the job to another worker within seconds.',
    )
  return lines
}

function attemptOf({ outcome, started_at, ended_at, error }: JobAttempt): string {
  const after = `after ${spanOf(Date.parse(ended_at) - Date.parse(started_at))}`
  if (outcome === 'interrupted')
    return `was interrupted ${after}: its worker died or was stopped. This does not count as a failure`
  if (outcome === 'failed') return `failed ${after} with '${error?.code}': ${error?.message.replace(/\.$/, '')}`
  return `${outcome.replaceAll('_', ' ')} ${after}`
}

function adviceOf({ job, slots }: Facts): string | null {
  const again = `run it again with PATCH /jobs/${job.id} {"status":"queued"}`
  if (job.status === 'failed') return `fix the cause, then ${again}. Finished steps are not repeated.`
  if (job.status === 'cancelled') return `nothing, or ${again}. Finished steps are not repeated.`
  if (isBatch(job) && (job.place === 'items' || job.status === 'partially_succeeded'))
    return `list its items with GET /jobs?parent_job_id=${job.id}.`
  if (job.place === 'line')
    return slots.used < slots.most
      ? 'nothing: a slot is free, and the reconciler fills it within seconds.'
      : `wait; or raise its priority with PATCH /jobs/${job.id} {"priority":"high"}; or move the tenant to a higher tier.`
  if (job.place === 'backoff')
    return `nothing, or find out why it failed: it fails permanently after ${countOf(Math.max(1, job.max_attempts - failuresOf(job)), 'more failure')}.`
  if (job.place === 'admitted' && job.status === 'queued')
    return 'nothing; if it keeps waiting, check that a worker is running and that WORKER_SLOTS is high enough.'
  return null
}

const isBatch = ({ id, subject }: ExplainedJob): boolean => subject.id === id
/** Since it was last asked to run: earlier ones are forgiven. */
const failuresOf = ({ attempts, queued_at }: ExplainedJob): number =>
  attempts.filter(({ outcome, started_at }) => outcome === 'failed' && started_at >= queued_at).length
const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
const progressOf = ({ progress }: ExplainedJob): string =>
  progress
    ? `${progress.completed} of ${progress.total ?? 'an unknown number of'} ${progress.unit} done${progress.failed > 0 ? `, ${progress.failed} failed` : ''}`
    : 'no progress yet'

function spanOf(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}
