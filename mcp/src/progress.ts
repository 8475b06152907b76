import type { ServerContext } from '@modelcontextprotocol/server'

interface ProgressReport {
  completed: number
  total: number | null
  message: string
}
export type ProgressReporter = (report: ProgressReport) => Promise<void>

/** Sends progress if the caller asked for it. The protocol requires a number that increases with every notification. */
export function progressReporter({ mcpReq }: ServerContext): ProgressReporter {
  const progressToken = mcpReq._meta?.progressToken
  let last = -1
  return async ({ completed, total, message }) => {
    if (progressToken === undefined || completed <= last) return
    last = completed
    const params = { progressToken, progress: completed, message, ...(total !== null && { total }) }
    await mcpReq.notify({ method: 'notifications/progress', params })
  }
}
