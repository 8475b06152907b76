// How the commands show the end of a summary or an answer.

import { exits, Refusal } from './exits.ts'

interface CliOutcome {
  status: string
  error: { message: string } | null
}

export const isPartial = ({ status }: Pick<CliOutcome, 'status'>): boolean => status === 'partially_succeeded'
/** A partial result is shown, but the exit code keeps scripts from treating it as complete. */
export const exitOfStatus = (status: string): number => (status === 'succeeded' ? exits.fine : exits.failed)

export function refuseFailed(what: string, { status, error }: CliOutcome): void {
  if (status === 'succeeded' || status === 'partially_succeeded') return
  throw new Refusal(
    `${what} ${status === 'cancelled' ? 'was canceled' : 'failed'}${error ? `: ${error.message}` : '.'}`,
    exits.failed,
  )
}
