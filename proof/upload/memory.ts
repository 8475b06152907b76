// Memory use of a process during an action.

import { setTimeout as sleep } from 'node:timers/promises'
import { residentOf } from '../lib/processes.ts'

const LOOK_MS = 50

export interface MemoryWatch {
  /** Megabytes above the level at its start. */
  stop(): Promise<number>
}

export function watchMemory(pid: number, level_mb: number): MemoryWatch {
  let peak = level_mb
  const end = new AbortController()
  const looking = (async () => {
    while (!end.signal.aborted) {
      peak = Math.max(peak, residentOf(pid))
      await sleep(LOOK_MS)
    }
  })()
  return {
    async stop() {
      end.abort()
      await looking
      return peak - level_mb
    },
  }
}
