// Answers, summaries and analyses can be jobs: a tool waits for them, reports their progress and cancels them if it is canceled.

import type { JobProgress } from '@octavo/sdk'
import { ToolFailure } from './failures.ts'
import type { ToolCall } from './tool.ts'

interface Outcome {
  id: string
  job_id: string | null
  is_terminal: boolean
  status: string
  error: { message: string } | null
}

/** Short, so that the job is soon known and can be canceled. */
export const FIRST_WAIT_SECONDS = 1
const WAIT_SECONDS = 5
const CANCEL_TIMEOUT_MS = 5_000

export async function finishOutcome<T extends Outcome>(
  call: ToolCall,
  created: T,
  read: (id: string, options: { wait_seconds: number; signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  let outcome = created
  try {
    while (!outcome.is_terminal) {
      await reportJob(call, outcome.job_id)
      outcome = await read(outcome.id, { wait_seconds: WAIT_SECONDS, signal: call.signal })
    }
  } catch (error) {
    if (call.signal.aborted) await cancelJob(call, outcome.job_id)
    throw error
  }
  if (outcome.status === 'succeeded' || outcome.status === 'partially_succeeded') return outcome
  throw new ToolFailure(outcome.error?.message ?? `The work ended with the status ${outcome.status}.`)
}

/** Credentials without `jobs:read` get the result without its progress. */
async function reportJob({ client, signal, reportProgress }: ToolCall, job_id: string | null): Promise<void> {
  if (job_id === null) return
  const job = await client.jobs.get(job_id, { fields: 'progress,status' }, { signal, max_retries: 0 }).catch(() => null)
  signal.throwIfAborted()
  if (job) await reportProgress(progressReport(job.progress, job.status))
}

function progressReport(progress: JobProgress | null, status: string) {
  if (progress === null) return { completed: 0, total: null, message: `The job is ${status}.` }
  const { completed, total, unit } = progress
  return { completed, total, message: `${completed}${total === null ? '' : ` of ${total}`} ${unit}` }
}

/** The signal is aborted already, so this call has a time limit instead. */
async function cancelJob({ client }: ToolCall, job_id: string | null): Promise<void> {
  if (job_id === null) return
  const options = { max_retries: 1, timeout_ms: CANCEL_TIMEOUT_MS }
  await client.jobs.update(job_id, { status: 'cancelled' }, options).catch(() => undefined)
}
