// Reads of another tenant, in a separate process, so that the proof's own work does not slow them down.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface HostileTarget {
  url: string
  secret: string
  paths: readonly string[]
}

export interface Window {
  p95_ms: number
  count: number
  failed: number
}

export interface Reads {
  /** Reads until the work is done, and at least as long as that. */
  during<T>(least_ms: number, work: () => Promise<T>): Promise<Window & { result: T }>
  close(): Promise<void>
}

export async function openReads(target: HostileTarget): Promise<Reads> {
  const reader = fork(fileURLToPath(new URL('./reader.ts', import.meta.url)), { serialization: 'json' })
  const ask = async (word: HostileTarget | 'begin' | 'end'): Promise<Window> => {
    const answer = once(reader, 'message')
    reader.send(word)
    return ((await answer) as [Window])[0]
  }
  await ask(target)
  return {
    async during(least_ms, work) {
      await ask('begin')
      const [result] = await Promise.all([work(), sleep(least_ms)])
      return { ...(await ask('end')), result }
    },
    async close() {
      reader.kill('SIGKILL')
      await once(reader, 'exit')
    },
  }
}
