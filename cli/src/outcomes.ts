// Summaries and answers: some come with the answer to the request, others are jobs that are waited for.

import type { Octavo } from '@octavo/sdk'
import { exits, Refusal } from './exits.ts'

interface CliOutcome {
  id: string
  job_id: string | null
  is_terminal: boolean
  status: string
  error: { message: string } | null
}

/** Short, so that the job is known soon and Ctrl-C can cancel it. */
export const FIRST_WAIT = 1
const WAIT = 20
const CANCEL_MS = 5_000

/** Waits until the outcome has ended. If interrupted, cancels its job, because the result would not be shown. */
export async function finish<T extends CliOutcome>(
  client: Octavo,
  begun: T,
  read: (id: string, options: { wait_seconds: number; signal: AbortSignal }) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  let outcome = begun
  try {
    while (!outcome.is_terminal) outcome = await read(outcome.id, { wait_seconds: WAIT, signal })
  } catch (error) {
    if (signal.aborted) await cancelJob(client, outcome.job_id)
    throw error
  }
  return outcome
}

/** Whether it ends before its work is done; a job that has ended already stays as it is. */
export async function cancelJob(client: Octavo, job_id: string | null): Promise<boolean> {
  if (job_id === null) return false
  return client.jobs.update(job_id, { status: 'cancelled' }, { max_retries: 1, timeout_ms: CANCEL_MS }).then(
    () => true,
    () => false,
  )
}

export const isPartial = ({ status }: Pick<CliOutcome, 'status'>): boolean => status === 'partially_succeeded'
/** A partial result is shown, but the exit code keeps scripts from treating it as complete. */
export const exitOfStatus = (status: string): number => (status === 'succeeded' ? exits.fine : exits.failed)

export function refuseFailed(what: string, { status, error }: CliOutcome): void {
  if (status === 'succeeded' || status === 'partially_succeeded') return
  throw new Refusal(
    `${what} ${status === 'cancelled' ? 'was cancelled' : 'failed'}${error ? `: ${error.message}` : '.'}`,
    exits.failed,
  )
}
