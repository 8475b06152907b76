// How an address is fetched in this proof: one function, whatever is behind it.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Plant } from '../lib/proof.ts'

export type EgressVerdict = 'refused' | 'answered' | 'failed'

export interface Importer {
  fetch(url: string): Promise<EgressVerdict>
  close(): Promise<void>
}

const FETCHER = fileURLToPath(new URL('./fetcher.ts', import.meta.url))
const PLANT = new URL('../lib/plant.ts', import.meta.url).href
const STALE = 70

/** `egressFetch` in a separate process, so that faults can be planted in it. */
export function openDirect(plants: readonly Plant[], allow_cidrs: readonly string[]): Importer {
  const child = fork(FETCHER, [JSON.stringify(allow_cidrs)], {
    execArgv: ['--import', PLANT],
    // A fault elsewhere would never be loaded here.
    env: {
      ...process.env,
      OCTAVO_PLANTS: JSON.stringify(plants.filter(({ file }) => file.startsWith('server/src/egress/'))),
    },
  })
  const waiting = new Map<number, { resolve: (verdict: EgressVerdict) => void; reject: (error: Error) => void }>()
  child.on('message', ({ id, verdict }: { id: number; verdict: EgressVerdict }) => {
    waiting.get(id)?.resolve(verdict)
    waiting.delete(id)
  })
  child.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the process that fetches ended with ${code}`))
  })
  let last = 0
  return {
    fetch: (url) =>
      new Promise((resolve, reject) => {
        waiting.set(++last, { resolve, reject })
        child.send({ id: last, url })
      }),
    close: () => end(child),
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.disconnect()
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code === STALE) throw new Error('a planted fault was never loaded')
}
