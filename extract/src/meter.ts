// Resource usage of another process, as Linux reports it.

import { readFileSync } from 'node:fs'

export interface Used {
  /** Processor time of all its threads. */
  seconds: number
  /** Its main thread waits for something other than the processor. */
  is_idle: boolean
  resident_bytes: number
}

/** Linux counts processor time in these for programs, whatever it does inside. */
const TICKS_A_SECOND = 100

/** Null where there is no such process any more, or no Linux. */
export function findUsed(pid: number): Used | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The process name, which may contain anything, is in brackets. The state follows; the 12th and 13th fields from
    // there are user and kernel time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND,
      is_idle: fields[0] !== 'R',
      resident_bytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024,
    }
  } catch {
    return null
  }
}
