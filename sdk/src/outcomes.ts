import { type Answered, type CallOptions, type Send, segment } from './call.ts'
import type { Job } from './generated/types.ts'
import { waitUntil } from './waiting.ts'

export interface OutcomeWaitOptions extends CallOptions {
  /** Called with the job every few seconds until it has ended. Needs `jobs:read`; without it there are no calls. */
  onJob?: ((job: Job) => void | Promise<void>) | undefined
  /** True: if `signal` aborts the wait, the client also cancels the job. Needs `jobs:write`. */
  cancel_on_abort?: boolean | undefined
}

interface Outcome {
  id: string
  job_id: string | null
  is_terminal: boolean
}

interface OutcomeCalls<T> {
  send: Send
  create: (options: CallOptions) => Promise<T>
  read: (id: string, options: Pick<CallOptions, 'signal' | 'max_retries' | 'wait_seconds'>) => Promise<Answered<T>>
}

/** Short, so that the job is soon known and can be canceled. */
const FIRST_WAIT_SECONDS = 1
const PROGRESS_SECONDS = 5
const CANCEL_TIMEOUT_MS = 5_000

/** Creates a result and waits until it has ended, whatever its `status`. */
export async function createOutcomeAndWait<T extends Outcome>(
  { send, create, read }: OutcomeCalls<T>,
  { onJob, cancel_on_abort = false, ...options }: OutcomeWaitOptions,
): Promise<T> {
  const { signal, max_retries } = options
  const created = await create({ wait_seconds: FIRST_WAIT_SECONDS, ...options })
  const { id, job_id } = created
  if (created.is_terminal) return created
  try {
    return await waitUntil(
      async (asked) => {
        if (onJob && job_id !== null) await reportJob(send, job_id, { onJob, signal })
        return read(id, asked)
      },
      ({ is_terminal }) => is_terminal,
      { signal, max_retries, wait_seconds: onJob ? PROGRESS_SECONDS : undefined },
    )
  } catch (error) {
    if (cancel_on_abort && signal?.aborted && job_id !== null) await cancelJob(send, job_id)
    throw error
  }
}

async function reportJob(
  send: Send,
  job_id: string,
  { onJob, signal }: { onJob: (job: Job) => void | Promise<void>; signal: AbortSignal | undefined },
): Promise<void> {
  const operation = { method: 'GET', path: `/jobs/${segment(job_id)}` } as const
  const job = await send<Job>(operation, { signal, max_retries: 0 }).catch(() => null)
  signal?.throwIfAborted()
  if (job) await onJob(job)
}

/** The signal is aborted already, so this call has a time limit instead. A job that has ended stays as it is. */
async function cancelJob(send: Send, job_id: string): Promise<void> {
  const operation = { method: 'PATCH', path: `/jobs/${segment(job_id)}`, body: { status: 'cancelled' } } as const
  await send(operation, { max_retries: 1, timeout_ms: CANCEL_TIMEOUT_MS }).catch(() => undefined)
}
