// Forty requests at once with one key.

import { randomUUID } from 'node:crypto'
import type { Octavo } from '@octavo/sdk'
import { type IdempotencyPostResult, persist } from './posts.ts'

export const PARALLEL = 40

export interface IdempotencyRounds {
  rounds: number
  replays: number
  /** Rounds without exactly one execution and 39 equal replays. */
  faulty: number
}

type Post = (client: Octavo, key: string) => Promise<IdempotencyPostResult>

/** The requests of a round go to all clients in turn. */
export async function runRound(clients: readonly Octavo[], post: Post, result: IdempotencyRounds): Promise<string> {
  const key = randomUUID()
  const posts = Array.from({ length: PARALLEL }, (_, i) => persist(() => post(clients[i % clients.length]!, key)))
  const posted = await Promise.all(posts)
  const replays = posted.filter(({ is_replayed }) => is_replayed).length
  const answers = new Set(posted.map(({ answer }) => answer))
  result.rounds++
  result.replays += replays
  if (replays !== PARALLEL - 1 || answers.size !== 1) result.faulty++
  return key
}
