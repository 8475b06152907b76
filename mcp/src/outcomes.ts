// Answers, summaries and analyses can be jobs: a tool waits for them, reports their progress and cancels them if it is canceled.

import type { Job, JobProgress, OutcomeWaitOptions } from '@octavo/sdk'
import { ToolFailure } from './failures.ts'
import type { ToolCall } from './tool.ts'

interface Outcome {
  status: string
  error: { message: string } | null
}

export const waitOptions = ({ signal, reportProgress }: ToolCall): OutcomeWaitOptions => ({
  signal,
  cancel_on_abort: true,
  onJob: ({ progress, status }) => reportProgress(progressReport(progress, status)),
})

export function refuseFailed({ status, error }: Outcome): void {
  if (status === 'succeeded' || status === 'partially_succeeded') return
  throw new ToolFailure(error?.message ?? `The work ended with the status ${status}.`)
}

function progressReport(progress: JobProgress | null, status: Job['status']) {
  if (progress === null) return { completed: 0, total: null, message: `The job is ${status}.` }
  const { completed, total, unit } = progress
  return { completed, total, message: `${completed}${total === null ? '' : ` of ${total}`} ${unit}` }
}
