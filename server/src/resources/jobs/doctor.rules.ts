// A job in words: what it is doing, why, and what its owner or the operator can do. Pure, so that every case is tested.

import type { Job, JobAttempt } from '@octavo/contract'

type JobRow = Job & { place: string | null; run_after: string | null }

export interface Facts {
  job: JobRow
  tier: string
  slots: { used: number; most: number; waiting: number }
  steps: number
  /** What the engine knows of it; null where it needs no engine. */
  sight: 'waiting' | 'active' | 'silent' | 'unknown' | null
  now: number
}

export function explain(facts: Facts): string[] {
  const { job } = facts
  const about = `Job ${job.id} (${job.type}) of ${job.subject.object} ${job.subject.id}`
  const lines = [`${about} ${phraseOf(facts)}`, ...historyOf(facts)]
  const advice = adviceOf(facts)
  return advice ? [...lines, `What to do: ${advice}`] : lines
}

function phraseOf(facts: Facts): string {
  const { job, slots, now } = facts
  const ago = (time: string | null): string => (time === null ? 'an unknown time' : spanOf(now - Date.parse(time)))
  switch (job.status) {
    case 'succeeded':
      return `is done. It finished ${ago(job.finished_at)} ago after ${spanOf(job.usage?.compute_ms ?? 0)} of work in ${countOf(job.attempt, 'attempt')}.`
    case 'partially_succeeded':
      return `is done in part. It finished ${ago(job.finished_at)} ago; ${job.error?.message ?? 'some of it failed.'}`
    case 'failed':
      return `has failed ${ago(job.finished_at)} ago with '${job.error?.code}': ${job.error?.message}`
    case 'cancelled':
      return `was cancelled ${ago(job.finished_at)} ago. What it had finished is kept.`
    case 'running':
      if (job.place === 'items') return `waits for its items: ${progressOf(job)}.`
      return `is running for ${ago(job.started_at)}${job.stage ? `, now ${job.stage}` : ''}${job.progress ? `: ${progressOf(job)}` : ''}.${job.cancel_requested_at ? ` A cancel was asked for ${ago(job.cancel_requested_at)} ago; it stops at the next safe point.` : ''}`
    default:
  }
  if (job.place === 'backoff')
    return `waits to be tried again: the last attempt failed, the next begins in ${spanOf(Date.parse(job.run_after!) - now)}.`
  if (job.place === 'line')
    return `waits for ${ago(job.queued_at)}: its tenant (tier ${facts.tier}) runs ${slots.used} of at most ${countOf(slots.most, 'job')}, and ${countOf(job.queue?.ahead ?? 0, 'job')} of the tenant come before it.`
  return `has a slot of its tenant since ${ago(job.queued_at)} and waits for a worker to be free.`
}

function historyOf({ job, steps, sight }: Facts): string[] {
  const lines = job.attempts.map((attempt) => `Attempt ${attempt.number} ${attemptOf(attempt)}.`)
  if (steps > 0) lines.push(`${countOf(steps, 'finished step')} kept: none of them runs again.`)
  if (sight === 'unknown') lines.push('The engine does not know it. The reconciler puts it back into the line within seconds.')
  if (sight === 'silent')
    lines.push('Its worker has not been heard of for over 30 seconds. The reconciler gives it to another one within seconds.')
  return lines
}

function attemptOf({ outcome, started_at, ended_at, error }: JobAttempt): string {
  const after = `after ${spanOf(Date.parse(ended_at) - Date.parse(started_at))}`
  if (outcome === 'interrupted') return `was interrupted ${after}: its worker was lost or stopped. That does not count against it`
  if (outcome === 'failed') return `failed ${after} with '${error?.code}': ${error?.message.replace(/\.$/, '')}`
  return `${outcome.replaceAll('_', ' ')} ${after}`
}

function adviceOf({ job, slots }: Facts): string | null {
  if (job.status === 'failed' || job.status === 'cancelled')
    return `mend the cause, then run it again: PATCH /jobs/${job.id} {"status":"queued"}. Finished steps are not repeated.`
  if (job.place === 'line')
    return slots.used < slots.most
      ? 'nothing: a slot is free, and the reconciler fills it within seconds.'
      : `wait, raise its priority (PATCH /jobs/${job.id} {"priority":"high"}), or give the tenant a larger tier.`
  if (job.place === 'backoff') return `nothing, or see the failure above. ${countOf(job.max_attempts - failuresOf(job), 'attempt')} left.`
  if (job.place === 'admitted' && job.status === 'queued')
    return 'if this lasts, look whether a worker runs, and whether WORKER_SLOTS are enough.'
  return null
}

const failuresOf = (job: JobRow): number => job.attempts.filter(({ outcome }) => outcome === 'failed').length
const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
const progressOf = ({ progress }: JobRow): string =>
  progress ? `${progress.completed} of ${progress.total ?? '?'} ${progress.unit} done, ${progress.failed} failed` : 'nothing counted yet'

function spanOf(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return `${Math.round(seconds / 3600)} h`
}
