// Peak memory of processes.

import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, residentOf } from '../lib/processes.ts'
import { median } from '../lib/proof.ts'

const LOOK_MS = 50

const withChildren = (pid: number): number =>
  residentOf(pid) + childrenOf(pid).reduce((sum, child) => sum + withChildren(child), 0)

/** In MiB, of each process with all that it has started: the most, and the medians of ten parts of the time. And what came of the doing. */
export async function watchPeaks<T>(
  pids: readonly number[],
  doing: () => Promise<T>,
): Promise<{ peaks: number[]; tenths: number[][]; value: T }> {
  const looks = pids.map((pid) => [withChildren(pid)])
  const over = new AbortController()
  const watching = (async () => {
    while (!over.signal.aborted) {
      for (const [i, pid] of pids.entries()) looks[i]!.push(withChildren(pid))
      await sleep(LOOK_MS)
    }
  })()
  try {
    const value = await doing()
    return { value, peaks: looks.map((all) => Math.max(...all)), tenths: looks.map(tenthsOf) }
  } finally {
    over.abort()
    await watching
  }
}

const tenthsOf = (looks: readonly number[]): number[] =>
  Array.from({ length: 10 }, (_, i) =>
    median(looks.slice(Math.floor((i * looks.length) / 10), Math.ceil(((i + 1) * looks.length) / 10))),
  )
