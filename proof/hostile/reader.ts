// A program that reads the same addresses over and over between two words, and says how long that took.

import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../lib/proof.ts'
import type { HostileTarget, Window } from './reads.ts'

const APART_MS = 4

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const target: { now: HostileTarget | null } = { now: null }
let times: number[] = []
let failed = 0
let is_on = false

/** Milliseconds, or null where it was not answered with 200. */
function readOnce({ url, secret }: HostileTarget, path: string): Promise<number | null> {
  const began = performance.now()
  return new Promise((resolve) => {
    const sent = request(`${url}${path}`, { agent, headers: { authorization: `Bearer ${secret}` } }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode === 200 ? performance.now() - began : null))
    })
    sent.once('error', () => resolve(null))
    sent.end()
  })
}

process.on('message', (word: HostileTarget | 'begin' | 'end') => {
  process.send?.({ p95_ms: quantile(times, 0.95), count: times.length, failed } satisfies Window)
  if (typeof word === 'object') target.now = word
  is_on = word === 'begin'
  times = []
  failed = 0
})

for (let i = 0; process.connected; i++) {
  await sleep(APART_MS)
  const { now } = target
  if (!is_on || !now) continue
  const ms = await readOnce(now, now.paths[i % now.paths.length]!)
  if (ms === null) failed++
  else times.push(ms)
}
