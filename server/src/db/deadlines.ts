// Gives up statements that take too long. One timer serves all statements: a timer for each would cost a quick request
// more than decoding its row.

import type { Batch } from './batch.ts'

/** A statement is given up at most this long after its deadline. */
const CHECK_MS = 50

const noAnswer = () => Object.assign(new Error('The database did not respond in time.'), { code: 'DB_TIMEOUT' })

const running = new Map<Batch, number>()
let timer: NodeJS.Timeout | null = null

/** Fails the batch if it has not been removed by then. */
export function watch(batch: Batch, ends_ms: number): void {
  running.set(batch, ends_ms)
  timer ??= setInterval(giveUpLate, CHECK_MS).unref()
}

export const unwatch = (batch: Batch): boolean => running.delete(batch)

function giveUpLate(): void {
  const now = Date.now()
  for (const [batch, ends_ms] of running) if (ends_ms <= now) batch.handleError(noAnswer())
  if (running.size > 0 || timer === null) return
  clearInterval(timer)
  timer = null
}
