// Sends requests with one secret to one process until it refuses them.

import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A valid secret passes even from an address with many failures, but a refused one would get 429, so each request uses
 * another address.
 */
const address = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`

export async function ask(url: string, secret: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/capabilities`, {
    headers: { authorization: `Bearer ${secret}`, 'x-forwarded-for': address() },
  })
  await answer.arrayBuffer()
  return answer.status
}

/** Repeats a request that a busy process did not execute. */
export async function askUntilWarm(url: string, secret: string): Promise<void> {
  let status = await ask(url, secret)
  for (let i = 0; i < 20 && status === 503; i++) {
    await sleep(100)
    status = await ask(url, secret)
  }
  if (status !== 200) throw new Error(`a key that is valid got ${status}`)
}

export interface RevocationRefusal {
  /** Infinite when the secret was still accepted at the end. */
  at_ms: number
  /** Answers other than 200 before and 401 after the refusal. */
  strange: number
}

/** Goes on for a few asks after the refusal: a secret that was refused must not come back to life. */
export async function watchRefusal(
  url: string,
  secret: string,
  rules: { give_up_ms: number; pause_ms?: number },
): Promise<RevocationRefusal> {
  const deadline = Date.now() + rules.give_up_ms
  let strange = 0
  while (Date.now() < deadline) {
    const status = await ask(url, secret)
    if (status === 401) {
      const at_ms = Date.now()
      for (let i = 0; i < 3; i++) if ((await ask(url, secret)) !== 401) strange++
      return { at_ms, strange }
    }
    if (status !== 200) strange++
    if (rules.pause_ms) await sleep(rules.pause_ms)
  }
  return { at_ms: Number.POSITIVE_INFINITY, strange }
}
